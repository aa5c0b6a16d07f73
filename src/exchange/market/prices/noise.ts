// Addressable randomness: the same seed and whole number give the same draw, whatever was drawn before, so
// that any moment of the market can be computed without the moments in between.

/** A 32-bit seed, for example from `hash32`. */
export type NoiseSeed = number;

/** Finaliser with full avalanche over 32 bits (constants of C. Wellons' `lowbias32`). */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 32 bits for a whole number of at most 53 bits. */
function bitsAt(seed: NoiseSeed, address: number): number {
  const low = address >>> 0;
  const high = Math.floor(address / 4_294_967_296) >>> 0;
  return mixed(mixed(mixed(seed) ^ low) ^ Math.imul(high, 0x9e3779b1));
}

/** Uniform in (0, 1). */
export const uniformAt = (seed: NoiseSeed, address: number): number =>
  (bitsAt(seed, address) + 0.5) / 4_294_967_296;

/** Normal with mean 0 and standard deviation 1 (Box and Muller). */
export function normalAt(seed: NoiseSeed, address: number): number {
  const radius = Math.sqrt(-2 * Math.log(uniformAt(seed, address)));
  return radius * Math.cos(2 * Math.PI * uniformAt(seed ^ 0x5bd1e995, address));
}

/** A smooth stationary signal; see {@link drift}. */
export type Drift = (at: number) => number;

/**
 * A smooth stationary signal with a standard deviation of about 0.8: normals at whole multiples of `period`,
 * blended in between, so that it is independent of its past after two periods. Caches the two adjacent
 * normals.
 */
export function drift(seed: NoiseSeed, period: number): Drift {
  let known = Number.NaN;
  let left = 0;
  let right = 0;
  return (at) => {
    const position = at / period;
    const knot = Math.floor(position);
    if (knot !== known) {
      left = knot === known + 1 ? right : normalAt(seed, knot);
      right = normalAt(seed, knot + 1);
      known = knot;
    }
    const within = position - knot;
    const blend = within * within * (3 - 2 * within);
    return left * (1 - blend) + right * blend;
  };
}
