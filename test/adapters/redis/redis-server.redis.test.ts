import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PrivateServer } from '../../../src/adapters/private-server/private-server.ts';
import {
  type RedisServerOptions,
  startRedisServer,
} from '../../../src/adapters/redis/redis-server.ts';
import { specifyPrivateServer } from '../../conformance/private-server.ts';
import { isRunning } from '../starter-process.ts';

let folder: string;
let warnings: string[];
const servers: PrivateServer[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'twapd-redis-server-')));
  warnings = [];
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<RedisServerOptions> = {}): Promise<PrivateServer> {
  const log = { info: () => undefined, warn: (message: string) => warnings.push(message) };
  const server = await startRedisServer({ dataDir: folder, log, ...options });
  servers.push(server);
  return server;
}

async function onServer<T>(
  server: PrivateServer,
  question: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis(server.address);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

async function setting(server: PrivateServer, name: string): Promise<unknown> {
  const reply = await onServer(server, (redis) => redis.call('CONFIG', 'GET', name));
  return Array.isArray(reply) ? reply.at(-1) : Object.values(Object(reply))[0];
}

specifyPrivateServer({
  module: 'redis/redis-server.ts',
  function: 'startRedisServer',
  dataDir: () => folder,
  prepare: () => undefined,
  start: (dataDir) => start({ dataDir }),
  warnings: () => warnings,
  query: (server) => onServer(server, (redis) => redis.ping()),
});

test('the private Redis listens on a socket only, evicts nothing and appends every write', async () => {
  const server = await start();
  expect(server.reused).toBe(false);
  expect(await setting(server, 'port')).toBe('0');
  expect(await setting(server, 'hz')).toBe('100');
  expect(await setting(server, 'maxmemory-policy')).toBe('noeviction');
  expect(await setting(server, 'appendonly')).toBe('yes');
  expect(await setting(server, 'appendfsync')).toBe('everysec');
  expect(await setting(server, 'dir')).toBe(folder);
});

test('written data survives an orderly stop and a kill', async () => {
  const first = await start({ persistence: 'always' });
  await onServer(first, (redis) => redis.set('written', 'before stop'));
  await first.stop();
  expect(isRunning(first.pid)).toBe(false);
  const second = await start({ persistence: 'always' });
  expect(await onServer(second, (redis) => redis.get('written'))).toBe('before stop');
  await onServer(second, (redis) => redis.set('written', 'before kill'));
  process.kill(second.pid, 'SIGKILL');
  const third = await start({ persistence: 'always' });
  expect(third.reused).toBe(false);
  expect(await onServer(third, (redis) => redis.get('written'))).toBe('before kill');
});

test('a server that was left running gets the newly requested settings', async () => {
  await start();
  const server = await start({ persistence: 'always' });
  expect(server.reused).toBe(true);
  expect(await setting(server, 'appendfsync')).toBe('always');
});

test('a record whose process id another process now has is replaced', async () => {
  const first = await start();
  const record = await readFile(join(folder, 'redis-server.json'), 'utf8');
  await first.stop();
  const stale = { ...JSON.parse(record), pid: process.pid };
  await writeFile(join(folder, 'redis-server.json'), JSON.stringify(stale));
  const second = await start();
  expect(second.reused).toBe(false);
  expect(second.pid).not.toBe(process.pid);
});

test('an unreadable record is replaced with a warning', async () => {
  await writeFile(join(folder, 'redis-server.json'), '{"pid":');
  expect((await start()).reused).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('is not a server record')]);
});

test('a start lock left by a dead process is replaced', async () => {
  await writeFile(join(folder, 'redis-server.starting'), `${process.pid} of an earlier life`);
  expect((await start()).reused).toBe(false);
});

test('a server that no longer answers is replaced', async () => {
  const wedged = await start();
  process.kill(wedged.pid, 'SIGSTOP');
  const server = await start();
  expect(server.reused).toBe(false);
  expect(isRunning(wedged.pid)).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('does not answer')]);
});

test('the original server is unaffected if its folder is copied, including the record', async () => {
  const original = await start();
  const copy = join(folder, 'copy');
  await cp(join(folder, 'redis-server.json'), join(copy, 'redis-server.json'));
  const second = await start({ dataDir: copy });
  expect(second.reused).toBe(false);
  await second.stop();
  expect(await onServer(original, (redis) => redis.ping())).toBe('PONG');
});

test("a server that does not start is reported with the program's own message", async () => {
  await expect(start({ program: '/bin/false' })).rejects.toThrow(
    /false did not come up: it ended with exit code 1/,
  );
  await expect(start({ program: join(folder, 'absent') })).rejects.toThrow(/ENOENT/);
});
