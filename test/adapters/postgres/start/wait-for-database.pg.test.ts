// A start meets a database that is away for a moment.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ServerSilent, whileAnswering } from '../../../../src/adapters/postgres/hung-server.ts';
import { migrate } from '../../../../src/adapters/postgres/migrate.ts';
import { openPostgresLedger } from '../../../../src/adapters/postgres/postgres-ledger.ts';
import { faultText } from '../../../../src/adapters/postgres/query-fault.ts';
import { whenThere } from '../../../../src/adapters/postgres/wait-for-database.ts';
import { must } from '../../../../src/values/assert.ts';
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

/** AuthenticationOk and ReadyForQuery. */
const LET_IN = Buffer.from('5200000008000000005a0000000549', 'hex');

/** A server of PostgreSQL's protocol that lets every connection in, answers `answered` of them, and then says nothing. */
async function suspended(answered: number): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (sockets.push(socket) > answered) return;
    socket.once('data', () => socket.write(LET_IN));
  }).listen(0, '127.0.0.1');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `postgres://twapd@127.0.0.1:${port}/twapd`;
}

/** What a start says of a server that lets it in and then falls silent. A machine too slow to be let in in time gets twice as long. */
async function letIn(withinMs = 50): Promise<unknown> {
  const address = await suspended(1);
  try {
    return await migrate(address, [], withinMs);
  } catch (error) {
    if (error instanceof ServerSilent) return error;
    expect(faultText(error)).toBe('timeout expired');
    return await letIn(2 * withinMs);
  }
}

test('a database that falls silent after it has let a start in is given up', async () => {
  expect(faultText(await letIn())).toBe(
    'the server does not answer a statement, nor a new connection (timeout expired)',
  );
});

test('a start waits for a database that falls silent after it has let the start in', async () => {
  const silent = await letIn();
  const away: (readonly [unknown, number])[] = [];
  const answers = [() => Promise.reject(silent), () => Promise.resolve('open')];
  const open = (): Promise<unknown> => must(answers.shift(), 'there is another answer')();
  expect(await whenThere(open, (error, pauseMs) => away.push([error, pauseMs]))).toBe('open');
  expect(away).toEqual([[silent, 250]]);
});

test('a statement that takes long is waited for while the server answers others', async () => {
  const statement = Promise.withResolvers<string>();
  let probes = 0;
  const probe = (): Promise<void> => {
    probes += 1;
    if (probes === 3) statement.resolve('done');
    return Promise.resolve();
  };
  expect(await whileAnswering(statement.promise, { probe, everyMs: 1 })).toBe('done');
});

test('a host name without an address is waited for, and named as the reason', async () => {
  const tries: string[] = [];
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), {
    code: 'ENOTFOUND',
    hostname: 'db.example',
  });
  const answers = [() => Promise.reject(unknown), () => Promise.resolve('open')];
  const open = (): Promise<string> => must(answers.shift(), 'there is another answer')();
  expect(await whenThere(open, (error) => tries.push(faultText(error)))).toBe('open');
  expect(tries).toEqual([
    'the host name db.example cannot be resolved to an address: getaddrinfo ENOTFOUND db.example',
  ]);
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
