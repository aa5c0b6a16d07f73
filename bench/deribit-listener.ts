// The subscribers of the bench of Deribit's wire, in their own process: many connections that receive one book and only
// parse frame headers, and one that trades so that the book changes at the given rate.
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ClientKey } from '../src/gateway/auth/signed-stamp.ts';
import { bareListener } from './bare-listener.ts';

export interface BookWish {
  readonly port: number;
  readonly key: ClientKey;
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface BookReport {
  /** Of all connections together. */
  readonly received: number;
  /** Those that one connection received at most. */
  readonly updates: number;
  readonly delaysMs: readonly number[];
}

const PATH = '/ws/api/v2';
const INSTRUMENT = 'BTC-PERPETUAL';
const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const SUBSCRIBE = call(1, 'public/subscribe', { channels: [`book.${INSTRUMENT}.100ms`] });
const CHANGE = Buffer.from('"type":"change"');
const TIMESTAMP = Buffer.from('"timestamp":');
/** The answer to the subscription, then the snapshot. */
const NOT_CHANGES = 2;
/** One frame in this many is measured: reading them all would measure this process. */
const MEASURED_OF = 97;

process.once('message', (wish: BookWish) => void follow(wish));

async function follow(wish: BookWish): Promise<void> {
  const { port, connections, perSecond, seconds } = wish;
  const trader = await loggedIn(wish);
  const frames = new Uint32Array(connections);
  const delaysMs: number[] = [];
  const changes = new Uint32Array(connections);
  /** From then on every connection has its snapshot. */
  let isListening = false;
  let received = 0;
  const receiver = (index: number) => (frame: Buffer) => {
    const known = frames[index] ?? 0;
    frames[index] = known + 1;
    if (known < NOT_CHANGES || !isListening) return;
    received += 1;
    changes[index] = (changes[index] ?? 0) + 1;
    if (received % MEASURED_OF !== 0) return;
    if (!frame.includes(CHANGE)) throw new Error(`no change: ${frame.toString()}`);
    const at = frame.indexOf(TIMESTAMP) + TIMESTAMP.length;
    delaysMs.push(Date.now() - Number(frame.toString('latin1', at, at + 13)));
  };
  const sockets = Array.from({ length: connections }, (_, index) =>
    bareListener({ port, path: PATH, first: [SUBSCRIBE], receive: receiver(index) }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  while (frames.some((count) => count < NOT_CHANGES)) await sleep(50);
  isListening = true;
  process.send?.('listening');
  for (let update = 0; update < seconds * perSecond; update += 1) {
    await trader(update);
    await sleep(1_000 / perSecond);
  }
  await sleep(1_000);
  const updates = changes.reduce((most, count) => Math.max(most, count), 0);
  process.send?.({ received, updates, delaysMs } satisfies BookReport);
}

/** Each call changes the book: an order is placed, or all are cancelled. */
async function loggedIn({ port, key }: BookWish): Promise<(update: number) => Promise<void>> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${PATH}`, { perMessageDeflate: false });
  await once(socket, 'open');
  const request = async (method: string, params: object): Promise<string> => {
    socket.send(call(1, method, params));
    const [raw] = (await once(socket, 'message')) as [Buffer];
    const text = raw.toString();
    if (text.includes('"error":{')) throw new Error(text);
    return text;
  };
  await request('public/auth', {
    grant_type: 'client_credentials',
    client_id: key.keyId,
    client_secret: key.secret,
  });
  const ticker = await request('public/ticker', { instrument_name: INSTRUMENT });
  const price = Math.round(Number(/"mark_price":([\d.]+)/.exec(ticker)?.[1]) * 0.99);
  return async (update) => {
    const order = { instrument_name: INSTRUMENT, amount: 10, price, type: 'limit' };
    if (update % 2 === 0) await request('private/buy', order);
    else await request('private/cancel_all', {});
  };
}
