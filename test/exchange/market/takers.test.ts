import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  PRESSURE_MS,
  type TakerFlow,
  takerFlow,
} from '../../../src/exchange/market/liquidity/takers.ts';
import { LONG_CLUSTERS, SIDE_MOOD } from '../../../src/exchange/market/market-parameters.ts';
import { HOUR_MS } from '../../../src/values/instant.ts';
import { NOON } from './seeded.ts';

const TRAITS = {
  perSecond: 2,
  sizeSpread: { below: 2, above: 2 },
  sameSide: 0.97,
  clusters: LONG_CLUSTERS,
  sideMood: SIDE_MOOD,
};
const SPAN_MS = 12 * HOUR_MS;
const flow = (seed = 5): TakerFlow => takerFlow(seed, TRAITS);

/** Reads like a market: step by step. */
function arrivals(of: TakerFlow, stepMs = 250, spanMs = SPAN_MS): readonly Arrival[] {
  const all: Arrival[] = [];
  for (let at = 0; at < spanMs; at += stepMs) {
    all.push(...of.between(NOON + at, NOON + at + stepMs));
  }
  return all;
}

const all = arrivals(flow());

/** Variance of the counts per window relative to independent arrivals. */
function dispersion(windowMs: number): number {
  const counts = new Float64Array(SPAN_MS / windowMs);
  for (const { atMs } of all) {
    const window = Math.floor((atMs - NOON) / windowMs);
    counts[window] = (counts[window] ?? 0) + 1;
  }
  const mean = all.length / counts.length;
  return counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length / mean;
}

const agreement = (lag: number): number =>
  all.slice(lag).filter(({ sign }, at) => sign === all[at]?.sign).length / (all.length - lag);

describe('takers', () => {
  it('takers arrive at the configured rate, on both sides equally in the long run', () => {
    const perSecond = all.length / (SPAN_MS / 1_000);
    expect(perSecond).toBeGreaterThan(1.7);
    expect(perSecond).toBeLessThan(2.3);
    const buys = all.filter(({ sign }) => sign === 1).length;
    expect(buys / all.length).toBeGreaterThan(0.42);
    expect(buys / all.length).toBeLessThan(0.58);
  });

  it('takers cluster over one, ten and sixty seconds, as recorded', () => {
    // Recorded: 20 to 68, 22 to 95, 38 to 207.
    expect(dispersion(1_000)).toBeGreaterThan(13);
    expect(dispersion(10_000)).toBeGreaterThan(20);
    expect(dispersion(60_000)).toBeGreaterThan(30);
    expect(dispersion(60_000)).toBeLessThan(207);
  });

  it('consecutive takers have the same side more often than distant ones', () => {
    expect(agreement(1)).toBeGreaterThan(0.75);
    expect(agreement(1)).toBeLessThan(0.95);
    expect(agreement(20)).toBeLessThan(agreement(1) - 0.05);
    expect(agreement(20)).toBeGreaterThan(0.45);
  });

  it('taker sizes have the configured median and a heavy tail', () => {
    const sizes = all.map(({ size }) => size).sort((a, b) => a - b);
    const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
    expect(at(0.5)).toBeGreaterThan(0.93);
    expect(at(0.5)).toBeLessThan(1.07);
    expect(at(0.99)).toBeGreaterThan(70);
    const largest = sizes.slice(-Math.floor(sizes.length / 100));
    const share =
      largest.reduce((sum, size) => sum + size) / sizes.reduce((sum, size) => sum + size);
    expect(share).toBeGreaterThan(0.15);
  });

  it('takers do not depend on what was read before, or in which steps', () => {
    const hour = all.filter(({ atMs }) => atMs < NOON + HOUR_MS);
    expect(arrivals(flow(), 1_000, HOUR_MS)).toEqual(hour);
    const again = flow();
    again.between(NOON + 5 * HOUR_MS, NOON + 5 * HOUR_MS + 250);
    again.between(NOON - HOUR_MS, NOON);
    expect(arrivals(again, 7_777, HOUR_MS).filter(({ atMs }) => atMs < NOON + HOUR_MS)).toEqual(
      hour,
    );
    expect(arrivals(flow(6), 1_000, HOUR_MS)).not.toEqual(hour);
  });

  it("the makers' pressure contains recent takers and fades with age", () => {
    const flowing = flow();
    for (let at = NOON + PRESSURE_MS; at < NOON + HOUR_MS; at += 31_000) {
      const expected = all
        .filter(({ atMs, reserve }) => atMs > at - PRESSURE_MS && atMs <= at && reserve < 0.4)
        .reduce(
          (sum, { atMs, sign, size }) => sum + sign * size * (1 - (at - atMs) / PRESSURE_MS),
          0,
        );
      expect(flowing.pressure(at, 0.4)).toBeCloseTo(expected, 6);
    }
    expect(flowing.pressure(NOON + HOUR_MS, 0)).toBe(0);
  });
});
