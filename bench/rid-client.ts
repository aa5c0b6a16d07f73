// The client of the bench, in its own process: places orders over one WebSocket, as many as may be in flight
// or at a given rate, and reports their durations.
import { once } from 'node:events';
import process from 'node:process';
import { WebSocket } from 'ws';
import { type ClientKey, signedHeaders } from '../src/gateway/auth/signed-stamp.ts';

export interface ClientWish {
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

async function place(wish: ClientWish): Promise<ClientReport> {
  const at = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
  const socket = new WebSocket(`ws://127.0.0.1:${wish.port}/ws/api`, {
    headers: signedHeaders(wish.key, Date.now(), at),
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  const mark = await markPrice(socket);
  const sentAt = new Float64Array(wish.count);
  const roundTripMs: number[] = [];
  let sent = 0;
  const send = (): void => {
    const side = sent % 2 === 0 ? 'buy' : 'sell';
    const away = 100 + (sent % PRICES);
    const price = Math.round(mark + (side === 'buy' ? -away : away) * 5);
    sentAt[sent] = performance.now();
    socket.send(
      `{"rid":${sent},"method":"private/${side}","params":{"instrumentName":"BTC-PERPETUAL",` +
        `"quantity":"10","price":"${price}","type":"limit","label":"bench-${sent}"}}`,
    );
    sent += 1;
    if (sent % CANCEL_EVERY === 0) socket.send('{"rid":-1,"method":"private/cancel_all"}');
  };
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    socket.on('close', (code, reason) => reject(new Error(`closed: ${code} ${String(reason)}`)));
    socket.on('message', (raw: Buffer) => {
      const text = raw.toString();
      const rid = Number.parseInt(text.slice(7, 20), 10);
      if (text.startsWith('"error"', text.indexOf(',') + 1)) reject(new Error(text));
      if (rid < 0) return;
      roundTripMs.push(performance.now() - (sentAt[rid] ?? 0));
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

async function markPrice(socket: WebSocket): Promise<number> {
  socket.send('{"rid":0,"method":"public/ticker","params":{"instrumentName":"BTC-PERPETUAL"}}');
  const [raw] = (await once(socket, 'message')) as [Buffer];
  const { result } = JSON.parse(raw.toString()) as { result: { markPrice: string } };
  return Number(result.markPrice);
}
