// The venue's clock: of the questions asked lately, the one with the shortest way there and back tells
// it best. Counted on the steady clock, so that a jump of our wall clock changes nothing.
import { type Instant, instant } from '../../../values/instant.ts';

interface Sample {
  readonly roundTripMs: number;
  /** The venue's time less the steady clock. */
  readonly offsetMs: number;
}

const SAMPLES_MAX = 12;

export class VenueClock {
  #samples: readonly Sample[] = [];

  /** The venue said `venueAt` between the two readings of the steady clock. */
  note(venueAt: Instant, askedMs: number, heardMs: number): void {
    const roundTripMs = heardMs - askedMs;
    const sample = { roundTripMs, offsetMs: venueAt - (askedMs + heardMs) / 2 };
    this.#samples = [...this.#samples, sample].slice(-SAMPLES_MAX);
  }

  /** `undefined` before the first answer. */
  now(steadyMs: number): Instant | undefined {
    let best: Sample | undefined;
    for (const sample of this.#samples) {
      if (best === undefined || sample.roundTripMs <= best.roundTripMs) best = sample;
    }
    return best && instant(Math.floor(steadyMs + best.offsetMs));
  }
}
