// A report against the full recording of its market: the touch before each fill and at every horizon, and each trade. The
// second reckoning walks over the rows of the recording, which the record of a daemon keeps only in part.
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import type { FillShown, LegCosts, PortfolioReport } from '../../src/core/report/report-shapes.ts';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { RecordedMarket } from '../../src/exchange/market/recorded-market.ts';
import type { RecordedInstrument } from '../../src/exchange/market/recorded-symbol.ts';
import { reportsFrom } from '../../src/gateway/portfolios/read-report.ts';
import { price, type Quantity, quantity, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId } from '../../src/values/ids.ts';
import { later, MINUTE_MS } from '../../src/values/instant.ts';
import type { Instrument } from '../../src/values/instrument.ts';
import type { RecordedBook, RecordedEvent } from '../../src/values/recorded-event.ts';
import { type Rng, rng } from '../../src/values/rng.ts';
import { drawnLatency } from '../../src/virtual/backtest/backtest-latency.ts';
import {
  ampleBalances,
  COURSE_BY,
  courseSettings,
  WIDEST_LIMITS,
} from '../../src/virtual/backtest/virtual-course.ts';
import { MemoryCostRecord } from '../../src/virtual/memory/memory-cost-record.ts';
import { WORLD_VENUE, World } from '../../src/virtual/world.ts';
import { form, legForm, settle } from '../support/engine/engine-world.ts';
import { NOON, option, perpetual, spot } from '../support/engine/markets.ts';

const HOLE_MS = 10_000;
const SCHEDULE_SEC = 180;
const START = later(NOON, 5_123);
const END = later(START, SCHEDULE_SEC * 1_000);

interface Course {
  readonly instrument: Instrument;
  /** In ticks. */
  readonly from: number;
  /** Without any row, in seconds after noon. */
  readonly gap?: readonly [from: number, to: number];
}

const PERP: Course = { instrument: perpetual(), from: 179_800 };
const CALL: Course = { instrument: option({ tickSteps: [] }), from: 2_700 };
const COIN: Course = { instrument: spot(), from: 89_900, gap: [95, 130] };

/** Books at any millisecond and trades between them: often during the schedule, and every few seconds until the last horizon. */
function rowsOf({ instrument, from, gap }: Course, draw: Rng): readonly RecordedEvent[] {
  const { name: symbol, tickSize, amountStep } = instrument;
  const rows: RecordedEvent[] = [];
  const priced = (ticks: number): string => new BigNumber(text(tickSize)).times(ticks).toFixed();
  const sized = (lots: number): string => new BigNumber(text(amountStep)).times(lots).toFixed();
  let bid = from;
  for (let ms = 0; ms < 34 * MINUTE_MS; ) {
    const isBusy = ms < (SCHEDULE_SEC + 30) * 1_000;
    ms += isBusy ? 20 + draw.below(300) : 1_500 + draw.below(6_000);
    if (gap !== undefined && ms >= gap[0] * 1_000 && ms < gap[1] * 1_000) continue;
    const at = later(NOON, ms);
    const stamp = { symbol, at, atUs: at * 1_000 };
    bid += draw.below(7) - 3;
    const ask = bid + 1 + draw.below(4);
    const side = (ticks: number): RecordedBook['bids'] => [
      { price: priced(ticks), amount: sized(100_000_000) },
    ];
    rows.push({ ...stamp, kind: 'book', bids: side(bid), asks: side(ask) });
    if (draw.next() < 0.5) continue;
    const isBuy = draw.next() < 0.5;
    const lots = sized(1 + draw.below(40));
    rows.push({
      ...stamp,
      kind: 'trade',
      side: isBuy ? 'buy' : 'sell',
      price: priced(isBuy ? ask : bid),
      amount: lots,
    });
  }
  return rows;
}

interface Reported {
  readonly report: PortfolioReport;
  readonly rows: readonly RecordedEvent[];
}

