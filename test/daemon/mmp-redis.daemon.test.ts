// A frozen MMP group in the real daemon while its Redis is emptied and killed: the freeze stays in force and ends
// on time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, expect, test } from 'vitest';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const BTC = { instrumentName: 'BTC-PERPETUAL' };
const FROZEN_SEC = 12;
const files = daemonFiles('mmpr');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

// biome-ignore lint/suspicious/noExplicitAny: replies have every shape
async function request(method: string, params: object): Promise<any> {
  const target = `/api/${method}`;
  const body = Buffer.from(JSON.stringify(params));
  const headers = signedHeaders(KEY, Date.now(), { method: 'POST', target, body });
  const response = await fetch(`${daemon?.url}${target}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return await response.json();
}

/** A flagged order far from the mark price; while nonces cannot be stored, requests are not evaluated at all. */
async function flagged(factor: number, more: object = {}) {
  const { result } = await request('public/ticker', BTC);
  const price = String(Math.round(Number(result.markPrice) * factor));
  return await request('private/buy', { ...BTC, quantity: '1000', price, mmp: true, ...more });
}

const redisFile = (name: string): string => join(files.dataDir, 'redis', name);

async function flushed(): Promise<void> {
  const redis = new Redis(redisFile('redis.sock'), { maxRetriesPerRequest: 1 });
  await redis.flushall();
  redis.disconnect();
}

/** Freezes the group for so long; returns until when, by the clock of this machine. */
async function frozenFor(frozenSec: number): Promise<number> {
  const set = { indexName: 'btc_usd', interval: 60, frozenTime: frozenSec, quantityLimit: '0.01' };
  expect(await request('block/rfqs/set_mmp_config', set)).toMatchObject({ result: {} });
  const taken = await flagged(1.005, { timeInForce: 'immediate_or_cancel' });
  expect(taken).toMatchObject({ result: { order: { orderState: 'filled' } } });
  for (;;) {
    const { results } = (await request('private/get_mmp_status', {})).result;
    const frozenUntil = Number(results[0]?.frozenUntil ?? 0);
    if (frozenUntil > 0) return frozenUntil;
  }
}

/** How many orders a freeze of so many seconds refused after Redis was killed, until it ended on time. */
async function refusalsWithoutRedis(frozenSec: number): Promise<number> {
  const frozenUntil = await frozenFor(frozenSec);
  await flushed();
  const emptied = await flagged(0.9);
  if (Date.now() < frozenUntil) expect(emptied).toMatchObject({ error: { code: 13030 } });
  const { pid } = JSON.parse(readFileSync(redisFile('redis-server.json'), 'utf8'));
  process.kill(Number(pid), 'SIGKILL');
  for (let refusals = 0; ; ) {
    const from = Date.now();
    const answer = await flagged(0.9);
    const code = answer.error?.code;
    // Neither accepted nor refused: its Redis is still coming back.
    const isJudged = code === 13030 || answer.result !== undefined;
    if (from >= frozenUntil && isJudged) {
      expect(answer, `${from} is after ${frozenUntil}`).toMatchObject({ result: { order: {} } });
      return refusals;
    }
    if (Date.now() < frozenUntil && isJudged) {
      expect(code, `${from} is before ${frozenUntil}`).toBe(13030);
      refusals += 1;
    }
    await sleep(100);
  }
}

test('an MMP freeze survives the loss of Redis and ends on time', async () => {
  daemon = await startDaemon(files);
  // A freeze that was over before Redis was back shows nothing: the next one lasts twice as long.
  let frozenSec = FROZEN_SEC;
  while ((await refusalsWithoutRedis(frozenSec)) === 0) frozenSec *= 2;
  expect((await request('private/get_mmp_status', {})).result).toEqual({ results: [] });
}, 480_000);
