// The figures of a report against a second reckoning from its definitions, on random days: buys and sells of every kind of contract,
// filled in part, as maker and taker and by a block, with fees in both currencies, while the market moves and has holes.
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import type { LegMoment, MarketSecond } from '../../../src/core/report/cost-rows.ts';
import {
  HORIZONS,
  type MeasuredFill,
  measureFill,
} from '../../../src/core/report/fill-measures.ts';
import { legCosts } from '../../../src/core/report/leg-costs.ts';
import type { ChildHistory, FillHistory } from '../../../src/core/report/leg-history.ts';
import { MarketSeries } from '../../../src/core/report/market-series.ts';
import { packageSums } from '../../../src/core/report/package-sums.ts';
import type { LegCosts } from '../../../src/core/report/report-shapes.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId, venueName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { btcUsdcPerpetual, btcUsdcPut } from '../../exchange/instruments.ts';
import { cases } from '../../support/cases.ts';
import { NOON, option, perpetual, spot } from '../../support/engine/markets.ts';
import {
  type Known,
  type PlainFill,
  type PlainLeg,
  PlainReport,
  type PlainRow,
} from '../../support/reckoning/plain-report.ts';

interface Kind {
  readonly instrument: Instrument;
  readonly kind: PlainLeg['kind'];
  readonly tick: string;
  /** Of the bid, in ticks. */
  readonly from: number;
  readonly lot: string;
}

const coinPut = option({ option: { strike: price('100000'), type: 'put' } });
const KINDS: readonly Kind[] = [
  { instrument: perpetual(), kind: 'inverse', tick: '0.5', from: 198_000, lot: '10' },
  { instrument: btcUsdcPerpetual, kind: 'linear', tick: '0.5', from: 199_000, lot: '0.0001' },
  { instrument: coinPut, kind: 'coin_option', tick: '0.0001', from: 300, lot: '0.1' },
  { instrument: btcUsdcPut, kind: 'dollar_option', tick: '5', from: 500, lot: '0.01' },
  { instrument: spot(), kind: 'spot', tick: '1', from: 99_000, lot: '0.0001' },
];

const SECOND = 1_000;
const [START, END, LAST] = [20, 80, 150];
const at = (second: number): number => NOON + second * SECOND;

/** Best prices that wander, with a hole of the record and a while without offers. */
function rowsOf(random: Rng, { tick, from }: Kind): PlainRow[] {
  const rows: PlainRow[] = [];
  const priced = (ticks: number): string => new BigNumber(tick).times(ticks).toFixed();
  let bid = from;
  for (let second = 0; second <= LAST; second += 1) {
    bid += random.below(21) - 10;
    const ask = bid + 1 + random.below(6);
    if (second > 40 && second < 56) continue;
    const isBare = second >= 60 && second < 63;
    rows.push({
      at: at(second),
      bid: priced(bid),
      ask: isBare ? undefined : priced(ask),
      mark: priced(bid + random.below(8)),
      last: priced(bid + random.below(3)),
      underlying: String(99_000 + random.below(2_000)),
      delta: 0.3 + random.next() / 10,
      vega: 50 + random.below(50),
      // Far above any market's, so that what it comes to is far above the rounding.
      funding: second >= 66 && second < 70 ? undefined : String((random.below(200) - 80) / 1_000),
      volume: String(1_000_000 + random.below(1_000_000)),
    });
  }
  return rows;
}

