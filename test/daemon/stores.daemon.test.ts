// The real daemon while its own stores are killed repeatedly and all Redis data is deleted continuously: it
// restarts them itself and finishes with the exact total.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, expect, test } from 'vitest';
import { accountId } from '../../src/values/ids.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';

const files = daemonFiles('strs');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

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

async function finished(running: Daemon, portfolioId: string) {
  const until = Date.now() + 240_000;
  for (;;) {
    const info = await running.client.info(portfolioId);
    if (info.kind === 'done' && info.value.portfolioStatus === 2) return info.value;
    if (Date.now() > until) throw new Error(`not filled:\n${running.output()}`);
    await sleep(250);
  }
}

test('killed stores are restarted by the daemon, and nothing is lost or placed twice', async () => {
  daemon = await startDaemon(files);
  const submitted = await daemon.client.submit(TWO_LEGS, 'stores-test');
  if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
  const portfolioId = String(submitted.value.portfolioId);
  const stopFlushing = flushing();
  await sleep(1_500);
  process.kill(redisPid(), 'SIGKILL');
  await sleep(1_500);
  process.kill(postgresPid(), 'SIGQUIT');
  await sleep(3_000);
  process.kill(postgresPid(), 'SIGKILL');
  process.kill(redisPid(), 'SIGKILL');
  const record = await finished(daemon, portfolioId);
  stopFlushing();
  expect(record.legs.map((leg) => leg.filledQuantity)).toEqual(['14000', '0.28']);
  const health = async () => (await fetch(`${daemon?.url}/readyz`)).json();
  await expect.poll(health).toEqual({ ready: true, reasons: [] });
  expect(await daemon.end('SIGTERM')).toBe(0);
  const trades = await tradesInJournal(files.dataDir, accountId('10001'));
  expect(sumOf(trades, 'BTC-PERPETUAL')).toBe('14000');
  expect(sumOf(trades, 'BTC_USDC')).toBe('0.28');
  const ordersOf = new Map<string, Set<string>>();
  for (const { label, orderId } of trades) {
    ordersOf.set(label, (ordersOf.get(label) ?? new Set()).add(orderId));
  }
  for (const [label, orders] of ordersOf) expect(orders.size, label).toBe(1);
}, 720_000);
