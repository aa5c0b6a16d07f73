// An abusive client in its own process with its own loopback addresses: sends one flood for a given number of
// seconds, then reports the responses.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type ClientKey, signedHeaders } from '../src/gateway/auth/signed-stamp.ts';

export type FloodKind =
  | 'nothing'
  | 'instruments in bursts of 300'
  | 'instruments at 500/s'
  | 'plans of 20 × 500 slices at 50/s'
  | 'openapi.json at 100/s'
  | 'metrics at 100/s'
  | 'addresses that are none at 500/s'
  | 'connections opened and closed at 500/s'
  | "instruments over Deribit's HTTP at 500/s"
  | "instruments over Deribit's WebSocket at 500/s"
  | 'orders of one key at 100/s';

export interface FloodWish {
  readonly kind: FloodKind;
  readonly port: number;
  readonly seconds: number;
  readonly key: ClientKey;
  /** May place orders. */
  readonly trader: ClientKey;
}

export interface FloodReport {
  readonly asked: number;
  readonly answered: number;
  readonly refused: number;
}

const [FIRST, SECOND] = ['127.0.0.2', '127.0.0.3'] as const;
const TICK_MS = 20;
const OWN = {
  path: '/ws/api',
  frame: '{"rid":1,"method":"public/get_instruments","params":{"currency":"any"}}',
};
const DERIBIT = {
  path: '/ws/api/v2',
  frame: '{"jsonrpc":"2.0","id":1,"method":"public/get_instruments","params":{"currency":"any"}}',
};
const PLAN = JSON.stringify({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 5_000, frequencySec: 10 },
  legs: Array.from({ length: 20 }, (_, index) => ({
    instrument: index % 2 === 0 ? 'BTC-PERPETUAL' : 'ETH-PERPETUAL',
    instrumentType: 'PERPETUAL',
    side: 1,
    quantity: '50010',
    priceOptions: { priceType: 'MARKET' },
  })),
});

const report = { asked: 0, answered: 0, refused: 0 };
const agents = [FIRST, SECOND].map(
  (localAddress) => new Agent({ keepAlive: true, maxSockets: 64, localAddress }),
);

process.once('message', (wish: FloodWish) => {
  void flood(wish).then(() => process.send?.(report, () => process.exit(0)));
});

async function flood({ kind, port, seconds, key, trader }: FloodWish): Promise<void> {
  const path = '/tt/broker/openapi/portfolios/plan';
  switch (kind) {
    case 'nothing':
      return await sleep(seconds * 1_000);
    case 'instruments in bursts of 300':
      return await frames(port, { ...OWN, seconds, perSecond: 300, atOnce: 300 });
    case 'instruments at 500/s':
      return await frames(port, { ...OWN, seconds, perSecond: 500, atOnce: 10 });
    case 'plans of 20 × 500 slices at 50/s':
      return await paced(seconds, 50, () => {
        const at = { method: 'POST', target: path, body: Buffer.from(PLAN) };
        const headers = {
          ...signedHeaders(key, Date.now(), at),
          'Content-Type': 'application/json',
        };
        send({ port, path, method: 'POST', headers }, PLAN);
      });
    case 'openapi.json at 100/s':
      return await paced(seconds, 100, () => send({ port, path: '/openapi.json' }));
    case 'metrics at 100/s':
      return await paced(seconds, 100, () => send({ port, path: '/metrics' }));
    case 'addresses that are none at 500/s':
      return await paced(seconds, 500, () => send({ port, path: `/no/such/${report.asked}` }));
    case 'connections opened and closed at 500/s':
      return await paced(seconds, 500, () => churn(port));
    case "instruments over Deribit's HTTP at 500/s":
      return await paced(seconds, 500, () =>
        send({ port, path: '/api/v2/public/get_instruments?currency=any' }),
      );
    case "instruments over Deribit's WebSocket at 500/s":
      return await frames(port, { ...DERIBIT, seconds, perSecond: 500, atOnce: 10 });
    case 'orders of one key at 100/s':
      return await paced(seconds, 100, () => order(port, trader));
  }
}

/** Evenly spread: at each tick, as many as are due. */
async function paced(seconds: number, perSecond: number, act: () => void): Promise<void> {
  const from = performance.now();
  const total = seconds * perSecond;
  while (report.asked < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - from) / 1_000) * perSecond));
    for (; report.asked < due; report.asked += 1) act();
    await sleep(TICK_MS);
  }
  await sleep(500);
}

const BUY = '/api/private/buy';

/** A resting order far from the market. */
function order(port: number, key: ClientKey): void {
  const text = JSON.stringify({
    instrumentName: 'BTC-PERPETUAL',
    quantity: '10',
    price: '20000',
    label: `flood-${report.asked}`,
  });
  const at = { method: 'POST', target: BUY, body: Buffer.from(text) };
  const headers = { ...signedHeaders(key, Date.now(), at), 'Content-Type': 'application/json' };
  send({ port, path: BUY, method: 'POST', headers }, text);
}

interface Target {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(target: Target, body = ''): void {
  const agent = agents[report.asked % agents.length];
  const asking = request({ host: '127.0.0.1', agent, ...target }, (response) => {
    response.resume();
    response.on('end', () => told(response.statusCode === 200));
  });
  asking.on('error', () => told(false));
  asking.end(body);
}

function told(isAnswered: boolean): void {
  if (isAnswered) report.answered += 1;
  else report.refused += 1;
}

function churn(port: number): void {
  const localAddress = report.asked % 2 === 0 ? FIRST : SECOND;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('connect', () => {
    told(true);
    socket.destroy();
  });
  socket.on('error', () => told(false));
}

interface Frames {
  readonly path: string;
  readonly frame: string;
  readonly seconds: number;
  readonly perSecond: number;
  readonly atOnce: number;
}

/** One connection per address; a closed one is opened again. */
async function frames(port: number, wish: Frames): Promise<void> {
  const { path, frame, seconds, perSecond, atOnce } = wish;
  const open: (WebSocket | undefined)[] = [undefined, undefined];
  let sent = 0;
  for (const from = performance.now(); performance.now() - from < seconds * 1_000; ) {
    const due = Math.ceil(((performance.now() - from) / 1_000) * perSecond);
    while (sent < due) {
      for (const [index, localAddress] of [FIRST, SECOND].entries()) {
        const known = open[index];
        const socket =
          known?.readyState === WebSocket.OPEN
            ? known
            : await opened(`ws://127.0.0.1:${port}${path}`, localAddress);
        open[index] = socket;
        if (socket !== undefined) burst(socket, frame, atOnce);
      }
      sent += atOnce;
      report.asked += 2 * atOnce;
    }
    await sleep(TICK_MS);
  }
  for (const socket of open) socket?.terminate();
}

/** All frames in one write. */
function burst(socket: WebSocket, frame: string, count: number): void {
  const { _socket: below } = socket as unknown as { readonly _socket: Socket };
  below.cork();
  for (let n = 0; n < count; n += 1) socket.send(frame);
  below.uncork();
}

async function opened(url: string, localAddress: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(url, { localAddress });
  socket.on('error', () => undefined);
  socket.on('message', (raw: Buffer) => told(raw.length > 10_000));
  return await Promise.race([
    once(socket, 'open').then(() => socket),
    once(socket, 'close').then(() => undefined),
  ]).catch(() => undefined);
}
