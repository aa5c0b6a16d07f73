// Which npm and Node the set-up itself runs with: the machine's own, never the ones inside the node_modules being rebuilt.
import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import process from 'node:process';
import { SetUpError } from './set-up-error.mjs';
import { runStep } from './step.mjs';

const OLDEST_NPM = 10;

/** The commands `node …` and `npm …` start with, and the environment they run in. */
export async function machineTools({ root, stateFolder }) {
  const env = machineEnvironment(root);
  const node = machineNode(root, env);
  env.PATH = [dirname(node), env.PATH].join(delimiter);
  const ownNpm = process.env.npm_execpath ?? '';
  const npm = basename(ownNpm) === 'npm-cli.js' && existsSync(ownNpm) ? [node, ownNpm] : ['npm'];
  const tools = { node: [node], npm, env };
  await requireNpm(tools, join(stateFolder, 'npm-version.log'));
  return tools;
}

/** npm puts node_modules/.bin first on PATH, from where Node would vanish in mid-install. */
function machineEnvironment(root) {
  const inside = join(root, 'node_modules') + sep;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return {
    ...process.env,
    PATH: folders.filter((folder) => !folder.startsWith(inside)).join(delimiter),
  };
}

function machineNode(root, env) {
  const inside = join(root, 'node_modules') + sep;
  const onPath = env.PATH.split(delimiter).map((folder) => join(folder, 'node'));
  const candidates = [process.env.npm_node_execpath, process.execPath, ...onPath];
  const found = candidates.find((path) => path && !path.startsWith(inside) && existsSync(path));
  if (found) return found;
  throw new SetUpError(
    'no Node found outside node_modules to install packages with; install Node 18 or newer.',
  );
}

async function requireNpm({ npm, env }, logPath) {
  const { code, output } = await runStep([...npm, '--version'], {
    name: 'npm',
    logPath,
    env,
    endsWithUs: true,
  });
  if (code !== 0) {
    throw new SetUpError(`npm cannot be run; install npm ${OLDEST_NPM} or newer.`, output);
  }
  if (Number(output.trim().split('.')[0]) < OLDEST_NPM) {
    throw new SetUpError(
      `npm ${output.trim()} is too old; npm ${OLDEST_NPM} or newer is needed: npm install --global npm@${OLDEST_NPM}`,
    );
  }
}
