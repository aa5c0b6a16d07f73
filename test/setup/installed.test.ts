// The command of an installed package, in a small stand-in for its folder: the files that `npm pack` takes, an entry that reports
// how it was run, and Node alongside it as npm places it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENTRY, type Finished, finished } from './fake-clone.ts';

/** An older Node than the code can run on, as far as it tells. */
const OLD_NODE = `#!/bin/sh
exec ${process.execPath} --import='data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})' "$@"
`;

let prefix: string;
let old: string;

beforeEach(() => {
  prefix = mkdtempSync(join(tmpdir(), 'twapd prefix-'));
  const place = join(prefix, 'node_modules/twapd');
  const { files, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly files: readonly string[];
    readonly bin: Readonly<Record<string, string>>;
  };
  for (const file of files.filter((one) => one.startsWith('src/'))) {
    cpSync(file, join(place, file));
  }
  cpSync('package.json', join(place, 'package.json'));
  put(join(place, 'dist/main/cli.js'), ENTRY);
  mkdirSync(join(prefix, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(prefix, 'node_modules/node/bin/node'));
  mkdirSync(join(prefix, 'node_modules/.bin'));
  symlinkSync(`../twapd/${bin['twapd']}`, join(prefix, 'node_modules/.bin/twapd'));
  old = join(prefix, 'old');
  put(join(old, 'node'), OLD_NODE);
  chmodSync(join(old, 'node'), 0o755);
});

afterEach(() => rmSync(prefix, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function twapd(words: readonly string[], path = `${old}:${process.env['PATH']}`): ChildProcess {
  return spawn(join(prefix, 'node_modules/.bin/twapd'), words, {
    cwd: tmpdir(),
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const outcome = (words: readonly string[], path?: string): Promise<Finished> =>
  finished(twapd(words, path));

/** A folder for PATH with nothing but what the script needs. */
function bareFolder(): string {
  const bare = join(prefix, 'bare');
  mkdirSync(bare);
  symlinkSync('/bin/sh', join(bare, 'sh'));
  symlinkSync('/usr/bin/readlink', join(bare, 'readlink'));
  return bare;
}

/** Signals the command once its entry runs. */
async function signalled(
  signal: NodeJS.Signals,
): Promise<Finished & { readonly entryPid: number }> {
  const run = twapd(['wait']);
  const end = finished(run);
  const [line] = run.stdout ? ((await once(run.stdout, 'data')) as [Buffer]) : [];
  const { pid } = JSON.parse(String(line)) as { readonly pid: number };
  expect(pid).toBe(run.pid);
  run.kill(signal);
  return { ...(await end), entryPid: pid };
}

test('the command runs under the Node beside the package although an older one is on PATH', async () => {
  const { code, stdout, stderr } = await outcome(['list', "a  'b'", '']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    args: ['list', "a  'b'", ''],
    major: 24,
    proto: false,
  });
});

test('the command needs no Node on PATH', async () => {
  expect(await outcome(['list'], bareFolder())).toMatchObject({ code: 0 });
});

test('a Node inside the package is preferred to one beside it', async () => {
  const beside = join(prefix, 'node_modules/node/bin/node');
  rmSync(beside);
  put(beside, '#!/bin/sh\nexit 9\n');
  chmodSync(beside, 0o755);
  const inside = join(prefix, 'node_modules/twapd/node_modules/node/bin');
  mkdirSync(inside, { recursive: true });
  symlinkSync(process.execPath, join(inside, 'node'));
  expect(await outcome(['list'])).toMatchObject({ code: 0 });
});

test('the exit code is that of the program', async () => {
  expect(await outcome(['exit', '3'])).toMatchObject({ code: 3 });
});

test('the command becomes the program, so that every signal reaches it, SIGKILL as well', async () => {
  expect(await signalled('SIGTERM')).toMatchObject({ code: 7 });
  expect(await signalled('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
});

test('a Node on PATH serves where the package has none, if it is new enough', async () => {
  rmSync(join(prefix, 'node_modules/node'), { recursive: true });
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  expect(await outcome(['list'], path)).toMatchObject({ code: 0, stderr: '' });
  const refused = await outcome(['list']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^twapd: Node 20\.20\.2 is too old.*accepted: .*install-scripts approve node.*\n$/,
  );
});

test('without any Node the message says how to get one', async () => {
  rmSync(join(prefix, 'node_modules/node'), { recursive: true });
  const refused = await outcome(['list'], bareFolder());
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^twapd: the Node 24 .* is missing; accepted: .*install-scripts approve node.*\n$/,
  );
});
