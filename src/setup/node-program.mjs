// Installs the Node that the lock file names, as the npm package `node` would: from the package that carries
// it for this system. It is stored next to node_modules, so that npm can run on it while it rebuilds
// node_modules.
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { nodeProgram } from './packages-check.mjs';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

/** Path of that Node, outside node_modules; downloaded if it is missing. */
export async function bringNode({ root, stateFolder, progress }, npm) {
  const version = wantedVersion(root);
  const carrier = join(stateFolder, `node-${version}`);
  const kept = join(
    carrier,
    'node_modules',
    carrierName(),
    process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
  );
  if (await isVersion(kept, version, stateFolder)) return kept;
  const installed = join(root, nodeProgram());
  if (await isVersion(installed, version, stateFolder)) {
    place(installed, kept);
    return kept;
  }
  const output = await progress.during(`bringing Node ${version}`, () =>
    download({ carrier, version, stateFolder }, npm),
  );
  if (await isVersion(kept, version, stateFolder)) return kept;
  throw new SetUpError(
    `Node ${version} could not be had from the npm package ${carrierName()}, or does not run here; ` +
      'check the network and the registry setting, then run again.',
    output,
  );
}

/** Puts it where the npm package `node` would, and where npm scripts find it. */
export function placeNode(root, kept) {
  const program = join(root, nodeProgram());
  place(kept, program);
  const link = join(root, 'node_modules/.bin/node');
  if (process.platform === 'win32' || lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync('../node/bin/node', link);
}

async function download({ carrier, version, stateFolder }, { words, env }) {
  mkdirSync(carrier, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const command = [
    ...words,
    'install',
    ...flags,
    '--loglevel=warn',
    '--prefix',
    carrier,
    `${carrierName()}@${version}`,
  ];
  const logPath = join(stateFolder, 'node.log');
  const { output } = await runStep(command, {
    name: 'npm',
    logPath,
    cwd: carrier,
    env,
    endsWithUs: true,
  });
  return output;
}

/** Named as in the install step of the npm package `node`. */
function carrierName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const arch = platform === 'win' && process.arch === 'ia32' ? 'x86' : process.arch;
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
}

function wantedVersion(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return lock.packages['node_modules/node'].version;
}

async function isVersion(program, version, stateFolder) {
  if (!existsSync(program)) return false;
  const options = {
    name: 'node',
    logPath: join(stateFolder, 'node-version.log'),
    endsWithUs: true,
  };
  const { code, output } = await runStep([program, '--version'], options);
  return code === 0 && output.trim() === `v${version}`;
}

/** A hard link to the same file, or a copy if the file system does not support links. */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    // Unexamined: a file system without links; a copy fails with the reason where there is another.
    copyFileSync(from, to);
  }
}
