import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../src/adapters/postgres/private-server/embedded-postgres.ts';
import type { PrivateServer } from '../../../src/adapters/private-server/private-server.ts';
import { specifyPrivateServer } from '../../conformance/private-server.ts';
import { copyClusterTemplate } from '../../support/daemon/cluster-template.ts';
import { isRunning } from '../starter-process.ts';

let folder: string;
let dataDir: string;
let warnings: string[];
const servers: PrivateServer[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'twapd-embedded-')));
  await chmod(folder, 0o755);
  dataDir = join(folder, 'ledger');
  warnings = [];
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<PrivateServer> {
  const log = { info: () => undefined, warn: (message: string) => warnings.push(message) };
  const server = await startEmbeddedPostgres({ dataDir, log, ...options });
  servers.push(server);
  return server;
}

/** Replaces a first start, for tests of later ones. */
const cluster = (): void => copyClusterTemplate(dataDir);

async function query(server: PrivateServer, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.address });
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

specifyPrivateServer({
  module: 'postgres/private-server/embedded-postgres.ts',
  function: 'startEmbeddedPostgres',
  dataDir: () => dataDir,
  prepare: cluster,
  start: (where) => start({ dataDir: where }),
  warnings: () => warnings,
  query: (server) => query(server, 'SELECT 1'),
});

test('the embedded server is durable, listens on no network and serves the database twapd', async () => {
  const server = await start();
  expect(server.reused).toBe(false);
  expect(await query(server, 'SHOW fsync')).toEqual(['on']);
  expect(await query(server, 'SHOW synchronous_commit')).toEqual(['on']);
  expect(await query(server, 'SHOW listen_addresses')).toEqual(['']);
  expect(await query(server, 'SHOW unix_socket_permissions')).toEqual(['0700']);
  expect(await query(server, 'SELECT current_database()')).toEqual(['twapd']);
});

test('given settings override the built-in ones, except where the server listens', async () => {
  cluster();
  const settings = { work_mem: '8MB', listen_addresses: '*' };
  const server = await start({ settings });
  expect(await query(server, 'SHOW work_mem')).toEqual(['8MB']);
  expect(await query(server, 'SHOW listen_addresses')).toEqual(['']);
});

test('commits survive an orderly stop and a kill', async () => {
  cluster();
  const first = await start();
  await query(first, 'CREATE TABLE fills (n int)');
  await query(first, 'INSERT INTO fills VALUES (1)');
  await first.stop();
  expect(isRunning(first.pid)).toBe(false);
  const second = await start();
  await query(second, 'INSERT INTO fills VALUES (2)');
  process.kill(second.pid, 'SIGKILL');
  const third = await start();
  expect(third.reused).toBe(false);
  expect(await query(third, 'SELECT n FROM fills ORDER BY n')).toEqual([1, 2]);
});

test('a start waits for the last processes of a killed server', async () => {
  cluster();
  const killed = await start();
  const busy = new Client({ connectionString: killed.address });
  busy.on('error', () => undefined);
  await busy.connect();
  const cut = expect(busy.query('SELECT pg_sleep(1)')).rejects.toThrow();
  process.kill(killed.pid, 'SIGKILL');
  expect(await query(await start(), 'SELECT 1')).toEqual([1]);
  await cut;
});

test('a pid file whose process id another process now has is replaced', async () => {
  cluster();
  const first = await start();
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  const written = await readFile(pidFile, 'utf8');
  await first.stop();
  await writeFile(pidFile, written.replace(/^\d+/, String(process.pid)));
  const second = await start();
  expect(second.reused).toBe(false);
  expect(await query(second, 'SELECT 1')).toEqual([1]);
});

test.each([
  ['of a process that is gone', '999999999\n'],
  ['a crash left empty', ''],
])('a pid file %s is replaced', async (_, text) => {
  cluster();
  await (await start()).stop();
  await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), text);
  expect(await query(await start(), 'SELECT 1')).toEqual([1]);
});

test('a cluster whose first creation was killed half way is created again', async () => {
  await mkdir(join(dataDir, 'cluster.new-999999999-aBcDeF', 'base'), { recursive: true });
  expect(await query(await start(), 'SELECT 1')).toEqual([1]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('cluster'))).toEqual([
    'cluster',
  ]);
});

test('the server works below a folder that is closed to every other user', async () => {
  await chmod(folder, 0o700);
  const first = await start();
  await query(first, 'CREATE TABLE fills (n int)');
  await first.stop();
  expect(await query(await start(), 'SELECT count(*)::int FROM fills')).toEqual([0]);
});

test('the server stops immediately despite open connections', async () => {
  cluster();
  const server = await start();
  const open = new Client({ connectionString: server.address });
  const errors: Error[] = [];
  open.on('error', (error) => errors.push(error));
  await open.connect();
  await server.stop();
  expect(isRunning(server.pid)).toBe(false);
  await open.end();
  expect(String(errors[0])).toContain('terminating connection');
});

test('a cluster of another major version is refused with both versions named', async () => {
  cluster();
  const first = await start();
  await first.stop();
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow(/made by PostgreSQL 15, the programs here are 18/);
});

test('a server that does not start is reported with its own message', async () => {
  cluster();
  const settings = { shared_buffers: 'plenty' };
  await expect(start({ settings })).rejects.toThrow(/invalid value for parameter "shared_buffers"/);
});
