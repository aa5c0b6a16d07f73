// Small random deviations from an even schedule, as a function of seed, purpose and slice: any slice's draw can be
// recomputed without the others, also after a restart.
import { hash32 } from '../../values/rng.ts';

const SPAN = 4_294_967_296;

/** Uniform in [0, 1). */
export const drawn = (seed: string, purpose: 'size' | 'time', slice: number): number =>
  hash32(`${seed}/${purpose}/${slice}`) / SPAN;