/** Runs the legs through the engine on the recorded market, and makes their report half an hour later. */
async function reportedRun(
  courses: readonly Course[],
  legs: PortfolioForm['legs'],
  seed: string,
): Promise<Reported> {
  const instruments = courses.map(
    ({ instrument }): RecordedInstrument => ({
      instrument,
      recordedStep: instrument.amountStep,
      assumedLots: 1,
    }),
  );
  const rows = courses
    .flatMap((course) => rowsOf(course, rng(`${seed}/${course.instrument.name}`)))
    .sort((a, b) => a.atUs - b.atUs);
  const market = new RecordedMarket({ instruments, holeMs: HOLE_MS, mayPass: true });
  market.feed(rows);
  market.complete();
  const costs = new MemoryCostRecord();
  const listed = instruments.map(({ instrument }) => instrument);
  const world = new World({
    startAt: later(NOON, 2_000),
    market,
    accounts: [{ account: accountId('10001'), balances: ampleBalances(listed) }],
    settings: courseSettings(WIDEST_LIMITS),
    limits: WIDEST_LIMITS.submit,
    latencyMs: drawnLatency({ minMs: 7, maxMs: 83, seed }),
    costRecord: costs,
    settle,
  });
  try {
    await world.start();
    const twapTrade = { durationSec: SCHEDULE_SEC, frequencySec: 20 };
    const asked = { ...form({ legs, twapTrade }), startAt: START };
    const submitted = await world.submit(asked, COURSE_BY);
    if (submitted.kind === 'refused') throw new Error(JSON.stringify(submitted.rejections));
    await world.runOn(later(END, 31 * MINUTE_MS));
    const reportOn = reportsFrom({
      ledger: world.ledger,
      costs,
      mmp: { exceeded: () => Promise.resolve([]) },
      accounts: { describe: () => ({ name: 'desk', exchange: WORLD_VENUE }) },
      now: () => world.clock.now(),
    });
    const report = must(await reportOn(submitted.value.portfolio), 'a report');
    return { report, rows };
  } finally {
    await world.close();
  }
}

/** The mid of the last row up to the end of the millisecond, while that row is shown. */
function midAt(rows: readonly RecordedEvent[], symbol: string, at: number): BigNumber | undefined {
  const row = rows.findLast(
    (one): one is RecordedBook => one.kind === 'book' && one.symbol === symbol && one.at <= at,
  );
  if (row === undefined || at - row.at > HOLE_MS) return undefined;
  const [bid, ask] = [must(row.bids[0], 'a bid').price, must(row.asks[0], 'an ask').price];
  return new BigNumber(bid).plus(ask).div(2);
}

