// Checks whether node_modules is the tree package-lock.json describes, by a stamp written after every
// complete set-up.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const STAMP = 'node_modules/.twapd-setup';

/** True if the stamp carries this lock file's hash and the installed Node is still there. */
export function packagesInPlace(root) {
  return readText(join(root, STAMP)) === stampText(root) && existsSync(join(root, nodeProgram()));
}

/** Marks the tree complete; written last, so that an interrupted set-up leaves no stamp. */
export function writeStamp(root) {
  writeFileSync(join(root, STAMP), stampText(root));
}

/** The Node that the npm package `node` installs, relative to the root. */
export function nodeProgram() {
  return process.platform === 'win32'
    ? 'node_modules/node/bin/node.exe'
    : 'node_modules/node/bin/node';
}

/**
 * True if npm's own record of what it installed contains every package of the lock file at the same
 * version, so that a manually installed tree is accepted. Packages for other platforms may be absent.
 */
export function treeMatchesLock(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && existsSync(join(root, path, 'package.json'));
  });
}

function stampText(root) {
  const lock = readText(join(root, 'package-lock.json')) ?? '';
  const hash = createHash('sha256').update(lock).digest('hex');
  return `${hash} ${process.platform}-${process.arch}\n`;
}

function readPackages(path) {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text).packages;
  } catch {
    // Unexamined: a list that cannot be read is not of what is installed, so it is installed again.
    return undefined;
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
