// The instants at which prices change: they come in bursts, with still seconds in between. Between two of them every
// index, mark price, volatility and quote of the market stays as it is, so that no price is ahead of another.
import { SECOND_MS } from '../../../values/instant.ts';
import { PRICE_CHANGES } from '../market-parameters.ts';
import { drift, type NoiseSeed, uniformAt } from './noise.ts';

export interface PriceChangeTimes {
  /** The last step, up to and including `step`, at which prices changed; a few seconds earlier at most. */
  last(step: number): number;
}

/** How often prices change: the rate relative to the usual one, and the longest time without a change. */
export interface Tempo {
  readonly share: number;
  readonly stillMs: number;
}

/** Indexes, perpetuals and spot. The longest still time bounds the search for the last change. */
export const QUICK: Tempo = PRICE_CHANGES.quick;
/**
 * Options and dated futures, all at the same instants, which are instants of {@link QUICK} too: quotes of hundreds of
 * strikes are not revised with every tick of the index.
 */
export const SLOW: Tempo = PRICE_CHANGES.slow;

/** The logarithm of how busy prices are at a time (epoch milliseconds) in excess of the hour. */
export function bursts(seed: NoiseSeed): (atMs: number) => number {
  const burst = drift(seed ^ 0x1f83d9ab, PRICE_CHANGES.burstMs);
  const swell = drift(seed ^ 0x5be0cd19, PRICE_CHANGES.swellMs);
  return (atMs) => PRICE_CHANGES.burst * burst(atMs) + PRICE_CHANGES.swell * swell(atMs);
}

export function priceChangeTimes(
  of: {
    readonly seed: NoiseSeed;
    readonly stepMs: number;
    readonly paceAt: (step: number) => number;
  },
  tempo: Tempo,
): PriceChangeTimes {
  const { seed, stepMs, paceAt } = of;
  const burstAt = bursts(seed);
  const usual = (tempo.share * PRICE_CHANGES.perSecond * stepMs) / SECOND_MS;
  const stillSteps = Math.max(1, Math.floor(tempo.stillMs / stepMs));
  const isBeat = (step: number): boolean => {
    const draw = uniformAt(seed, step);
    const busy = Math.max(0.7, Math.min(3, Math.sqrt(paceAt(step))));
    const atMs = step * stepMs;
    return draw < usual * busy * Math.exp(burstAt(atMs));
  };

  let known = Number.NaN;
  let found = 0;
  return {
    last(step) {
      if (step === known) return found;
      // Read in order, the search ends where the previous one began.
      const isNext = step > known && step - known < stillSteps;
      const earliest = Math.floor(step / stillSteps) * stillSteps;
      let at = step;
      while (at > earliest && !isBeat(at)) {
        at -= 1;
        if (isNext && at === known) {
          at = Math.max(earliest, found);
          break;
        }
      }
      known = step;
      found = at;
      return at;
    },
  };
}
