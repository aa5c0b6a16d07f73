// Records the recent mid prices of the markets being traded, sampled every second, so that a jump is detected
// before the next order.
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import {
  type MarketTrail,
  NO_TRAIL,
  type Unrest,
  unrestAt,
  withSample,
} from '../../core/risk/gate/market-unrest.ts';
import { middleOf } from '../../core/risk/gate/price-collar.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { isCombo } from '../../values/instrument.ts';

export interface MarketTrailsOptions {
  readonly clock: Clock;
  readonly limits: () => ControlLimits;
}

/** Stops following; a market without followers is dropped. */
export type StopFollowing = () => void;

interface Market {
  readonly venue: Venue;
  readonly instrument: InstrumentName;
  trail: MarketTrail;
  followers: number;
}

const EVERY_MS = 1_000;

/** How long before an order its market has to be followed, so that no jump that forbids the order is overlooked. */
export const followedBeforeMs = ({ market }: Pick<ControlLimits, 'market'>): number =>
  market === undefined ? 0 : market.windowMs + market.restMs + EVERY_MS;

export class MarketTrails {
  readonly #parts: MarketTrailsOptions;
  readonly #markets = new Map<string, Market>();
  #stopTimer: StopTimer = () => undefined;

  constructor(parts: MarketTrailsOptions) {
    this.#parts = parts;
  }

  /** Starts to sample the followed markets. */
  start(): void {
    this.#again();
  }

  follow(venue: Venue, instrument: InstrumentName): StopFollowing {
    const key = keyOf(venue, instrument);
    const market = this.#markets.get(key) ?? { venue, instrument, trail: NO_TRAIL, followers: 0 };
    this.#markets.set(key, market);
    market.followers += 1;
    return () => {
      market.followers -= 1;
      if (market.followers === 0) this.#markets.delete(key);
    };
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Why the market must not be traded at the moment, and until when; `undefined` if it may. */
  unrest(venue: Venue, instrument: string, now: Instant): Unrest | undefined {
    const market = this.#markets.get(keyOf(venue, instrument));
    return market && unrestAt(market.trail, now);
  }

  /** Samples every followed market once. */
  sample(): void {
    const { clock, limits } = this.#parts;
    const { market: limit } = limits();
    for (const market of this.#markets.values()) {
      if (limit === undefined) market.trail = NO_TRAIL;
      const middle = limit && middleNow(market);
      if (limit === undefined || middle === undefined) continue;
      market.trail = withSample(market.trail, { at: clock.now(), middle }, limit);
    }
  }

  #again(): void {
    const { clock } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), EVERY_MS), () => {
      this.sample();
      this.#again();
    });
  }
}

const keyOf = ({ name }: Venue, instrument: string): string => `${name}/${instrument}`;

/** An option's mid moves with its spread, so jumps are measured on its underlying. */
function middleNow({ venue, instrument }: Market): ReturnType<typeof middleOf> {
  const quote = venue.quote(instrument);
  if (quote === undefined) return undefined;
  const terms = venue.instrument(instrument);
  if (terms !== undefined && isCombo(terms)) return quote.underlying ?? quote.index;
  return terms?.kind === 'option' ? quote.underlying : middleOf(quote);
}
