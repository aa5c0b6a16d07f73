// The takers of one book: independent arrivals at a given rate, of sizes with a long tail, buying and
// selling alike. What they do in a step depends on the seed and the number of the step alone.
import type { Side } from '../../values/instrument.ts';
import type { Liquidity } from './liquidity.ts';
import { type NoiseSeed, normalAt, uniformAt } from './noise.ts';

export interface Taker {
  readonly side: Side;
  /** In the amount unit. */
  readonly size: number;
}

/** Spread of the logarithm of a size: one in a hundred is ten times the median. */
const SIZE_SPREAD = 1;
const ARRIVALS_MAX = 4;

/** Who takes during `step`, which lasts `stepMs`. */
export function takersIn(
  step: number,
  { seed, stepMs }: { readonly seed: NoiseSeed; readonly stepMs: number },
  liquidity: Liquidity,
): readonly Taker[] {
  const expected = (liquidity.takersPerSecond * stepMs) / 1_000;
  const count = arrivals(uniformAt(seed, step), expected);
  return Array.from({ length: count }, (_, number) => {
    const address = step * ARRIVALS_MAX + number;
    return {
      side: uniformAt(seed ^ 0x1f83d9ab, address) < 0.5 ? 'buy' : 'sell',
      size: liquidity.takerSize * Math.exp(SIZE_SPREAD * normalAt(seed ^ 0x5be0cd19, address)),
    } as const;
  });
}

/** The Poisson count that a uniform draw stands for, at most {@link ARRIVALS_MAX}. */
function arrivals(draw: number, expected: number): number {
  let chance = Math.exp(-expected);
  let total = chance;
  let count = 0;
  while (draw > total && count < ARRIVALS_MAX) {
    count += 1;
    chance *= expected / count;
    total += chance;
  }
  return count;
}
