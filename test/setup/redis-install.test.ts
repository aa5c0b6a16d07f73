import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error plain JavaScript without types
import { aptScript } from '../../src/setup/apt-redis.mjs';
// @ts-expect-error plain JavaScript without types
import { installRedis } from '../../src/setup/redis.mjs';
// @ts-expect-error plain JavaScript without types
import { findRedisServer } from '../../src/setup/redis-server-path.mjs';

const run = promisify(execFile);

let folder: string;
let bin: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twapd-install-'));
  bin = join(folder, 'bin');
  await mkdir(bin);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function program(name: string, script: string): Promise<string> {
  const path = join(bin, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A machine that has only the programs in `bin`; its sudo needs no password. */
async function install(): Promise<void> {
  await program('sudo', 'shift; exec "$@"');
  for (const name of ['true', 'touch', 'chmod', 'cat', 'grep', 'rm', 'dirname']) {
    const found = ['/bin', '/usr/bin'].map((at) => join(at, name)).find(existsSync);
    if (found) await symlink(found, join(bin, name));
  }
  const env = { PATH: bin };
  const progress = { during: (_label: string, work: () => Promise<void>) => work() };
  const findServer = () => findRedisServer(env, []);
  const policyPath = join(folder, 'policy-rc.d');
  await installRedis({ stateFolder: folder, progress, env, findServer, policyPath });
}

const PUT_SERVER =
  'case "$*" in *install*) here=$(dirname "$0"); echo "#!/bin/sh" > "$here/redis-server"; chmod 755 "$here/redis-server";; esac';

test('redis-server is preferred to valkey-server, and only executables count', async () => {
  const env = { PATH: bin };
  expect(findRedisServer(env, [])).toBeUndefined();
  await writeFile(join(bin, 'redis-server'), 'not a program');
  const valkey = await program('valkey-server', '');
  expect(findRedisServer(env, [])).toBe(valkey);
  const redis = await program('redis-server', '');
  expect(findRedisServer(env, [])).toBe(redis);
  expect(findRedisServer({ ...env, TWAPD_REDIS_SERVER: valkey }, [])).toBe(valkey);
  expect(findRedisServer({ ...env, TWAPD_REDIS_SERVER: '/absent' }, [])).toBeUndefined();
});

test('Redis is installed with apt-get, without a prompt', async () => {
  await program('apt-get', `case "$*" in *install*) [ "$2" = -y ] || exit 9;; esac; ${PUT_SERVER}`);
  await install();
  expect(existsSync(join(bin, 'redis-server'))).toBe(true);
});

test('the installation waits for another installation to release the lock', async () => {
  const busy = join(folder, 'busy');
  await writeFile(busy, '');
  await program(
    'apt-get',
    `if [ -e ${busy} ]; then echo "could not get lock" >&2; exit 1; fi; ${PUT_SERVER}`,
  );
  const installing = install();
  await sleep(1000);
  await rm(busy);
  await installing;
  expect(existsSync(join(bin, 'redis-server'))).toBe(true);
});

test('a failing apt-get is reported in one line with the command to run, followed by its output', async () => {
  await program('apt-get', 'echo "no such repository" >&2; exit 4');
  await expect(install()).rejects.toThrow(
    /^apt-get \(exit 4\) could not install a redis-server; run "sudo apt-get install redis-server".*REDIS_URL.*\n.*no such repository/,
  );
});

test('a machine without apt-get reads in the first line what to install', async () => {
  await expect(install()).rejects.toThrow(/^a Redis server is needed: install redis .* or valkey/);
});

test('where nobody may install packages the ways without root follow, as a shell takes them', async () => {
  await expect(install()).rejects.toThrow(
    /REDIS_URL=.* npm start[\s\S]*make -C redis-stable[\s\S]*TWAPD_REDIS_SERVER=/,
  );
});

test.each([
  ['none', undefined],
  ['one left by a killed run of ours', '# placed by twapd while it installs redis-server\n'],
])(
  'on Debian the service is kept from starting and our policy is removed; the policy before: %s',
  async (_, before) => {
    const policy = join(folder, 'policy-rc.d');
    if (before !== undefined) await writeFile(policy, before);
    await program('apt-get', `cat ${policy} >> ${folder}/seen`);
    await program('systemctl', 'exit 0');
    await run('/bin/sh', ['-c', aptScript(policy)], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(await readFile(join(folder, 'seen'), 'utf8')).toContain('exit 101');
    expect(existsSync(policy)).toBe(false);
  },
);

test("on Debian the machine's own policy is left unchanged, and ours is removed if apt-get fails", async () => {
  const policy = join(folder, 'policy-rc.d');
  await writeFile(policy, '#!/bin/sh\nexit 0\n');
  await program('apt-get', 'exit 100');
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  await expect(run('/bin/sh', ['-c', aptScript(policy)], { env })).rejects.toThrow();
  expect(await readFile(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
  await rm(policy);
  await expect(run('/bin/sh', ['-c', aptScript(policy)], { env })).rejects.toThrow();
  expect(existsSync(policy)).toBe(false);
});
