// The client of the bench, in its own process: places orders over one WebSocket of either wire, as many as may be in
// flight or at a given rate, and reports their durations.
import { once } from 'node:events';
import process from 'node:process';
import { WebSocket } from 'ws';
import { type ClientKey, signedHeaders } from '../src/gateway/auth/signed-stamp.ts';

export interface ClientWish {
  /** The order methods at /ws/api, or Deribit's wire. */
  readonly wire: 'rid' | 'deribit';
  readonly port: number;
  readonly key: ClientKey;
  readonly count: number;
  /** Orders a second; 0 means as fast as they are answered. */
  readonly perSecond: number;
}

export interface ClientReport {
  readonly elapsedMs: number;
  readonly roundTripMs: readonly number[];
}

const UNDER_WAY_MAX = 512;
/**
 * Cancels resting orders, so that their number stays realistic for a trading client; a few at a time, because
 * cancelling a hundred at once delays the order behind them, which is not what is measured.
 */
const CANCEL_EVERY = 10;
const PRICES = 200;

process.once('message', (wish: ClientWish) => {
  void place(wish).then((report) => process.send?.(report));
});

interface Wire {
  readonly path: string;
  /** Frames before the first order; the last one requests the mark price. */
  readonly first: (key: ClientKey) => readonly string[];
  readonly mark: RegExp;
  readonly order: (id: number, side: string, price: number) => string;
  readonly cancelAll: string;
  readonly idOf: (text: string) => number;
  readonly isError: (text: string) => boolean;
}

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const WIRES: Readonly<Record<ClientWish['wire'], Wire>> = {
  rid: {
    path: '/ws/api',
    first: () => ['{"rid":0,"method":"public/ticker","params":{"instrumentName":"BTC-PERPETUAL"}}'],
    mark: /"markPrice":"([\d.]+)"/,
    order: (id, side, price) =>
      `{"rid":${id},"method":"private/${side}","params":{"instrumentName":"BTC-PERPETUAL",` +
      `"quantity":"10","price":"${price}","type":"limit","label":"bench-${id}"}}`,
    cancelAll: '{"rid":-1,"method":"private/cancel_all"}',
    idOf: (text) => Number.parseInt(text.slice(7, 20), 10),
    isError: (text) => text.startsWith('"error"', text.indexOf(',') + 1),
  },
  deribit: {
    path: '/ws/api/v2',
    first: ({ keyId, secret }) => [
      call(-2, 'public/auth', {
        grant_type: 'client_credentials',
        client_id: keyId,
        client_secret: secret,
      }),
      call(-3, 'public/ticker', { instrument_name: 'BTC-PERPETUAL' }),
    ],
    mark: /"mark_price":([\d.]+)/,
    order: (id, side, price) =>
      `{"jsonrpc":"2.0","id":${id},"method":"private/${side}","params":{"instrument_name":"BTC-PERPETUAL",` +
      `"amount":10,"price":${price},"type":"limit","label":"bench-${id}"}}`,
    cancelAll: '{"jsonrpc":"2.0","id":-1,"method":"private/cancel_all","params":{}}',
    idOf: (text) => Number(/"id":(-?\d+)/.exec(text)?.[1]),
    isError: (text) => text.includes('"error":{'),
  },
};

async function place(wish: ClientWish): Promise<ClientReport> {
  const wire = WIRES[wish.wire];
  const at = { method: 'GET', target: wire.path, body: Buffer.alloc(0) };
  const socket = new WebSocket(`ws://127.0.0.1:${wish.port}${wire.path}`, {
    ...(wish.wire === 'rid' ? { headers: signedHeaders(wish.key, Date.now(), at) } : {}),
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  const mark = await markPrice(socket, wire, wish.key);
  const sentAt = new Float64Array(wish.count);
  const roundTripMs: number[] = [];
  let sent = 0;
  const send = (): void => {
    const side = sent % 2 === 0 ? 'buy' : 'sell';
    const away = 100 + (sent % PRICES);
    const price = Math.round(mark + (side === 'buy' ? -away : away) * 5);
    sentAt[sent] = performance.now();
    socket.send(wire.order(sent, side, price));
    sent += 1;
    if (sent % CANCEL_EVERY === 0) socket.send(wire.cancelAll);
  };
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    socket.on('close', (code, reason) => reject(new Error(`closed: ${code} ${String(reason)}`)));
    socket.on('message', (raw: Buffer) => {
      const text = raw.toString();
      const id = wire.idOf(text);
      if (wire.isError(text)) reject(new Error(text));
      if (id < 0) return;
      roundTripMs.push(performance.now() - (sentAt[id] ?? 0));
      if (roundTripMs.length === wish.count) resolve();
      else if (wish.perSecond === 0 && sent < wish.count) send();
    });
    if (wish.perSecond === 0) for (let n = 0; n < UNDER_WAY_MAX; n += 1) send();
    else paced(wish, send, () => sent);
  });
  const elapsedMs = performance.now() - from;
  socket.removeAllListeners('close');
  socket.close();
  return { elapsedMs, roundTripMs };
}

/** Evenly spread; orders that a late timer missed are sent at once. */
function paced({ count, perSecond }: ClientWish, send: () => void, sent: () => number): void {
  const from = performance.now();
  const timer = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - from) / 1_000) * perSecond) + 1);
    while (sent() < due) send();
    if (due === count) clearInterval(timer);
  }, 1);
}

async function markPrice(socket: WebSocket, wire: Wire, key: ClientKey): Promise<number> {
  let text = '';
  for (const frame of wire.first(key)) {
    socket.send(frame);
    const [raw] = (await once(socket, 'message')) as [Buffer];
    text = raw.toString();
  }
  const mark = wire.mark.exec(text)?.[1];
  if (mark === undefined) throw new Error(text);
  return Number(mark);
}
