// Runs npm and chooses its Node: the machine's own for the first download, never those inside the node_modules being
// rebuilt.
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import process from 'node:process';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

const OLDEST_NPM = 10;

/** How to run npm before Node 24 is installed. Refuses an npm that is too old. */
export async function machineNpm({ root, stateFolder }) {
  const npm = npmOn(machineNode(root), root);
  await requireNpm(npm, join(stateFolder, 'npm-version.log'));
  return npm;
}

/** npm's first arguments and environment when run by the given Node. */
export function npmOn(node, root) {
  const env = { ...process.env, npm_config_global: 'false' };
  env.PATH = [dirname(node), ...foldersOutside(root)].join(delimiter);
  const cli = process.env.npm_execpath ?? '';
  const isNpm = basename(cli) === 'npm-cli.js' && existsSync(cli);
  return { words: isNpm ? [node, cli] : ['npm'], env };
}

/** npm puts node_modules/.bin first on PATH, from where Node would vanish in mid-install. */
function foldersOutside(root) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.filter((folder) => !folder.startsWith(join(root, 'node_modules') + sep));
}

function machineNode(root) {
  const inside = join(root, 'node_modules') + sep;
  const onPath = foldersOutside(root).map((folder) => join(folder, 'node'));
  const candidates = [process.env.npm_node_execpath, process.execPath, ...onPath];
  const found = candidates.find((path) => path && !path.startsWith(inside) && existsSync(path));
  if (found) return found;
  throw new SetUpError(
    'no Node found outside node_modules to install packages with; install Node 18 or newer.',
  );
}

async function requireNpm({ words, env }, logPath) {
  const options = { name: 'npm', logPath, env, endsWithUs: true };
  const { code, output } = await runStep([...words, '--version'], options);
  if (code !== 0) {
    throw new SetUpError(`npm cannot be run; install npm ${OLDEST_NPM} or newer.`, output);
  }
  if (Number(output.trim().split('.')[0]) < OLDEST_NPM) {
    throw new SetUpError(
      `npm ${output.trim()} is too old; npm ${OLDEST_NPM} or newer is needed: npm install --global npm@${OLDEST_NPM}`,
    );
  }
}
