import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brownianPath } from '../../../src/exchange/market/prices/brownian-path.ts';

const LEVELS = 20;

describe('brownianPath', () => {
  it('each step has one value, in whatever order the steps are read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2 ** LEVELS), { minLength: 1, maxLength: 30, size: 'max' }),
        fc.nat(),
        (steps, seed) => {
          const once = brownianPath(seed, LEVELS);
          const again = brownianPath(seed, LEVELS);
          const forwards = new Map(steps.map((step) => [step, once.at(step)]));
          for (const step of [...steps].reverse()) {
            expect(again.at(step)).toBe(forwards.get(step));
          }
        },
      ),
    );
  });

  it('the walk starts at zero and differs by seed', () => {
    expect(brownianPath(1, LEVELS).at(0)).toBe(0);
    expect(brownianPath(1, LEVELS).at(777)).not.toBe(brownianPath(2, LEVELS).at(777));
  });

  it('steps have variance one and are uncorrelated', () => {
    const path = brownianPath(7, LEVELS);
    const count = 200_000;
    let [variance, covariance, before] = [0, 0, 0];
    for (let step = 1; step <= count; step += 1) {
      const move = path.at(step) - path.at(step - 1);
      variance += move * move;
      covariance += move * before;
      before = move;
    }
    expect(variance / count).toBeCloseTo(1, 1);
    expect(covariance / count).toBeCloseTo(0, 1);
  });

  it('a step outside the walk is refused', () => {
    const path = brownianPath(1, 4);
    expect(() => path.at(17)).toThrow('no step 17');
    expect(() => path.at(1.5)).toThrow('no step 1.5');
  });

  it('the variance is distributed as `shareOf` requests', () => {
    const levels = 16;
    // Three quarters of the variance of every span fall into its first half, down to four steps.
    const path = (seed: number) =>
      brownianPath(seed, levels, (_middle, length) => (length > 4 ? 0.75 : 0.5));
    const variance = (from: number, until: number): number => {
      let total = 0;
      for (let seed = 1; seed <= 2_000; seed += 1) {
        const walk = path(seed);
        total += (walk.at(until) - walk.at(from)) ** 2;
      }
      return total / 2_000 / 2 ** levels;
    };
    expect(variance(0, 2 ** levels)).toBeCloseTo(1, 0);
    expect(variance(0, 2 ** (levels - 1))).toBeCloseTo(0.75, 1);
    expect(variance(2 ** (levels - 1), 2 ** levels)).toBeCloseTo(0.25, 1);
  });
});
