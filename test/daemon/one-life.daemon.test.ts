// One daemon from its start to Ctrl-C, as `npm start` runs it: its stores are killed and emptied while it works, and it restarts
// them; every line of its log about a slice names its portfolio and order, lines about a request name the request, and no line
// contains a secret; it ends in order although clients never read.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedHeaders, signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, deploymentId, labelPrefix, parseChildLabel } from '../../src/values/ids.ts';
import { until } from '../adapters/until.ts';
import { submitAgain } from '../support/daemon/daemon-deployment.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';
import { course, TWO_LEGS } from '../support/engine/two-legs.ts';
import { inOrder } from '../support/in-order.ts';

inOrder();

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const ACCOUNT = accountId('10001');
const DEPLOYMENT = 'life';
const LISTENERS = 6;
/** Of the burst of news. */
const PORTFOLIOS = 12;
const FILLED = 2;

const files = daemonFiles(DEPLOYMENT, 'config/paper.yaml', 'apart');
const byHand = `rid-${randomUUID()}`;
/** Every portfolio that was submitted; the first is the one whose stores are killed. */
const portfolios: string[] = [];
let daemon: Daemon | undefined;
const running = (): Daemon => must(daemon, 'a daemon that was started');

beforeAll(async () => {
  appendFileSync(files.configPath, 'log: { level: debug, format: json }\n');
  daemon = await startDaemon(files);
  await orderByHand();
  await secretWhereItDoesNotBelong();
});
afterAll(async () => {
  // It has ended, unless a test failed before.
  await daemon?.end('SIGKILL');
  files.remove();
});

async function orderByHand(): Promise<void> {
  const { url } = running();
  const bound = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
  const headers = signedHeaders(KEY, Date.now(), bound);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/api`, { headers });
  await once(socket, 'open');
  const answered = once(socket, 'message');
  const params = {
    instrumentName: 'BTC-PERPETUAL',
    quantity: '10',
    price: '20000',
    label: 'by-hand',
  };
  socket.send(JSON.stringify({ rid: byHand, method: 'private/buy', params }));
  expect(JSON.parse(String((await answered)[0]))).toMatchObject({
    rid: byHand,
    result: { order: { label: 'by-hand' } },
  });
  socket.close();
}

/** In headers as a proxy writes them, and in an address. */
async function secretWhereItDoesNotBelong(): Promise<void> {
  const headers = { AUTHORIZATION: `bearer ${KEY.secret}`, 'x-API-key': KEY.secret };
  const target = `/tt/broker/openapi/portfolios/info?secret=${encodeURIComponent(KEY.secret)}`;
  await fetch(`${running().url}${target}`, { headers });
}

const postgresPid = (): number =>
  Number(
    readFileSync(join(files.dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0],
  );
const redisPid = (): number =>
  Number(JSON.parse(readFileSync(join(files.dataDir, 'redis/redis-server.json'), 'utf8')).pid);

/** Deletes everything in Redis five times a second, as long as it is reachable. */
function flushing(): () => void {
  const redis = new Redis(join(files.dataDir, 'redis/redis.sock'), {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => 200,
  });
  // It is killed on purpose.
  redis.on('error', () => undefined);
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.flushall().catch(() => undefined);
  }, 200);
  return () => {
    clearInterval(timer);
    redis.disconnect();
  };
}

async function filled(portfolioId: string) {
  const end = Date.now() + 240_000;
  for (;;) {
    const info = await running().client.info(portfolioId);
    if (info.kind === 'done' && info.value.portfolioStatus === FILLED) return info.value;
    if (Date.now() > end) throw new Error(`not filled:\n${running().output()}`);
    await sleep(250);
  }
}

test('killed stores are restarted by the daemon, and its portfolio is filled to the total', async () => {
  const portfolioId = await submitAgain(running().client, TWO_LEGS, 'stores-test');
  portfolios.push(portfolioId);
  const stopFlushing = flushing();
  await sleep(1_500);
  process.kill(redisPid(), 'SIGKILL');
  await sleep(1_500);
  process.kill(postgresPid(), 'SIGQUIT');
  await sleep(3_000);
  process.kill(postgresPid(), 'SIGKILL');
  process.kill(redisPid(), 'SIGKILL');
  const record = await filled(portfolioId);
  stopFlushing();
  expect(record.legs.map((leg) => leg.filledQuantity)).toEqual(['14000', '0.28']);
  const health = async () => (await fetch(`${running().url}/readyz`)).json();
  await expect.poll(health).toEqual({ ready: true, reasons: [] });
}, 720_000);

async function deaf(path: string, frame: object): Promise<WebSocket> {
  const { url } = running();
  const address = `${url.replace('http', 'ws')}${path}?${signedQuery(KEY, Date.now(), path)}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify(frame));
  await once(socket, 'message');
  socket.pause();
  return socket;
}

