// A start meets a database that is away for a moment.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../../../src/adapters/postgres/migrate.ts';
import { openPostgresLedger } from '../../../../src/adapters/postgres/postgres-ledger.ts';
import { faultText } from '../../../../src/adapters/postgres/query-fault.ts';
import { createDatabase } from '../../../support/daemon/services.ts';
import { openPostgresProxy } from '../postgres-proxy.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('a start waits while the database refuses connections, and opens the ledger once it accepts them', async () => {
  const { connectionString, drop } = await createDatabase();
  closers.push(drop);
  const proxy = await openPostgresProxy(connectionString);
  closers.push(() => proxy.close());
  proxy.set('refuse');
  const away: [string, number][] = [];
  const ledger = await openPostgresLedger({
    connectionString: proxy.connectionString,
    onAway: (error, pauseMs) => {
      away.push([faultText(error), pauseMs]);
      if (away.length === 2) proxy.set('pass');
    },
  });
  closers.push(() => ledger.close());
  await ledger.setMetadata('a', 'b');
  expect(await ledger.getMetadata('a')).toBe('b');
  expect(away.map(([, pauseMs]) => pauseMs)).toEqual([250, 500]);
});

test('a start does not wait for a database that will not let it in', async () => {
  const { connectionString, drop } = await createDatabase();
  closers.push(drop);
  const away: unknown[] = [];
  const elsewhere = new URL(connectionString.replace('@/', '@placeholder/'));
  elsewhere.pathname = '/not_there';
  const opening = openPostgresLedger({
    connectionString: elsewhere.href.replace('@placeholder/', '@/'),
    onAway: (error) => away.push(error),
  });
  await expect(opening).rejects.toThrow(/not_there/);
  expect(away).toEqual([]);
});

test('a database that accepts a connection and says nothing is given up', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(migrate(`postgres://twapd@127.0.0.1:${port}/twapd`, [], 50)).rejects.toThrow(
    /timeout/,
  );
});

test('an error about several connections tells the cause of each', () => {
  const each = [
    new Error('connect ECONNREFUSED ::1:5432'),
    new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  ];
  expect(faultText(new AggregateError(each))).toBe(
    'AggregateError: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
  );
});
