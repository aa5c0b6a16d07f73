import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { LinkPeers } from '../../../src/adapters/engine-link/link-peers.ts';
import { type LinkServer, openLinkServer } from '../../../src/adapters/engine-link/link-server.ts';
import { openLink } from '../../../src/adapters/engine-link/open-link.ts';
import {
  UNPROVEN_BYTES_MAX,
  UNPROVEN_MAX,
} from '../../../src/adapters/engine-link/unproven-connections.ts';
import {
  type AnswerCall,
  type AnswerFollow,
  PeerUnreached,
} from '../../../src/ports/deployment/engine-peers.ts';
import { enginePeersConformance } from '../../conformance/deployment/engine-peers.ts';
import { until } from '../until.ts';

const SECRET = 'the secret of this deployment';
const opened: { close(): Promise<void> }[] = [];
const faults: unknown[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  faults.length = 0;
});

async function serve(
  answer: AnswerCall,
  { secret = SECRET, notify }: { secret?: string; notify?: AnswerFollow | undefined } = {},
): Promise<LinkServer> {
  const onFault = (error: unknown): void => void faults.push(error);
  const server = await openLinkServer({
    host: '127.0.0.1',
    port: 0,
    secret,
    answer,
    notify,
    onFault,
  });
  opened.push(server);
  return server;
}

function linkPeers(secret = SECRET): LinkPeers {
  const peers = new LinkPeers({
    secret,
    onFault: () => undefined,
    openMs: 60_000,
    answerMs: 60_000,
  });
  opened.push(peers);
  return peers;
}

describe('LinkPeers', () => {
  enginePeersConformance(() => {
    const servers = new Map<string, LinkServer>();
    return Promise.resolve({
      peers: linkPeers(),
      open: async (answer, notify) => {
        const server = await serve(answer, { notify });
        servers.set(server.address, server);
        return server.address;
      },
      end: async (address) => await servers.get(address)?.close(),
    });
  });
});

/** Sends the messages one after the other, each after an answer or at once, until the connection is closed. */
async function stranger(address: string, messages: readonly string[]): Promise<readonly string[]> {
  const socket = new WebSocket(address);
  const heard: string[] = [];
  socket.on('message', (message) => heard.push(String(message)));
  socket.once('open', () => {
    for (const message of messages) socket.send(message);
  });
  await new Promise((done) => socket.once('close', done));
  return heard;
}

const CALL = 'C1\norders.place\n\n[]';
const HELLO = JSON.stringify({ challenge: 'c', as: 'engine', protocol: 3 });

test.each([
  ['a call', [CALL], 0],
  ['a call after the greeting', [HELLO, CALL], 1],
  ['a proof of another secret', [HELLO, JSON.stringify({ proof: 'x'.repeat(43) })], 1],
  ['no JSON', ['{'], 0],
])('a stranger who sends %s is cut off, and nothing is called', async (_, messages, greetings) => {
  const calls: string[] = [];
  const server = await serve(({ method }) => Promise.resolve(String(calls.push(method))));
  expect(await stranger(server.address, messages)).toHaveLength(greetings);
  expect(calls).toEqual([]);
});

test('a stranger who says nothing is cut off', async () => {
  const server = await serve(() => Promise.resolve(''));
  expect(await stranger(server.address, [])).toEqual([]);
});

test('a greeting that waits because the engine is busy is answered', async () => {
  const { address } = await serve(() => Promise.resolve(''));
  const socket = new WebSocket(address);
  const greeting = new Promise((done, failed) => {
    socket.once('message', done);
    socket.once('close', () => failed(new Error('cut off')));
  });
  await new Promise((done) => socket.once('open', done));
  socket.send(HELLO);
  const until = performance.now() + 5_500;
  while (performance.now() < until);
  await greeting;
  socket.terminate();
});

test('an engine of another deployment refuses a call, which was not made', async () => {
  const calls: string[] = [];
  const { address } = await serve(({ method }) => Promise.resolve(String(calls.push(method))));
  const call = linkPeers('another secret').call(address, { method: 'orders.place', text: '[]' });
  await expect(call).rejects.toThrow(PeerUnreached);
  await expect(call).rejects.toThrow(/secret of this deployment/);
  expect(calls).toEqual([]);
});

test('an engine answers an engine of another deployment with a proof that only its own secret gives', async () => {
  const impostor = await serve(() => Promise.resolve('impostor'), {
    secret: 'the secret of an impostor',
  });
  const call = linkPeers().call(impostor.address, { method: 'orders.place', text: '["secret"]' });
  await expect(call).rejects.toThrow(PeerUnreached);
  expect(faults).toEqual([]);
});

test('what passes before the first call does not contain the secret, and is never the same', async () => {
  const { address } = await serve(() => Promise.resolve(''));
  const greetings = await Promise.all([1, 2].map(() => stranger(address, [HELLO, CALL])));
  const [one, other] = greetings.map(([greeting]) => greeting);
  expect(one).not.toBe(other);
  expect(one).not.toContain(SECRET);
});

test('an engine that requests a link cuts off a stranger who answers with more than a greeting', async () => {
  const impostor = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  opened.push({ close: () => new Promise((done) => impostor.close(() => done())) });
  await once(impostor, 'listening');
  impostor.on('connection', (socket) => {
    socket.on('error', () => undefined);
    // The message never ends: only the bound on its bytes ends the greeting.
    socket.send(Buffer.alloc(UNPROVEN_BYTES_MAX), { fin: false });
  });
  const { port } = impostor.address() as AddressInfo;
  const link = openLink(`ws://127.0.0.1:${port}`, {
    secret: SECRET,
    as: 'engine',
    onFault: () => undefined,
    openMs: 2 ** 30,
    pingMs: 60_000,
  });
  await expect(link).rejects.toThrow(PeerUnreached);
});

test('a stranger that sends more than a greeting needs is cut off before its message is complete', async () => {
  const server = await serve(() => Promise.resolve('""'));
  const limits = { maxPayload: 8 * 1024 * 1024 };
  // A frame that never ends is not waited for.
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  socket.on('error', () => undefined);
  socket.write(
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const head = Buffer.alloc(14);
  head.writeUInt16BE(0x827f, 0);
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(limits.maxPayload), 2);
  socket.once('data', () => {
    socket.write(head);
    socket.write(Buffer.alloc(UNPROVEN_BYTES_MAX));
  });
  await closed;
  expect(socket.bytesWritten).toBeLessThan(limits.maxPayload);
});

const PLACE = { method: 'orders.place', text: '[]' };

test('strangers displace each other, and neither engines that are linked nor one that comes', async () => {
  const server = await serve(() => Promise.resolve('"answered"'));
  const peers = linkPeers();
  expect(await peers.call(server.address, PLACE)).toBe('"answered"');
  const port = Number(new URL(server.address).port);
  let ended = 0;
  const strangers = Array.from({ length: UNPROVEN_MAX + 40 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('close', () => {
      ended += 1;
    });
    return socket;
  });
  await until(() => ended >= 40);
  expect(ended).toBe(40);
  const another = linkPeers();
  expect(await another.call(server.address, PLACE)).toBe('"answered"');
  expect(await peers.call(server.address, PLACE)).toBe('"answered"');
  for (const one of strangers) one.destroy();
});

test('what is no link is answered and closed', async () => {
  const server = await serve(() => Promise.resolve('""'));
  const { status } = await fetch(server.address.replace('ws:', 'http:'));
  expect(status).toBe(426);
});
