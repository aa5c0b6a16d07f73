// A start, and a restart after a kill, waits for every module that is loaded: each part loads its own and no other's.
import { expect, test } from 'vitest';
import { modulesBehind, packageOf } from './modules-behind.ts';

interface Loaded {
  readonly packages: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

function loadedBy(module: string): Loaded {
  const urls = modulesBehind(module).map(({ url }) => url);
  const folders = urls.map((url) => /\/src\/(\w[\w-]*\/\w[\w-]*)\//.exec(url)?.[1] ?? '');
  return { packages: new Set(urls.map(packageOf)), folders: new Set(folders) };
}

test('an engine loads no server of clients, and only on demand what reads archives, recordings, live venues and sends mail', () => {
  const { packages, folders } = loadedBy('src/main/daemon/engine-process.ts');
  expect(folders).toContain('engine/turns');
  const unneeded = ['fastify', '@bull-board/api', 'hyparquet', 'nodemailer', 'csv-parse'];
  expect(unneeded.filter((name) => packages.has(name))).toEqual([]);
  const foreign = ['gateway/order-api', 'gateway/deribit', 'adapters/deribit'];
  expect(foreign.filter((name) => folders.has(name))).toEqual([]);
});

test('a gateway loads no exchange and nothing that sends orders, and only later the page of the queue and what reads archives', () => {
  const { packages, folders } = loadedBy('src/main/daemon/gateway-process.ts');
  expect(packages).toContain('fastify');
  expect(
    ['bullmq', '@bull-board/api', 'hyparquet', 'nodemailer', 'chokidar'].filter((name) =>
      packages.has(name),
    ),
  ).toEqual([]);
  const foreign = ['adapters/paper', 'adapters/deribit', 'engine/orders', 'exchange/book'];
  expect(foreign.filter((name) => folders.has(name))).toEqual([]);
});

test('the supervisor loads neither part', () => {
  const { packages, folders } = loadedBy('src/main/commands/daemon/start.ts');
  expect(
    ['fastify', 'bullmq', 'ioredis', 'pg', 'pino'].filter((name) => packages.has(name)),
  ).toEqual([]);
  expect([...folders].filter((name) => name.startsWith('engine/'))).toEqual([]);
});
