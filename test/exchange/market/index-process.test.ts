import { describe, expect, it } from 'vitest';
import type { Coin } from '../../../src/exchange/market/coins.ts';
import { START_PRICES } from '../../../src/exchange/market/market-parameters.ts';
import type { IndexProcess } from '../../../src/exchange/market/prices/index-process.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, utcInstant } from '../../../src/values/instant.ts';
import { NOON, seededIndex } from './seeded.ts';

const YEAR_MS = 365 * DAY_MS;

interface Moves {
  readonly btc: readonly number[];
  readonly eth: readonly number[];
}

/** `count` successive log moves over `stepMs`. */
function movesOf(index: IndexProcess, stepMs: number, count: number): Moves {
  const moves = (coin: Coin): readonly number[] =>
    Array.from({ length: count }, (_, number) => {
      const at = later(NOON, number * stepMs);
      return Math.log(index.price(coin, later(at, stepMs)) / index.price(coin, at));
    });
  return { btc: moves('BTC'), eth: moves('ETH') };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const squares = (values: readonly number[]): readonly number[] => values.map((each) => each ** 2);
const yearly = (moves: readonly number[], stepMs: number): number =>
  Math.sqrt(mean(squares(moves)) * (YEAR_MS / stepMs));
const correlation = ({ btc, eth }: Moves): number =>
  mean(btc.map((move, number) => move * (eth[number] ?? 0))) /
  Math.sqrt(mean(squares(btc)) * mean(squares(eth)));
const SEEDS = ['a', 'b', 'c', 'd'];
const SIX_HOURS_MS = 6 * HOUR_MS;

describe('indexProcess', () => {
  it('the index starts at the start prices', () => {
    const index = seededIndex();
    expect(index.price('BTC', NOON)).toBe(START_PRICES.BTC);
    expect(index.price('ETH', NOON)).toBe(START_PRICES.ETH);
  });

  it('the index is the same after a gap of a month as when read every quarter second', () => {
    const watched = seededIndex();
    const end = later(NOON, 30 * DAY_MS);
    for (let at = later(end, -HOUR_MS); at < end; at = later(at, 250)) watched.price('BTC', at);
    expect(seededIndex().price('BTC', end)).toBe(watched.price('BTC', end));
  });

  it('the index does not depend on the order in which coins and instants are read', () => {
    const [one, other] = [seededIndex(), seededIndex()];
    const instants = Array.from({ length: 200 }, (_, number) => later(NOON, number * 7_777));
    const forwards = instants.map((at) => [one.price('BTC', at), one.price('ETH', at)]);
    const backwards = instants
      .toReversed()
      .map((at) => [other.price('ETH', at), other.price('BTC', at)].toReversed());
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('the index is constant within a step', () => {
    const index = seededIndex();
    expect(index.price('BTC', later(NOON, 249))).toBe(index.price('BTC', NOON));
    expect(index.stepAt(later(NOON, 250))).toBe(index.stepAt(NOON) + 1);
  });

  it('six-hour moves have the recorded annual volatilities of 0.52 and 0.70', () => {
    const all = SEEDS.map((seed) => movesOf(seededIndex(seed), SIX_HOURS_MS, 400));
    expect(
      Math.abs(
        yearly(
          all.flatMap(({ btc }) => btc),
          SIX_HOURS_MS,
        ) - 0.52,
      ),
    ).toBeLessThan(0.06);
    expect(
      Math.abs(
        yearly(
          all.flatMap(({ eth }) => eth),
          SIX_HOURS_MS,
        ) - 0.7,
      ),
    ).toBeLessThan(0.08);
  });

  it.each([0, 0.5, 0.9, -0.6])(
    'the moves of the two coins have the configured correlation of %f',
    (set) => {
      for (const [stepMs, count] of [
        [MINUTE_MS, 3_000],
        [SIX_HOURS_MS, 400],
      ] as const) {
        const seen = SEEDS.map((seed) =>
          correlation(movesOf(seededIndex(seed, 250, set), stepMs, count)),
        );
        expect(Math.abs(mean(seen) - set)).toBeLessThan(0.1);
      }
    },
  );

  it('volatility clusters: large moves follow large ones, as recorded', () => {
    const all = SEEDS.map((seed) => movesOf(seededIndex(seed), SIX_HOURS_MS, 400).btc);
    const usual = mean(all.flatMap(squares));
    const fourth = mean(all.flatMap((moves) => squares(squares(moves))));
    const inTurn = mean(
      all.flatMap((moves) => moves.slice(1).map((move, at) => (move * (moves[at] ?? 0)) ** 2)),
    );
    // A memoryless walk has 3 and 1; the recorded index 6.4 and 2.1.
    expect(fourth / usual ** 2).toBeGreaterThan(4);
    expect(inTurn / usual ** 2).toBeGreaterThan(1.1);
  });

  it('moves are larger in hours of a higher pace', () => {
    const hours = SEEDS.flatMap((seed) => {
      const index = seededIndex(seed);
      return movesOf(index, HOUR_MS, 1_000).btc.map((move, number) => {
        const at = later(NOON, number * HOUR_MS + HOUR_MS / 2);
        return { pace: index.pace(at), square: move ** 2 };
      });
    }).sort((a, b) => a.pace - b.pace);
    expect(mean(hours.map(({ pace }) => pace))).toBeGreaterThan(0.75);
    expect(mean(hours.map(({ pace }) => pace))).toBeLessThan(1.25);
    const third = Math.floor(hours.length / 3);
    const [calm, wild] = [hours.slice(0, third), hours.slice(-third)];
    const of = (some: typeof hours): number => mean(some.map(({ square }) => square));
    expect(of(wild)).toBeGreaterThan(2 * of(calm));
  });

  it('the shock measures recent moves in standard deviations: few are large, jumps are', () => {
    const index = seededIndex();
    const shocks = Array.from({ length: 20_000 }, (_, number) =>
      index.shock('BTC', later(NOON, number * 5_000)),
    ).sort((a, b) => a - b);
    expect(shocks[10_000]).toBeLessThan(1.5);
    expect(shocks[19_000]).toBeLessThan(5);
    expect(shocks.at(-1)).toBeGreaterThan(6);
  });

  it('the delivery price is the average of the half hour before expiry', () => {
    const index = seededIndex();
    const expiry = utcInstant({ year: 2026, month: 11, day: 27, hour: 8 });
    const seen: number[] = [];
    for (let at = later(expiry, -HOUR_MS / 2); at < expiry; at = later(at, 4_000)) {
      seen.push(index.price('ETH', at));
    }
    expect(seen).toHaveLength(450);
    const mean = seen.reduce((sum, price) => sum + price) / seen.length;
    expect(index.deliveryPrice('ETH', expiry)).toBeCloseTo(mean, 1);
    expect(index.deliveryPrice('ETH', expiry)).toBeGreaterThan(Math.min(...seen));
    expect(index.deliveryPrice('ETH', expiry)).toBeLessThan(Math.max(...seen));
  });
});
