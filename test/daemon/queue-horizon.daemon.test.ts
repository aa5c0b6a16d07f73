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

const body = (startTimestamp: number, everySec: number) =>
  ({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { startTimestamp, durationSec: SLICES * everySec, frequencySec: everySec },
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

interface Wish {
  readonly name: string;
  readonly everySec: number;
  readonly startAt: (index: number) => number;
}

async function submitted(count: number, { name, everySec, startAt }: Wish) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 20) {
    const some = Array.from({ length: Math.min(20, count - index) }, (_, offset) => index + offset);
    ids.push(
      ...(await Promise.all(
        some.map((one) =>
          stage.submitAny(body(startAt(one), everySec), `${name}-${everySec}-${one}`),
        ),
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

/** Of portfolios with slices this far apart, while Redis is emptied: how many slices have an order of their own, and how many there are. */
async function ownOrders(everySec: number): Promise<readonly [sent: number, planned: number]> {
  const begun = Date.now();
  const beyond = await submitted(BEYOND, {
    name: 'beyond',
    everySec,
    startAt: (index) => begun + 1_800_000 + index * 100,
  });
  // The others are due once they have all been submitted, however long that takes here.
  const from = Math.ceil((Date.now() + 3 * (Date.now() - begun)) / 1_000) * 1_000;
  const startAt = (index: number): number => from + 50_000 + index * 50;
  const within = await submitted(WITHIN, { name: 'within', everySec, startAt });
  const near = await submitted(NEAR, {
    name: 'near',
    everySec,
    startAt: (index) => from + 20_000 + index * 100,
  });
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
  let [isEmptied, isFullAgain] = [false, false];
  for (const end = startAt(WITHIN); Date.now() < end || !isEmptied; await sleep(500)) {
    if (!isEmptied && Date.now() >= emptyAt) {
      isEmptied = true;
      await redis.flushall();
      await until(async () => {
        isFullAgain = (await queued()).length >= WITHIN;
        return isFullAgain || Date.now() >= startAt(0);
      });
    }
    const last = Math.max(0, ...(await queued()).map(({ wakeAt }) => wakeAt));
    // By the clock as it is when the page has been read.
    expect(last).toBeLessThanOrEqual(Date.now() + HORIZON_MS);
  }
  const ended = [...near, ...within];
  await until(async () => {
    const rows = await stage.query<{ count: string }>(
      `SELECT count(*) FROM portfolio WHERE status = 2 AND id IN (${ended.join(',')})`,
    );
    return Number(rows[0]?.count) === ended.length;
  });
  const sent = await stage.query<{ count: string }>(
    `SELECT count(DISTINCT label) FROM fill WHERE portfolio IN (${ended.join(',')})`,
  );
  // What was due before the queue could be seen to be full again is not proved to have been in it.
  return [isFullAgain ? Number(sent[0]?.count) : 0, ended.length * SLICES];
}

test('the queue holds what is due within a minute, shows it by slice, and loses nothing when Redis is emptied', async () => {
  // A slice that was missed has no order of its own. A machine that was too slow for slices this near to each other gets twice the time.
  let everySec = 5;
  for (let [sent, planned] = await ownOrders(everySec); sent < planned; ) {
    everySec *= 2;
    expect(everySec, `${sent} of ${planned} slices have an order of their own`).toBeLessThan(50);
    [sent, planned] = await ownOrders(everySec);
  }
  expect(await queuedJobs(stage.daemon, 'failed')).toEqual([]);
  expect(stage.alarms()).toEqual([]);
}, 960_000);
