// A small stand-in for a fresh clone: the real set-up scripts, an entry that reports how it was run, and an
// npm that "installs" one package, so that the set-up's own behaviour can be tested without a network.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../../src/setup', import.meta.url));

/** Reports how it was run, then does what its first word says. */
export const ENTRY = `
  const [how, what] = process.argv.slice(2);
  if (how === 'wait') process.on('SIGTERM', () => process.exit(7)).on('SIGUSR2', () => process.exit(8));
  console.log(JSON.stringify({ pid: process.pid, args: process.argv.slice(2), major: Number(process.versions.node.split('.')[0]),
    proto: '__proto__' in Object.prototype }));
  if (how === 'exit') process.exit(Number(what));
  if (how === 'wait') setInterval(() => undefined, 1000);
`;

/** Obeys FAKE_NPM: a version to claim, or a way to misbehave. Records every \`ci\` in ci.log. */
const NPM = `
  const { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
  const { join } = require('node:path');
  const [command] = process.argv.slice(2);
  const mood = process.env.FAKE_NPM ?? '';
  if (command === '--version') {
    console.log(mood === 'old' ? '9.8.1' : '10.9.0');
  } else if (command === 'ci') {
    const root = process.cwd();
    appendFileSync(join(root, 'ci.log'), 'ci\\n');
    if (mood === 'broken') {
      console.error('npm error network request failed');
      process.exit(3);
    }
    rmSync(join(root, 'node_modules'), { recursive: true, force: true });
    mkdirSync(join(root, 'node_modules/node'), { recursive: true });
    const finish = () => {
      mkdirSync(join(root, 'node_modules/other'));
      for (const name of ['node', 'other']) writeFileSync(join(root, 'node_modules', name, 'package.json'), '{}');
      writeFileSync(join(root, 'node_modules/.package-lock.json'), process.env.FAKE_LOCK);
    };
    setTimeout(finish, mood === 'slow' ? 60000 : 300);
  } else if (command === 'install') {
    const [carrier] = process.argv.at(-1).split('@');
    const bin = join(process.argv.at(-2), 'node_modules', carrier, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.env.FAKE_NODE, join(bin, 'node'));
  }
`;

/** A lock file that requires the Node the tests run on, and one other package. */
export function lockOf(version: string): string {
  const node = { version: process.versions.node };
  return JSON.stringify({
    packages: {
      '': {},
      'node_modules/node': node,
      'node_modules/other': { version },
    },
  });
}

const LOCK = lockOf('1.0.0');

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function makeFakeClone(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'twapd-clone-')));
  await mkdir(join(root, 'src'), { recursive: true });
  await cp(SETUP, join(root, 'src/setup'), { recursive: true });
  await writeFile(join(root, 'package-lock.json'), LOCK);
  await writeFile(join(root, 'entry.mjs'), ENTRY);
  await writeFile(join(root, 'npm-cli.js'), NPM);
  return root;
}

/** Starts `node src/setup/run.mjs <words>` in the clone. */
export const runSetUp = (
  root: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess => runInClone(root, [process.execPath, 'src/setup/run.mjs', ...words], env);

/** Starts a script of a package.json in the clone as npm does: by a shell, to which npm passes on its signals. */
export const runScript = (root: string, script: string): ChildProcess =>
  runInClone(root, ['sh', '-c', script]);

export function runInClone(
  root: string,
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(program, words, {
    cwd: root,
    env: {
      ...process.env,
      REDIS_URL: 'redis://127.0.0.1:1',
      npm_execpath: join(root, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      FAKE_NODE: process.execPath,
      FAKE_LOCK: LOCK,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

/** How often npm was called to install. */
export async function installations(root: string): Promise<number> {
  return (await readFile(join(root, 'ci.log'), 'utf8').catch(() => '')).split('ci').length - 1;
}
