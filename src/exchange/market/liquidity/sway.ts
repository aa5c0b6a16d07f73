// The opinion of a book's makers about the fair value, in standard deviations: where it differs from the market's.
import { BEATS, SWAY } from '../market-parameters.ts';
import { type Drift, drift, type NoiseSeed } from '../prices/noise.ts';

/** A smooth signal whose swings are larger in some minutes than in others. */
export function swayOf(seed: NoiseSeed): Drift {
  const swing = drift(seed ^ 0x510e527f, SWAY.periodMs);
  const swell = drift(seed ^ 0x1f83d9ab, BEATS.swellMs);
  return (atMs) => Math.exp(SWAY.swell * swell(atMs)) * swing(atMs);
}
