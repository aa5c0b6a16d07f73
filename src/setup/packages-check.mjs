// Whether node_modules is the tree package-lock.json describes: a stamp written after every complete set-up says so.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const STAMP = 'node_modules/.twapd-setup';

/** True when the stamp carries this lock file's hash and the Node it brings is still there. */
export function packagesInPlace(root) {
  return readText(join(root, STAMP)) === stampText(root) && existsSync(join(root, nodeProgram()));
}

/** Marks the tree complete; written last, so an interrupted set-up leaves no stamp. */
export function writeStamp(root) {
  writeFileSync(join(root, STAMP), stampText(root));
}

/** The Node that the npm package `node` brings, relative to the root. */
export function nodeProgram() {
  return process.platform === 'win32'
    ? 'node_modules/node/bin/node.exe'
    : 'node_modules/node/bin/node';
}

/**
 * True when npm's own record of what it installed holds every package of the lock file at the same version,
 * so a tree installed by hand is taken as it is. Packages for other platforms may be absent.
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
