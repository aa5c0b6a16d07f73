import { describe, expect, test } from 'vitest';
import { rng } from '../../src/values/rng.ts';

describe('the seeded generator', () => {
  test('the same seed gives the same numbers, and different seeds give different ones', () => {
    const draw = (seed: string) => {
      const one = rng(seed);
      return Array.from({ length: 20 }, () => one.next());
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  test('a split neither depends on earlier draws nor changes later ones', () => {
    const early = rng('seed').split('part').next();
    const one = rng('seed');
    const other = rng('seed');
    expect(one.next()).toBe(other.next());
    expect(one.split('part').next()).toBe(early);
    expect(one.next()).toBe(other.next());
  });

  test('the moments of the uniform and normal draws are right', () => {
    const one = rng('moments');
    const uniform = Array.from({ length: 20_000 }, () => one.next());
    expect(uniform.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(uniform.reduce((a, b) => a + b, 0) / uniform.length).toBeCloseTo(0.5, 1);
    const normal = Array.from({ length: 20_000 }, () => one.normal());
    expect(normal.reduce((sum, x) => sum + x * x, 0) / normal.length).toBeCloseTo(1, 1);
  });
});
