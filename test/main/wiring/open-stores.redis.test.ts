// A start meets a Redis that is away, silent or shut to it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { checkRedis } from '../../../src/adapters/bullmq/check-redis.ts';
import type { Config } from '../../../src/main/config/config.ts';
import { Secret } from '../../../src/main/config/secrets/secret.ts';
import type { DataDir } from '../../../src/main/data-dir.ts';
import { openStores, StoreUnfit } from '../../../src/main/wiring/open-stores.ts';
import { redisUrl } from '../../support/daemon/services.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function serverOf(onConnection: (socket: Socket) => void, port = 0): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Carries to the Redis of the run. */
function carry(socket: Socket): void {
  const far = connect(redisUrl());
  sockets.push(far);
  far.on('error', () => undefined);
  socket.pipe(far).pipe(socket);
}

/** Answers each command with the error. */
const sayEach =
  (error: string) =>
  (socket: Socket): void => {
    socket.on('data', (bytes) => {
      const commands = bytes.toString('latin1').match(/^\*\d+\r$/gm) ?? [];
      socket.write(`-${error}\r\n`.repeat(commands.length));
    });
  };
const SHUT = sayEach('NOAUTH Authentication required.');

const opened = (url: string, warn: (line: string) => void) =>
  openStores({
    config: {
      redis: { url: new Secret(url) },
      database: { url: new Secret('postgres://unused') },
    } as unknown as Config,
    dataDir: {} as DataDir,
    log: { info: () => undefined, warn },
    onLost: () => undefined,
  });

test('a start waits for a Redis that refuses connections, with growing pauses and a line each', async () => {
  const port = await serverOf(() => undefined);
  servers.splice(0)[0]?.close();
  const lines: string[] = [];
  const stores = await opened(`redis://127.0.0.1:${port}`, (line) => {
    lines.push(line);
    if (lines.length === 2) void serverOf(carry, port);
  });
  expect(stores.redisUrl).toBe(`redis://127.0.0.1:${port}`);
  const away = lines.filter((line) => line.includes('no answer'));
  const refused = `no answer from the Redis at redis://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(away.slice(0, 2)).toEqual([
    `${refused}; it is tried again in 0.25 s`,
    `${refused}; it is tried again in 0.5 s`,
  ]);
});

test.each<[string, (socket: Socket) => void, string]>([
  ['accepts and says nothing', () => undefined, 'unreachable'],
  ['ends each connection', (socket) => socket.end(), 'unreachable'],
  [
    'still loads its data',
    sayEach('LOADING Redis is loading the dataset in memory'),
    'unreachable',
  ],
  [
    'has no place for another client',
    (socket) => socket.end('-ERR max number of clients reached\r\n'),
    'unreachable',
  ],
  ['wants another password', SHUT, 'refused'],
])('a Redis that %s is tried again only if another try may succeed', async (_how, answer, kind) => {
  const port = await serverOf(answer);
  const faults = await checkRedis(`redis://127.0.0.1:${port}`, 200);
  expect(faults.map((one) => one.kind)).toEqual([kind]);
});

test('a Redis whose host name has no address may get one, and says so', async () => {
  const [fault] = await checkRedis('redis://no-such-host.invalid:6379');
  expect(fault?.kind).toBe('unreachable');
  expect(fault?.text).toContain('the host name no-such-host.invalid cannot be resolved');
});

test('a start ends with a Redis that will not let it in', async () => {
  const port = await serverOf(SHUT);
  const lines: string[] = [];
  await expect(opened(`redis://127.0.0.1:${port}`, (line) => lines.push(line))).rejects.toThrow(
    StoreUnfit,
  );
  expect(lines).toEqual([]);
});
