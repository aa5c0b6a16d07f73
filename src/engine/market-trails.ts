// The trails of the markets that are worked in: their middles are sampled every second, so that a jump is
// noticed before the next order.
import type { ControlLimits } from '../core/risk/gate/control-limits.ts';
import {
  type MarketTrail,
  NO_TRAIL,
  unrestAt,
  withSample,
} from '../core/risk/gate/market-unrest.ts';
import { middleOf } from '../core/risk/gate/price-collar.ts';
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { Venue } from '../ports/venue.ts';
import type { InstrumentName } from '../values/ids.ts';
import { type Instant, later } from '../values/instant.ts';

export interface MarketTrailsParts {
  readonly clock: Clock;
  readonly limits: () => ControlLimits;
}

export interface Market {
  readonly venue: Venue;
  readonly instrument: InstrumentName;
}

const EVERY_MS = 1_000;

export class MarketTrails {
  readonly #parts: MarketTrailsParts;
  #trails = new Map<string, MarketTrail>();
  #stopTimer: StopTimer = () => undefined;
  #worked: () => Iterable<Market> = () => [];

  constructor(parts: MarketTrailsParts) {
    this.#parts = parts;
  }

  /** Samples the markets `worked` names from now on; what is not named any more is forgotten. */
  start(worked: () => Iterable<Market>): void {
    this.#worked = worked;
    this.#again();
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Why the market is to be left alone, if so. */
  unrest(venue: Venue, instrument: string, now: Instant): string | undefined {
    const trail = this.#trails.get(`${venue.name}/${instrument}`);
    return trail && unrestAt(trail, now);
  }

  /** One look at every market that is worked in. */
  sample(): void {
    const { clock, limits } = this.#parts;
    const { market } = limits();
    const fresh = new Map<string, MarketTrail>();
    for (const { venue, instrument } of market === undefined ? [] : this.#worked()) {
      const key = `${venue.name}/${instrument}`;
      if (market === undefined || fresh.has(key)) continue;
      const trail = this.#trails.get(key) ?? NO_TRAIL;
      const quote = venue.quote(instrument);
      // An option's middle moves with its spread: jumps show in what it is on.
      const isOption = venue.instrument(instrument)?.kind === 'option';
      const middle = quote && (isOption ? quote.underlying : middleOf(quote));
      const at = clock.now();
      fresh.set(key, middle === undefined ? trail : withSample(trail, { at, middle }, market));
    }
    this.#trails = fresh;
  }

  #again(): void {
    const { clock } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), EVERY_MS), () => {
      this.sample();
      this.#again();
    });
  }
}
