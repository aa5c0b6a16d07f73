// Venues that have been away for long, and their return.
import type { Happening } from '../../core/notify/happening.ts';
import type { Venue } from '../../ports/venue.ts';
import { type Instant, later, MINUTE_MS } from '../../values/instant.ts';

/** A venue that comes and goes is reported once in this time, by all daemons together. */
const AGAIN_AFTER_MS = 10 * MINUTE_MS;

interface Absence {
  readonly since: Instant;
  isReported: boolean;
}

export class AbsentVenues {
  readonly #afterMs: number;
  readonly #away = new Map<string, Absence>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** What there is to report since the last check. */
  check(
    venues: readonly Pick<Venue, 'name' | 'trouble'>[],
    now: Instant,
  ): readonly Omit<Happening, 'at'>[] {
    return venues.flatMap((venue) => {
      const why = venue.trouble?.();
      return why === undefined ? this.#here(venue.name) : this.#gone(venue.name, why, now);
    });
  }

  #here(name: string): readonly Omit<Happening, 'at'>[] {
    const absence = this.#away.get(name);
    this.#away.delete(name);
    if (absence?.isReported !== true) return [];
    const key = `venue_back/${name}`;
    const title = `${name} is available again`;
    return [{ kind: 'venue_back', key, title, detail: '', againAfterMs: MINUTE_MS }];
  }

  #gone(name: string, why: string, now: Instant): readonly Omit<Happening, 'at'>[] {
    const absence = this.#away.get(name) ?? { since: now, isReported: false };
    this.#away.set(name, absence);
    if (absence.isReported || now < later(absence.since, this.#afterMs)) return [];
    absence.isReported = true;
    const key = `venue_away/${name}`;
    const title = `${name} cannot be traded on; slices wait`;
    return [{ kind: 'venue_away', key, title, detail: why, againAfterMs: AGAIN_AFTER_MS }];
  }
}
