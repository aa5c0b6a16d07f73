import { describe, expect, it } from 'vitest';
import type { Coin } from '../../../src/exchange/market/coins.ts';
import { START_PRICES } from '../../../src/exchange/market/coins.ts';
import { DAY_MS, HOUR_MS, type Instant, later, utcInstant } from '../../../src/values/instant.ts';
import { NOON, seededIndex } from './seeded.ts';

const YEAR_MS = 365 * DAY_MS;

interface Moves {
  readonly btc: number;
  readonly eth: number;
  readonly correlation: number;
}

/** Annual volatilities and correlation of moves over `stepMs`, from `count` of them. */
function moves(stepMs: number, count: number): Moves {
  const index = seededIndex();
  const move = (coin: Coin, at: Instant): number =>
    Math.log(index.price(coin, later(at, stepMs)) / index.price(coin, at));
  let [btc, eth, both] = [0, 0, 0];
  for (let number = 0; number < count; number += 1) {
    const at = later(NOON, number * stepMs);
    const [first, second] = [move('BTC', at), move('ETH', at)];
    btc += first * first;
    eth += second * second;
    both += first * second;
  }
  const yearly = (total: number): number => Math.sqrt((total / count) * (YEAR_MS / stepMs));
  return { btc: yearly(btc), eth: yearly(eth), correlation: both / Math.sqrt(btc * eth) };
}

describe('indexProcess', () => {
  it('stands at the start prices at the start', () => {
    const index = seededIndex();
    expect(index.price('BTC', NOON)).toBe(START_PRICES.BTC);
    expect(index.price('ETH', NOON)).toBe(START_PRICES.ETH);
  });

  it('is the same after a gap of a month as when every quarter second was looked at', () => {
    const watched = seededIndex();
    const end = later(NOON, 30 * DAY_MS);
    for (let at = later(end, -HOUR_MS); at < end; at = later(at, 250)) watched.price('BTC', at);
    expect(seededIndex().price('BTC', end)).toBe(watched.price('BTC', end));
  });

  it('does not care in which order coins and instants are asked for', () => {
    const [one, other] = [seededIndex(), seededIndex()];
    const instants = Array.from({ length: 200 }, (_, number) => later(NOON, number * 7_777));
    const forwards = instants.map((at) => [one.price('BTC', at), one.price('ETH', at)]);
    const backwards = instants
      .toReversed()
      .map((at) => [other.price('ETH', at), other.price('BTC', at)].toReversed());
    expect(backwards.toReversed()).toEqual(forwards);
  });

  it('holds still within a step', () => {
    const index = seededIndex();
    expect(index.price('BTC', later(NOON, 249))).toBe(index.price('BTC', NOON));
    expect(index.stepAt(later(NOON, 250))).toBe(index.stepAt(NOON) + 1);
  });

  it('moves as much over a minute as its volatility says, both coins together', () => {
    const { btc, eth, correlation } = moves(60_000, 20_000);
    expect(btc).toBeGreaterThan(0.5);
    expect(btc).toBeLessThan(0.62);
    expect(eth).toBeGreaterThan(0.63);
    expect(eth).toBeLessThan(0.8);
    expect(correlation).toBeGreaterThan(0.7);
    expect(correlation).toBeLessThan(0.9);
  });

  it('delivers at the mean of the half hour before expiry', () => {
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