/** Rows that the portfolio saw at its events, besides those of the seconds, belong to `rows` from here on. */
function fillsOf(
  random: Rng,
  { lot, tick, instrument }: Kind,
  side: 'buy' | 'sell',
  rows: PlainRow[],
) {
  const fills: PlainFill[] = [];
  const seconds = rows.slice();
  let version = 2;
  for (let second = START + 1; second < END; second += 4 + random.below(12)) {
    const row = must(
      seconds.findLast((one) => one.at <= at(second)),
      'a row',
    );
    const isBlock = random.below(6) === 0;
    const far = side === 'buy' ? row.ask : row.bid;
    const decided = { ...row, at: at(second) + 100, volume: undefined, version };
    // What it saw when the trade was booked shows the trade itself.
    const moved = new BigNumber(row.bid ?? '0').plus(new BigNumber(tick).times(7)).toFixed();
    const booked = { ...decided, at: at(second) + 300, bid: moved, version: version + 1 };
    const ask =
      booked.ask && new BigNumber(booked.ask).plus(new BigNumber(tick).times(7)).toFixed();
    rows.push(decided, { ...booked, ask });
    const isMaker = random.below(2) === 0;
    const offset = new BigNumber(tick).times(random.below(5) - 2);
    fills.push({
      at: at(second) + 300,
      version: version + 1,
      quantity: new BigNumber(lot).times(1 + random.below(40)).toFixed(),
      price: new BigNumber(far ?? row.bid ?? '0').plus(offset).toFixed(),
      liquidity: isMaker ? 'maker' : 'taker',
      fee: new BigNumber(random.below(900) - 200).div(1e6).toFixed(),
      feeCurrency: random.below(4) === 0 ? instrument.base : costIn(instrument),
      farTouch: far === undefined ? undefined : new BigNumber(far),
      isBlock,
    });
    version += 2;
  }
  return fills;
}

const costIn = ({ amountUnit, base, quote }: Instrument): string =>
  amountUnit === 'usd' ? base : quote;

function drawn(random: Rng, kind: Kind): PlainLeg {
  const side = random.below(2) === 0 ? 'buy' : 'sell';
  const rows = rowsOf(random, kind);
  const fills = fillsOf(random, kind, side, rows);
  const filled = fills.reduce((sum, one) => sum.plus(one.quantity), new BigNumber(0));
  const step = new BigNumber(kind.tick).times(20);
  return {
    kind: kind.kind,
    side,
    asked: filled.plus(new BigNumber(kind.lot).times(random.below(60))).toFixed(),
    currency: costIn(kind.instrument),
    base: kind.instrument.base,
    submittedMid: new BigNumber(kind.tick).times(kind.from).plus(step).toFixed(),
    startAt: at(START),
    endAt: at(END),
    activeTo: at(END + random.below(10)),
    fills,
    rows,
  };
}

const level = (of: string | undefined) =>
  of === undefined ? undefined : { price: price(of), quantity: quantity('5') };

const marketOf = (row: PlainRow): SeenMarket => ({
  bid: level(row.bid),
  ask: level(row.ask),
  last: row.last === undefined ? undefined : price(row.last),
  mark: row.mark === undefined ? undefined : price(row.mark),
  index: price('1'),
  underlying: row.underlying === undefined ? undefined : price(row.underlying),
  markIv: 0.5,
  fundingRate: row.funding === undefined ? undefined : Number(row.funding),
  greeks: { delta: row.delta ?? 0, gamma: 0, vega: row.vega ?? 0, theta: 0 },
  ageMs: 0,
});

function costsOf(leg: PlainLeg, instrument: Instrument, number: number): LegCosts {
  const portfolio = portfolioId('1795255591545000');
  const venue = venueName('paper');
  const seconds: MarketSecond[] = [];
  const moments: LegMoment[] = [];
  for (const row of leg.rows) {
    const seen = { at: instant(row.at), market: marketOf(row) };
    if (row.version !== undefined) {
      moments.push({ ...seen, portfolio, version: row.version, leg: number });
      continue;
    }
    const volume = row.volume === undefined ? undefined : quantity(row.volume);
    seconds.push({ ...seen, venue, instrument: instrument.name, second: seen.at, volume });
  }
  const series = new MarketSeries(seconds, moments, []);
  const byVersion = new Map(moments.map((moment) => [moment.version, moment]));
  const measured = leg.fills.map((fill): MeasuredFill => {
    const child = { version: fill.version - 1, isBlock: fill.isBlock } as ChildHistory;
    const story: FillHistory = {
      version: fill.version,
      label: '',
      slice: 0,
      tradeId: `t${fill.version}`,
      quantity: quantity(fill.quantity),
      price: price(fill.price),
      fee: money(fill.fee),
      feeCurrency: fill.feeCurrency,
      liquidity: fill.liquidity,
      tradedAt: instant(fill.at),
      child,
    };
    return measureFill(story, { side: leg.side, series, moments: byVersion });
  });
  const submittedAs = { bid: leg.submittedMid, ask: leg.submittedMid, at: at(0) };
  return legCosts({
    leg: number,
    instrument,
    side: leg.side,
    hedge: false,
    asked: quantity(leg.asked),
    startAt: instant(leg.startAt),
    endAt: instant(leg.endAt),
    activeTo: instant(leg.activeTo),
    line: undefined,
    story: { slices: [], children: [], fills: measured.map(({ fill }) => fill) },
    fills: measured,
    series,
    submitted: { portfolio, version: 1, leg: number, at: NOON, market: marketOf(submittedAs) },
  });
}

