// The primitives for drawing a plan: a value with a probability, and one of several.
import type { Rng } from '../../../src/values/rng.ts';

export const chance = (draw: Rng, share: number): boolean => draw.next() < share;

export function pick<T>(draw: Rng, from: readonly T[]): T {
  return from[draw.below(from.length)] as T;
}
