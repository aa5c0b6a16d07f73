// Estimates the venue's clock. Of recent time queries the one with the shortest round trip is used. It
// advances with the steady clock, so that a jump of our wall clock changes nothing.
import { type Instant, instant } from '../../../values/instant.ts';

interface Sample {
  readonly roundTripMs: number;
  /** The venue's time minus the steady clock. */
  readonly offsetMs: number;
}

const SAMPLES_MAX = 12;

export class VenueClock {
  #samples: readonly Sample[] = [];

  /** The venue's time was `venueAt` at some moment between the two readings of the steady clock. */
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