/** `places`: the decimals that are shown. */
function same(
  what: string,
  shown: number | string | null | undefined,
  exact: Known,
  places: number,
) {
  if (exact === undefined) return expect(shown ?? null, what).toBeNull();
  return near(what, shown, exact, new BigNumber(10).pow(-places).times(0.51));
}

function near(
  what: string,
  shown: number | string | null | undefined,
  exact: BigNumber,
  most: BigNumber,
) {
  const apart = new BigNumber(shown ?? Number.NaN).minus(exact).abs();
  expect(apart.isLessThanOrEqualTo(most), `${what}: ${shown} for ${exact.toFixed(12)}`).toBe(true);
}

const PARTS = [
  'delay',
  'market',
  'schedule',
  'spread',
  'unsplit',
  'residual',
  'fees',
  'total',
] as const;

function compareLeg(shown: LegCosts, plain: PlainReport): void {
  const { leg } = plain;
  const what = `${leg.kind} ${leg.side}`;
  const [twap, vwap] = [plain.twap(leg.endAt), plain.vwap];
  const { benchmarks, slippage, spread } = shown;
  same(`${what} average`, shown.averagePrice, plain.average, 6);
  same(`${what} decision`, benchmarks.decision, plain.decision, 9);
  same(`${what} arrival`, benchmarks.arrival, plain.arrival, 9);
  same(`${what} twap`, benchmarks.twap, twap, 9);
  same(`${what} active twap`, benchmarks.activeTwap, plain.twap(leg.activeTo), 9);
  same(`${what} vwap`, benchmarks.vwap, vwap, 9);
  same(`${what} final`, benchmarks.final, plain.final, 9);
  same(`${what} decisionBps`, slippage.decisionBps, plain.slippageBps(plain.decision), 3);
  same(`${what} arrivalBps`, slippage.arrivalBps, plain.slippageBps(plain.arrival), 3);
  same(`${what} twapBps`, slippage.twapBps, plain.slippageBps(twap), 3);
  same(`${what} vwapBps`, slippage.vwapBps, plain.slippageBps(vwap), 3);
  same(`${what} participation`, shown.participation, plain.participation, 6);
  const whole = must(shown.shortfall, 'a shortfall');
  const exact = plain.shortfall;
  expect(whole.currency).toBe(leg.currency);
  // The mean mid is kept to ten places.
  const lost = exact.order.times('1e-8');
  for (const part of PARTS) near(`${what} ${part}`, whole[part], exact[part], lost);
  const inBps = (of: BigNumber): Known =>
    plain.isOption ? undefined : of.div(exact.order).times(10_000);
  const algorithm = exact.spread.plus(exact.schedule).plus(exact.unsplit);
  same(`${what} bps`, whole.bps, inBps(exact.total), 4);
  same(`${what} executionBps`, whole.executionBps, inBps(algorithm), 4);
  same(`${what} rate`, whole.rate, plain.rate, 9);
  same(`${what} usd`, whole.usd, exact.total.times(plain.rate), 2);
  same(`${what} orderUsd`, whole.orderUsd, exact.order.times(plain.rate), 2);
  const ofUnderlying = plain.isOption ? plain.underlyingBps : undefined;
  same(`${what} underlyingBps`, whole.underlyingBps, ofUnderlying, 4);
  same(`${what} effectiveBps`, spread.effectiveBps, plain.effectiveBps, 3);
  same(`${what} quotedBps`, spread.quotedBps, plain.quotedBps, 3);
  same(`${what} improvement`, shown.improvement?.bps, plain.improvementBps, 3);
  same(`${what} makerShare`, shown.liquidity.makerShare, plain.makerShare, 6);
  same(`${what} realisedBps`, spread.realisedBps, plain.realisedBps, 3);
  same(`${what} ratio`, spread.ratio, plain.spreadRatio, 4);
  for (const { name, ms } of HORIZONS) {
    const found = shown.markouts.find(({ horizon }) => horizon === name);
    same(`${what} markout ${name}`, found?.bps, plain.markoutBps(ms), 3);
    same(`${what} markout of makers ${name}`, found?.makerBps, plain.markoutBps(ms, 'maker'), 3);
    same(`${what} markout of takers ${name}`, found?.takerBps, plain.markoutBps(ms, 'taker'), 3);
  }
  const fees = shown.liquidity.fees.map(({ currency, amount }) => [currency, amount]);
  expect(fees).toEqual([...plain.feesPaid].map(([name, paid]) => [name, paid.toFixed()]));
  if (shown.kind === 'perpetual') {
    const { paid, coverage } = plain.fundingPaid;
    same(`${what} funding`, shown.funding?.paid, paid, 11);
    same(`${what} funding in USD`, shown.funding?.usd, paid.times(plain.rate), 6);
    same(`${what} time with a rate`, shown.funding?.coverage, coverage, 4);
  } else expect(shown.funding).toBeNull();
  for (const reference of plain.isOption ? (['mid', 'mark'] as const) : []) {
    const found = must(
      shown.option.find((one) => one.reference === reference),
      'option units',
    );
    const { premium, usd, vega, volPoints, worth } = plain.option(reference);
    same(`${what} premium over ${reference}`, found.premium, premium, 11);
    same(`${what} usd against ${reference}`, found.usd, usd, 8);
    same(`${what} vega`, found.vegaUsd, vega, 8);
    same(`${what} volatility points`, found.volPoints, volPoints, 8);
    same(`${what} bps of the underlying`, found.bpsOfUnderlying, usd.div(worth).times(10_000), 1);
  }
}