/** Processes that work in the daemon's folder or have it on their command line. */
const processesOf = (folder: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        const where = readlinkSync(`/proc/${pid}/cwd`);
        return `${where} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`.includes(folder);
      } catch {
        // It has ended meanwhile, or belongs to another user.
        return false;
      }
    });

async function fills(): Promise<number> {
  const text = await (await fetch(`${running().url}/metrics`)).text();
  const counts = [...text.matchAll(/^twapd_fills_total\{.*\} (\d+)/gm)].map((line) =>
    Number(line[1]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

test('a daemon shuts down in order after a burst of news although clients never read', async () => {
  const { client, output } = running();
  const channels = ['user.orders.any.any.raw', 'user.trades.any.any.raw'];
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, (_, index) =>
      index % 2 === 0
        ? deaf('/ws/portfolio', {
            id: 'a',
            op: 'subscribe',
            data: [{ channel: 'trade-news' }],
          })
        : deaf('/ws/api', {
            jsonrpc: '2.0',
            id: 1,
            method: 'private/subscribe',
            params: { channels },
          }),
    ),
  );
  const before = await fills();
  for (let n = 0; n < PORTFOLIOS; n += 1) {
    portfolios.push(await submitAgain(client, course(60), `storm-${n}`));
  }
  await until(async () => (await fills()) > before + PORTFOLIOS, 120_000);
  expect(processesOf(files.dataDir).length).toBeGreaterThan(0);
  expect(await running().end('SIGINT')).toBe(0);
  expect(output()).toContain('ended');
  expect(processesOf(files.dataDir)).toEqual([]);
  for (const socket of sockets) socket.terminate();
});

test('nothing is lost or placed twice although stores were killed and the daemon ended in mid-run', async () => {
  const [id] = portfolios;
  const prefix = `${labelPrefix(deploymentId(DEPLOYMENT))}${Number(id).toString(36)}-`;
  const all = await tradesInJournal(files.dataDir, ACCOUNT, prefix);
  const trades = all.filter(({ label }) => label.startsWith(prefix));
  expect(sumOf(trades, 'BTC-PERPETUAL')).toBe('14000');
  expect(sumOf(trades, 'BTC_USDC')).toBe('0.28');
  const ordersOf = new Map<string, Set<string>>();
  for (const { label, orderId } of all) {
    ordersOf.set(label, (ordersOf.get(label) ?? new Set()).add(orderId));
  }
  for (const [label, orders] of ordersOf) expect(orders.size, label).toBe(1);
});

interface Line {
  readonly level: string;
  readonly time: string;
  readonly event?: string;
  readonly [field: string]: unknown;
}

const linesOf = (output: string): readonly Line[] =>
  output.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text) as Line] : []));

const OF_A_SLICE = /^(slice_|child_|edit_|cancel_intended|fill_booked|venue_answered)/;
const OF_A_CHILD = /^(slice_sent|child_|edit_|cancel_intended|fill_booked|venue_answered)/;
const WITH_AN_INTENT = /^(slice_sent|child_intended|edit_intended|cancel_intended|venue_answered)$/;
const OF_EVERY_COURSE = [
  'slice_started',
  'child_intended',
  'slice_sent',
  'venue_answered',
  'child_live',
  'fill_booked',
  'child_closed',
  'slice_ended',
];

test('log lines identify the slice or request they belong to, and contain no secrets', () => {
  const output = running().output();
  const lines = linesOf(output);
  const ofSlices = lines.filter(({ event = '' }) => OF_A_SLICE.test(event));
  const seen = new Set(ofSlices.map(({ event }) => event));
  expect(OF_EVERY_COURSE.filter((event) => !seen.has(event))).toEqual([]);
  for (const line of ofSlices) {
    const { event = '' } = line;
    expect(portfolios, event).toContain(line['portfolio']);
    expect(line, event).toMatchObject({
      deployment: DEPLOYMENT,
      leg: expect.any(Number),
      slice: expect.any(Number),
    });
    if (WITH_AN_INTENT.test(event)) {
      expect(['place', 'edit', 'cancel', 'query'], event).toContain(line['intent']);
    }
    if (!OF_A_CHILD.test(event)) continue;
    const address = parseChildLabel(String(line['label']));
    const { portfolio, leg, slice } = line;
    expect(address, event).toMatchObject({ portfolio, leg, slice });
  }
  const ofTheHand = lines.filter((line) => line['rid'] === byHand);
  expect(ofTheHand.map(({ event }) => event)).toContain('desk_answered');
  expect(ofTheHand.every((line) => line['method'] !== undefined)).toBe(true);
  for (const hidden of [KEY.secret, encodeURIComponent(KEY.secret), KEY.secret.slice(0, -2)]) {
    expect(output).not.toContain(hidden);
  }
});
