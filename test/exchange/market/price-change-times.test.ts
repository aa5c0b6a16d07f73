import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  priceChangeTimes,
  QUICK,
  SLOW,
} from '../../../src/exchange/market/prices/price-change-times.ts';
import { HOUR_MS, later } from '../../../src/values/instant.ts';
import { NOON, seededIndex } from './seeded.ts';

const STEP_MS = 250;
const FIRST = NOON / STEP_MS;
const clock = (seed: number) => ({ seed, stepMs: STEP_MS, paceAt: () => 1 });

describe('the changes of prices', () => {
  it('changes do not depend on which instants are asked about before, or in which order', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(20_000), { minLength: 1 }), (seed, steps) => {
        const asked = priceChangeTimes(clock(seed), QUICK);
        for (const step of steps) {
          const alone = priceChangeTimes(clock(seed), QUICK).last(FIRST + step);
          expect(asked.last(FIRST + step)).toBe(alone);
        }
      }),
    );
  });

  it('changes are at most a few seconds apart, and those of options are among those of the index', () => {
    const [quick, slow] = [priceChangeTimes(clock(7), QUICK), priceChangeTimes(clock(7), SLOW)];
    for (let step = FIRST; step < FIRST + 20_000; step += 1) {
      expect(step - quick.last(step)).toBeLessThan(QUICK.stillMs / STEP_MS);
      const last = slow.last(step);
      expect(step - last).toBeLessThan(SLOW.stillMs / STEP_MS);
      expect(priceChangeTimes(clock(7), QUICK).last(last)).toBe(last);
    }
  });

  it('changes leave about as many seconds still as recorded: between 0.36 and 0.88', () => {
    for (const seed of ['a', 'b', 'c']) {
      const index = seededIndex(seed);
      let still = 0;
      for (let second = 0; second < 3_600; second += 1) {
        const at = later(NOON, HOUR_MS + second * 1_000);
        if (index.price('BTC', at) === index.price('BTC', later(at, 1_000))) still += 1;
      }
      expect(still / 3_600).toBeGreaterThan(0.36);
      expect(still / 3_600).toBeLessThan(0.88);
    }
  });
});
