import { describe, expect, it } from 'vitest';
import {
  type MarketTrail,
  NO_TRAIL,
  unrestAt,
  withSample,
} from '../../../../src/core/risk/gate/market-unrest.ts';
import { price } from '../../../../src/values/amounts.ts';
import { later } from '../../../../src/values/instant.ts';
import { NOON } from '../../../support/engine/markets.ts';

const LIMITS = { jumpBps: 100, windowMs: 10_000, spreadBps: 100, restMs: 5_000 };

const trailOf = (
  ...samples: readonly (readonly [afterMs: number, middle: string])[]
): MarketTrail =>
  samples.reduce(
    (trail, [afterMs, middle]) =>
      withSample(trail, { at: later(NOON, afterMs), middle: price(middle) }, LIMITS),
    NO_TRAIL,
  );

describe('PT-13, a jump of the market', () => {
  it.each([
    ['101000', false],
    ['101000.5', true],
    ['99000', false],
    ['98999.5', true],
  ])('a move from 100000 to %s with 1 %% allowed is a jump: %s', (to, isJump) => {
    const trail = trailOf([0, '100000'], [10_000, to]);
    expect(unrestAt(trail, later(NOON, 10_000)) !== undefined).toBe(isJump);
  });

  it('a move is a jump only within the window', () => {
    const trail = trailOf([0, '100000'], [10_001, '105000']);
    expect(unrestAt(trail, later(NOON, 10_001))).toBeUndefined();
  });

  it('trading pauses for the configured time after the last jump', () => {
    const trail = trailOf([0, '100000'], [1_000, '102000'], [2_000, '102000']);
    expect(unrestAt(trail, later(NOON, 6_999))).toBeDefined();
    expect(unrestAt(trail, later(NOON, 7_000))).toBeUndefined();
  });
});
