// Compares the generated market with recorded ones: medians within a factor, over a mixture of calm and
// volatile hours. The sources of the recorded figures are named where the market is configured.

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type InstrumentName, instrumentName } from '../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { cases } from '../../support/cases.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { NOON } from './seeded.ts';

interface Seen {
  /** Relative width in basis points, once a second. */
  readonly widths: readonly number[];
  /** USD at the best prices. */
  readonly touches: readonly number[];
  /** USD per side within some basis points of the mid price, once a second. */
  readonly within: (basisPoints: number) => readonly number[];
  /** Size of each taker in USD. */
  readonly takers: readonly number[];
  /** USD in each minute. */
  readonly turnovers: readonly number[];
  readonly minutes: number;
}

const seeds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String.fromCharCode(97 + number));
/** A small market has few takers a minute, so that its medians need more of them. */
const [SEEDS, SEEDS_OF_SMALL] = [seeds(cases(4)), seeds(cases(9))];
/** Minutes from several days, so that calm and volatile hours are included. */
const PIECES = Array.from({ length: 8 }, (_, number) => number * 13 * HOUR_MS);
const PIECE_MS = 3 * MINUTE_MS;

function watch(name: InstrumentName, from = SEEDS): Seen {
  const widths: number[] = [];
  const touches: number[] = [];
  const takers: number[] = [];
  const turnovers: number[] = [];
  const levels: { away: number; usd: number }[][] = [];
  for (const seed of from) {
    for (const piece of PIECES) {
      const market = seededMarket({ seed, startAt: NOON });
      const exchange = new Exchange({ instruments: [], accounts: [] });
      const start = later(NOON, piece);
      for (const command of market.start(name, start)) exchange.handle(command);
      const { amountUnit, amountStep } = must(market.instrument(name, start), name);
      const usd = (amount: number, price: number): number =>
        amountUnit === 'usd' ? amount : amount * price;
      for (let now = start; now < start + PIECE_MS; now = later(now, 250)) {
        if ((now - start) % MINUTE_MS === 0) turnovers.push(0);
        const index = toNumber(must(exchange.reference(name)?.index, name));
        for (const command of market.step(now)) {
          if (command.kind === 'take') takers.push(usd(command.lots * toNumber(amountStep), index));
          exchange.handle(command);
        }
        for (const event of exchange.drainEvents()) {
          if (event.kind !== 'print') continue;
          const sum = (turnovers.at(-1) ?? 0) + usd(event.lots * toNumber(amountStep), index);
          turnovers[turnovers.length - 1] = sum;
        }
        if ((now - start) % 1_000 !== 0) continue;
        const { bids, asks } = exchange.depth(name, 30);
        const [bid, ask] = [
          toNumber(must(bids[0], 'bid').price),
          toNumber(must(asks[0], 'ask').price),
        ];
        const middle = (bid + ask) / 2;
        widths.push(((ask - bid) / middle) * 10_000);
        for (const side of [bids, asks]) {
          const standing = side.map(({ price, quantity }) => ({
            away: (Math.abs(toNumber(price) - middle) / middle) * 10_000,
            usd: usd(toNumber(quantity), middle),
          }));
          levels.push(standing);
          touches.push(must(standing[0], 'a level').usd);
        }
      }
    }
  }
  const within = (basisPoints: number): readonly number[] =>
    levels.map((side) =>
      side.reduce((sum, { away, usd }) => sum + (away <= basisPoints ? usd : 0), 0),
    );
  const minutes = (from.length * PIECES.length * PIECE_MS) / MINUTE_MS;
  return { widths, touches, within, takers, turnovers, minutes };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return must(sorted[Math.floor(sorted.length * share)], 'something was seen');
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

function expectNear(seen: number, recorded: number, factor: number): void {
  expect(seen).toBeGreaterThan(recorded / factor);
  expect(seen).toBeLessThan(recorded * factor);
}

describe('the generated market compared with recorded ones', () => {
  it.each([
    {
      name: 'BTC-PERPETUAL',
      tickBps: (0.5 / 90_000) * 10_000,
      touch: { 0.25: 17_000, 0.5: 81_000, 0.75: 130_000 },
      depth: { 2: 380_000, 4: 1_000_000, 8: 3_500_000 },
      turnover: 93_000,
      taker: { 0.25: 300, 0.5: 1_000, 0.75: 5_900 },
    },
    {
      name: 'ETH-PERPETUAL',
      tickBps: (0.05 / 3_000) * 10_000,
      touch: { 0.5: 23_400 },
      depth: { 2: 87_000, 4: 550_000, 8: 1_900_000 },
      turnover: 18_000,
      taker: { 0.25: 180, 0.5: 555, 0.75: 1_480 },
    },
  ])('$name has the recorded width of one tick, depth, turnover and size of takers', (recorded) => {
    const seen = watch(instrumentName(recorded.name));
    expectNear(median(seen.widths), recorded.tickBps, 1.5);
    expectNear(quantile(seen.widths, 0.95), 3 * recorded.tickBps, 3.5);
    for (const [share, usd] of Object.entries(recorded.touch)) {
      expectNear(quantile(seen.touches, Number(share)), usd, 1.5);
    }
    for (const [basisPoints, usd] of Object.entries(recorded.depth)) {
      expectNear(median(seen.within(Number(basisPoints))), usd, 2);
    }
    expectNear(median(seen.turnovers), recorded.turnover, 1.6);
    for (const [share, usd] of Object.entries(recorded.taker)) {
      expectNear(quantile(seen.takers, Number(share)), usd, 1.5);
    }
  });

  it('ETH_USDC has the width, depth and takers of a small dollar market', () => {
    const seen = watch(instrumentName('ETH_USDC'), SEEDS_OF_SMALL);
    expectNear(median(seen.widths), 4.68, 1.5);
    expectNear(median(seen.touches), 614, 1.5);
    expectNear(quantile(seen.touches, 0.75), 1_690, 1.5);
    expectNear(seen.takers.length / seen.minutes, 12.4, 1.5);
    expectNear(median(seen.takers), 480, 1.5);
    expectNear(quantile(seen.takers, 0.75), 1_940, 1.5);
  });
});

/** Recorded median widths in coins by delta: near the money, in the wings, in the money. */
const RECORDED_WIDTHS = [
  { coin: 'BTC', days: [1, 3], widths: { far: 0.0002, out: 0.0004, near: 0.001, deep: 0.004 } },
  { coin: 'BTC', days: [3, 10], widths: { far: 0.0003, out: 0.0005, near: 0.001, deep: 0.0045 } },
  { coin: 'BTC', days: [10, 40], widths: { far: 0.0003, out: 0.001, near: 0.001, deep: 0.004 } },
  { coin: 'BTC', days: [40, 120], widths: { far: 0.0005, out: 0.001, near: 0.001, deep: 0.006 } },
  {
    coin: 'BTC',
    days: [120, 400],
    widths: { far: 0.001, out: 0.0015, near: 0.0025, deep: 0.0085 },
  },
  { coin: 'ETH', days: [1, 3], widths: { far: 0.0003, out: 0.0005, near: 0.001, deep: 0.007 } },
  { coin: 'ETH', days: [3, 10], widths: { far: 0.0003, out: 0.0008, near: 0.001, deep: 0.007 } },
  { coin: 'ETH', days: [10, 40], widths: { far: 0.0004, out: 0.001, near: 0.0015, deep: 0.0075 } },
  { coin: 'ETH', days: [40, 120], widths: { far: 0.0008, out: 0.001, near: 0.002, deep: 0.0115 } },
] as const;

const bucketOf = (delta: number): 'wing' | 'far' | 'out' | 'near' | 'deep' | 'deepest' => {
  if (delta < 0.02) return 'wing';
  if (delta < 0.1) return 'far';
  if (delta < 0.25) return 'out';
  if (delta < 0.75) return 'near';
  return delta < 0.9 ? 'deep' : 'deepest';
};

describe('the generated option chains compared with recorded ones', () => {
  const seen = new Map<string, number[]>();
  const touches: number[] = [];
  const bids = { wing: 0, wings: 0 };
  for (const seed of SEEDS) {
    for (const day of [0, 9, 23]) {
      const now = later(NOON, day * DAY_MS);
      const market = seededMarket({ seed, startAt: NOON });
      const exchange = new Exchange({ instruments: [], accounts: [] });
      for (const instrument of market.instruments(now)) {
        if (instrument.kind !== 'option') continue;
        const { name, base, expiresAt } = instrument;
        for (const command of market.start(name, now)) exchange.handle(command);
        const delta = Math.abs(must(exchange.reference(name)?.greeks?.delta, 'a delta'));
        const days = (Number(expiresAt) - now) / DAY_MS;
        const { bid, ask } = exchange.best(name);
        const bucket = bucketOf(delta);
        if (bucket === 'wing') bids.wings += 1;
        if (bid === undefined || ask === undefined) continue;
        if (bucket === 'wing') bids.wing += 1;
        if (bucket === 'near' && base === 'BTC') touches.push(toNumber(bid.quantity));
        const row = RECORDED_WIDTHS.find(
          (each) => each.coin === base && days >= each.days[0] && days < each.days[1],
        );
        const key = `${base} ${row?.days} ${bucket}`;
        seen.set(key, [...(seen.get(key) ?? []), toNumber(ask.price) - toNumber(bid.price)]);
      }
    }
  }

  it.each(RECORDED_WIDTHS)(
    '$coin options with $days days to expiry have the recorded widths by moneyness',
    ({ coin, days, widths }) => {
      for (const [bucket, width] of nonEmpty(Object.entries(widths))) {
        expectNear(median(seen.get(`${coin} ${days} ${bucket}`) ?? []), width, 2.1);
      }
    },
  );

  it('in the money, a third to a half of the books of a week are ten times as wide as the others', () => {
    const deep = [...seen]
      .filter(([key]) => key.includes(' 3,10 deep'))
      .flatMap(([, widths]) => widths);
    const wide = deep.filter((width) => width > 0.015);
    const narrow = deep.filter((width) => width <= 0.015);
    expectNear(wide.length / deep.length, 0.4, 1.5);
    expectNear(median(wide) / median(narrow), 11, 1.8);
  });

  it('options have a few coins at the best price near the money, and sometimes no bid in the wings', () => {
    expectNear(median(touches), 5, 2);
    const share = bids.wing / bids.wings;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.9);
  });
});