const total = (of: readonly BigNumber[]): BigNumber =>
  of.reduce((sum, one) => sum.plus(one), new BigNumber(0));

test('every figure of a report is the one that its definition gives', () => {
  const random = rng(`${process.env['TWAPD_SEED']} report`);
  for (let day = 0; day < cases(8); day += 1) {
    const plain = KINDS.map((kind) => new PlainReport(drawn(random, kind)));
    const costs = plain.map(({ leg }, number) =>
      costsOf(leg, must(KINDS[number], 'a kind').instrument, number),
    );
    for (const [number, one] of plain.entries()) compareLeg(must(costs[number], 'costs'), one);
    const sums = packageSums(costs);
    const whole = must(sums.shortfall, 'a shortfall');
    for (const part of PARTS) {
      const inUsd = plain.map((one) => one.shortfall[part].times(one.rate));
      const lost = total(plain.map((one) => one.shortfall.order.times(one.rate))).times('1e-8');
      near(`package ${part}`, whole[part], total(inUsd), lost);
    }
    const slippage = (benchmark: (one: PlainReport) => BigNumber): BigNumber =>
      total(plain.map((one) => one.slippageUsd(benchmark(one))));
    same(
      'decisionUsd',
      sums.slippage.decisionUsd,
      slippage((one) => one.decision),
      1,
    );
    same(
      'arrivalUsd',
      sums.slippage.arrivalUsd,
      slippage((one) => one.arrival),
      1,
    );
    same(
      'twapUsd',
      sums.slippage.twapUsd,
      slippage((one) => one.twap(one.leg.endAt)),
      1,
    );
    same(
      'vwapUsd',
      sums.slippage.vwapUsd,
      slippage((one) => one.vwap),
      1,
    );
    const options = plain.filter(({ isOption }) => isOption);
    for (const reference of ['mid', 'mark'] as const) {
      const found = must(
        sums.option.find((one) => one.reference === reference),
        'units of the options',
      );
      const units = options.map((one) => one.option(reference));
      const [usd, vega] = [total(units.map((one) => one.usd)), total(units.map((one) => one.vega))];
      same('package usd', found.usd, usd, 5);
      same('package volatility points', found.volPoints, usd.div(vega), 5);
    }
  }
});
