// Smart Balance in the real daemon, killed with -9 in the middle of a part: the legs stay within their bound by its
// own record and by the exchange's journal, and the totals are exact.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { VenueTrade } from '../../src/core/order/venue-report.ts';
import type { PortfolioRecord } from '../../src/gateway/portfolios/record-schema.ts';
import { accountId } from '../../src/values/ids.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';

const PARTS = 12;
const PERP = { name: 'BTC-PERPETUAL', total: 24_000, lot: 10 };
const COIN = { name: 'BTC_USDC', total: 0.24, lot: 0.0001 };
/** One part, plus what rounding to the lot leaves on either leg. */
const SHARE_MAX = 1 / PARTS + PERP.lot / PERP.total + COIN.lot / COIN.total;

const atMid = (priceIn: string) => ({
  priceOptions: {
    priceType: 'DYNAMIC',
    dynamicPriceStrategy: 'MID',
    dynamicMs: 200,
    price: '1',
    priceIn,
  },
});

/** Both legs rest at the mid; a part that lasts longer than a second is chased at market. */
const BODY = {
  accountId: 10001,
  portfolioType: 'BALANCE',
  balanceTrade: { parts: PARTS, eachLimitMs: 1_000, totalLimitMs: 900_000, totalEndAction: 2 },
  legs: [
    {
      instrument: PERP.name,
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: String(PERP.total),
      ...atMid('USD'),
    },
    {
      instrument: COIN.name,
      instrumentType: 'SPOT',
      side: 2,
      quantity: String(COIN.total),
      ...atMid('USDC'),
    },
  ],
};

const files = daemonFiles('bala');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

async function recordOf({ client }: Daemon, id: string): Promise<PortfolioRecord> {
  const info = await client.info(id);
  if (info.kind !== 'done') throw new Error(JSON.stringify(info));
  return info.value;
}

/** By the daemon's own record, in the unit of each leg. */
function expectWithinBound({ legs }: PortfolioRecord): void {
  for (const leg of legs) {
    const told = `${leg.instrument}: ${leg.aheadQuantity} ahead of ${leg.aheadBound}`;
    expect(Number(leg.aheadQuantity), told).toBeLessThanOrEqual(Number(leg.aheadBound));
  }
}

/** By the exchange's trades, at the time of each trade. */
function expectAlwaysLevel(trades: readonly VenueTrade[]): void {
  const filled = new Map([PERP, COIN].map(({ name }) => [name, 0]));
  const inOrder = trades.toSorted((a, b) => a.at - b.at);
  for (const [index, trade] of inOrder.entries()) {
    filled.set(trade.instrument, (filled.get(trade.instrument) ?? 0) + Number(trade.quantity));
    if (inOrder[index + 1]?.at === trade.at) continue;
    const [one = 0, other = 0] = [PERP, COIN].map(
      ({ name, total }) => (filled.get(name) ?? 0) / total,
    );
    expect(Math.abs(one - other), `${one} and ${other}`).toBeLessThanOrEqual(SHARE_MAX + 1e-9);
  }
}

test('a daemon killed three times within a part keeps its legs level and ends with exact totals', async () => {
  daemon = await startDaemon(files);
  const submitted = await daemon.client.submit(BODY as never, 'balance-kill');
  if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
  const id = String(submitted.value.portfolioId);
  let killedInMidRun = 0;
  for (const afterMs of [1_100, 1_750, 600]) {
    await sleep(afterMs);
    const before = await recordOf(daemon, id);
    expectWithinBound(before);
    if (before.portfolioStatus === 1) killedInMidRun += 1;
    expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
    daemon = await startDaemon(files);
    const after = await recordOf(daemon, id);
    expectWithinBound(after);
    expect(after.balanceTrade?.partsDone ?? 0).toBeGreaterThanOrEqual(
      before.balanceTrade?.partsDone ?? 0,
    );
    const again = await daemon.client.submit(BODY as never, 'balance-kill');
    expect(again).toMatchObject({ value: { portfolioId: submitted.value.portfolioId } });
  }
  expect(killedInMidRun).toBeGreaterThan(0);
  let record = await recordOf(daemon, id);
  for (let round = 0; round < 6_000 && record.portfolioStatus !== 2; round += 1) {
    await sleep(100);
    record = await recordOf(daemon, id);
    expectWithinBound(record);
  }
  expect(record.portfolioStatus, daemon.output()).toBe(2);
  expect(record.legs.map((leg) => leg.filledQuantity)).toEqual(['24000', '0.24']);
  expect(await daemon.end('SIGTERM')).toBe(0);

  const trades = await tradesInJournal(files.dataDir, accountId('10001'));
  expect(sumOf(trades, PERP.name)).toBe('24000');
  expect(sumOf(trades, COIN.name)).toBe('0.24');
  expectAlwaysLevel(trades);
}, 960_000);
