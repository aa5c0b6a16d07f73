// The real daemon with a few hundred portfolios: the queue holds what is due within a minute and nothing else, its page
// shows every slice, and emptying Redis in the middle loses none.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queuedJobs, until } from '../support/daemon/daemon-deployment.ts';
import { FaultStage } from '../support/daemon/fault-stage.ts';

const NEAR = 40;
const WITHIN = 120;
const BEYOND = 200;
const SLICES = 4;
const EVERY_SEC = 5;
const HORIZON_MS = 60_000;

let stage: FaultStage;
let redis: Redis;

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'qhrz' });
  redis = new Redis(stage.redis.socket);
});
afterAll(async () => {
  redis.disconnect();
  await stage.close();
});

const body = (startTimestamp: number) =>
  ({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { startTimestamp, durationSec: SLICES * EVERY_SEC, frequencySec: EVERY_SEC },
    legs: [
      {
        instrument: 'BTC-PERPETUAL',
        instrumentType: 'PERPETUAL',
        side: 1,
        quantity: String(10 * SLICES),
        priceOptions: { priceType: 'MARKET' },
      },
    ],
    execution: { endAction: 'market' },
  }) as const;

async function submitted(count: number, name: string, startAt: (index: number) => number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 20) {
    const some = Array.from({ length: Math.min(20, count - index) }, (_, offset) => index + offset);
    ids.push(
      ...(await Promise.all(
        some.map((one) => stage.submitAny(body(startAt(one)), `${name}-${one}`)),
      )),
    );
  }
  return ids;
}

/** What is in the queue, slice by slice. */
async function queued() {
  const jobs = [
    ...(await queuedJobs(stage.daemon, 'delayed')),
    ...(await queuedJobs(stage.daemon, 'active')),
  ];
  return jobs.flatMap(({ data }) => data.slices ?? []);
}

test('the queue holds what is due within a minute, shows it by slice, and loses nothing when Redis is emptied', async () => {
  const from = Math.ceil(Date.now() / 1_000) * 1_000;
  const beyond = await submitted(BEYOND, 'beyond', (index) => from + 1_800_000 + index * 100);
  const startAt = (index: number): number => from + 50_000 + index * 50;
  const within = await submitted(WITHIN, 'within', startAt);
  const near = await submitted(NEAR, 'near', (index) => from + 20_000 + index * 100);
  await until(async () => {
    const shown = new Set((await queued()).map(({ portfolio }) => portfolio));
    return within.every((id) => shown.has(id));
  });
  const lines = await queued();
  const [first = ''] = within;
  expect(lines.find(({ portfolio }) => portfolio === first)).toEqual({
    portfolio: first,
    leg: 0,
    slice: 0,
    due: new Date(startAt(0)).toISOString(),
    wakeAt: startAt(0) - 25,
  });
  const far = new Set(beyond);
  expect(lines.filter(({ portfolio }) => far.has(portfolio))).toEqual([]);

  const emptyAt = from + 25_000;
  let isEmptied = false;
  for (const end = startAt(WITHIN); Date.now() < end; await sleep(500)) {
    if (!isEmptied && Date.now() >= emptyAt) {
      isEmptied = true;
      await redis.flushall();
      await until(async () => (await queued()).length >= WITHIN);
    }
    const last = Math.max(0, ...(await queued()).map(({ wakeAt }) => wakeAt));
    // By the clock as it is when the page has been read.
    expect(last).toBeLessThanOrEqual(Date.now() + HORIZON_MS);
  }
  expect(isEmptied).toBe(true);
  const ended = [...near, ...within];
  await until(async () => {
    const rows = await stage.query<{ count: string }>(
      `SELECT count(*) FROM portfolio WHERE status = 2 AND id IN (${ended.join(',')})`,
    );
    return Number(rows[0]?.count) === ended.length;
  });
  // A slice that was missed would have no order of its own.
  const sent = await stage.query<{ count: string }>(
    `SELECT count(DISTINCT label) FROM fill WHERE portfolio IN (${ended.join(',')})`,
  );
  expect(Number(sent[0]?.count)).toBe(ended.length * SLICES);
  expect(await queuedJobs(stage.daemon, 'failed')).toEqual([]);
  expect(stage.alarms()).toEqual([]);
}, 240_000);