const HORIZONS = [
  ['1s', 1_000],
  ['10s', 10_000],
  ['1m', MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['30m', 30 * MINUTE_MS],
] as const;

/** Equal to 1e-9, sign included; `null` and absent are unknown. */
function expectSame(found: string | number | null | undefined, expected: BigNumber | undefined) {
  if (expected === undefined) return expect(found ?? null).toBeNull();
  const off = new BigNumber(must(found ?? undefined, 'a figure')).minus(expected).abs();
  const bound = expected.abs().times(1e-9).toNumber();
  expect(off.toNumber(), `${found} for ${expected.toFixed()}`).toBeLessThanOrEqual(bound);
}

interface Against {
  readonly fill: FillShown;
  readonly sign: 1 | -1;
  /** `undefined`: unknown. */
  readonly reference: BigNumber | undefined;
}

const costOf = ({ fill, sign, reference }: Against): BigNumber | undefined =>
  reference && new BigNumber(fill.price).minus(reference).times(sign);

/** Mean in basis points of the mid before each fill, weighted by size, over the fills that are known. */
function meanBps(
  fills: readonly (Against & { readonly before: BigNumber | undefined })[],
): BigNumber | undefined {
  let [sum, size] = [new BigNumber(0), new BigNumber(0)];
  for (const one of fills) {
    const cost = costOf(one);
    if (cost === undefined || one.before === undefined) continue;
    sum = sum.plus(cost.div(one.before).times(one.fill.quantity));
    size = size.plus(one.fill.quantity);
  }
  return size.isZero() ? undefined : sum.div(size).times(10_000);
}

function expectExact({ report, rows }: Reported, leg: LegCosts): void {
  const sign = leg.side === 'buy' ? 1 : -1;
  const symbol = leg.instrument;
  const fills = report.fills.filter((one) => one.leg === leg.leg);
  expect(fills.length).toBeGreaterThan(6);
  const at = (fill: FillShown, ms: number) => midAt(rows, symbol, Date.parse(fill.at) + ms);
  const against = (ms: number) =>
    fills.map((fill) => ({ fill, sign, reference: at(fill, ms), before: at(fill, -1) }) as const);
  for (const one of against(-1)) {
    expectSame(one.fill.mid, one.reference);
    expectSame(one.fill.effective, costOf(one));
  }
  if (leg.kind !== 'option') expectSame(leg.spread.effectiveBps, meanBps(against(-1))?.times(2));
  for (const [name, ms] of HORIZONS) {
    for (const one of against(ms)) expectSame(one.fill.markouts[name], costOf(one));
    const shown = leg.markouts.find(({ horizon }) => horizon === name);
    const missing = against(ms).filter(({ reference }) => reference === undefined).length;
    expect(shown?.missing ?? fills.length).toBe(missing);
    if (leg.kind !== 'option') expectSame(shown?.bps, meanBps(against(ms)));
  }
  const traded = tradesOf({ report, rows }, symbol).filter(
    ({ at: tradedAt }) => tradedAt > START && tradedAt <= END,
  );
  const size = traded.reduce((sum, one) => sum.plus(one.size), new BigNumber(0));
  const value = traded.reduce(
    (sum, { price, size }) => sum.plus(price.times(size)),
    new BigNumber(0),
  );
  expect(traded.length).toBeGreaterThan(100);
  expectSame(leg.benchmarks.vwap, value.div(size));
}

interface Traded {
  readonly at: number;
  readonly price: BigNumber;
  readonly size: BigNumber;
}

/**
 * Those of the recording, and own ones. An own order that a recorded trade meets takes a part of it, at its own price; one that
 * the recorded book crosses, or that takes, trades besides.
 */
function tradesOf({ report, rows }: Reported, symbol: string): readonly Traded[] {
  const own = report.fills.filter(({ leg }) => report.legs[leg]?.instrument === symbol);
  const all = rows.flatMap((row): Traded[] =>
    row.kind === 'trade' && row.symbol === symbol
      ? [{ at: row.at, price: new BigNumber(row.price), size: new BigNumber(row.amount) }]
      : [],
  );
  for (const fill of own) {
    const at = Date.parse(fill.at);
    const size = new BigNumber(fill.quantity);
    all.push({ at, price: new BigNumber(fill.price), size });
    if (fill.liquidity === 'taker') continue;
    const book = rows.find(
      (row): row is RecordedBook => row.kind === 'book' && row.symbol === symbol && row.at === at,
    );
    const isBuy = report.legs[fill.leg]?.side === 'buy';
    const far = must(isBuy ? book?.asks[0] : book?.bids[0], 'a book in the millisecond').price;
    const isCrossed = isBuy
      ? new BigNumber(far).lte(fill.price)
      : new BigNumber(far).gte(fill.price);
    if (isCrossed) continue;
    const met = must(
      all.find((one) => one.at === at),
      'a recorded trade in the millisecond',
    );
    all.push({ at, price: met.price, size: size.negated() });
  }
  return all;
}

const legOf = (
  { instrument: { name, kind } }: Course,
  side: 'buy' | 'sell',
  size: Quantity,
): PortfolioForm['legs'][number] =>
  legForm({ instrument: name, instrumentType: kind as never, side, quantity: size });

/** Rests at the best price of its side. */
const resting = (side: 'buy' | 'sell') =>
  ({
    priceType: 'dynamic',
    price: price(side === 'buy' ? '100000' : '80000'),
    priceIn: 'USD',
    dynamicPriceStrategy: side === 'buy' ? 'bid' : 'ask',
    dynamicMs: 1_000,
  }) as const;

test.each([
  ['buy', 'sell'],
  ['sell', 'buy'],
] as const)(
  'mids, effective spreads, markouts and VWAP of a %s are those of the full recording, and those of an option on the other side',
  async (side, other) => {
    const legs = [
      legOf(PERP, side, quantity('9000')),
      { ...legOf(PERP, side, quantity('6000')), priceOptions: resting(side) },
      legOf(CALL, other, quantity('9')),
    ];
    const run = await reportedRun([PERP, CALL], legs, `exact ${side}`);
    const { report } = run;
    expect(report.isProvisional).toBe(false);
    expect(report.legs).toHaveLength(3);
    for (const leg of report.legs) expectExact(run, leg);
    expect(must(report.legs[1]?.liquidity.makerShare, 'a share')).toBeGreaterThan(0);
    expect(report.notes.join('\n')).not.toMatch(
      /estimate, the|those of their second|of its interval/,
    );
  },
);

test('a horizon in a gap of the market is unknown, not the mid before the gap, and everything else is exact', async () => {
  const run = await reportedRun([COIN], [legOf(COIN, 'buy', quantity('0.9'))], 'gap');
  const leg = must(run.report.legs[0], 'a leg');
  expectExact(run, leg);
  const minute = must(
    leg.markouts.find(({ horizon }) => horizon === '1m'),
    'a markout',
  );
  expect(minute.missing).toBeGreaterThan(0);
  expect(minute.fills).toBeGreaterThan(0);
  // Silent for 35 s, of which the first ten still show the last row.
  expect(leg.benchmarks.twapCoverage).toBeCloseTo(1 - 25 / SCHEDULE_SEC, 1);
});
