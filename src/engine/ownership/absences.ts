// Finds out which members are gone although their membership has not run out: those without a connection in all views of
// a while. A member that only lost its connection has another one sooner.
import type { LeaseView } from '../../core/ownership/lease.ts';
import type { Clock } from '../../ports/clock.ts';

/** Longer than a daemon that lives takes to notice that its connection was replaced. */
export const GONE_MS = 800;

export class Absences {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #former: string | undefined;
  /** Members seen without a connection, and since when, on the monotonic clock. */
  readonly #missing = new Map<string, number>();

  /** `former` is known to have died: it is gone as soon as its connection is. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, former?: string) {
    this.#clock = clock;
    this.#former = former;
  }

  /**
   * The members of the view that are not there any more. While they `areReturning` from an outage of the store, in which
   * nobody could renew a membership, one that has run out says nothing.
   */
  note(
    { members }: Pick<LeaseView, 'members'>,
    { areReturning = false } = {},
  ): ReadonlySet<string> {
    const nowMs = this.#clock.monotonicMs();
    const missing = new Set(members.flatMap((one) => (one.isConnected ? [] : [one.name])));
    for (const name of [...this.#missing.keys()])
      if (!missing.has(name)) this.#missing.delete(name);
    for (const name of missing) if (!this.#missing.has(name)) this.#missing.set(name, nowMs);
    const isGone = (name: string): boolean => {
      const sinceMs = this.#missing.get(name);
      if (sinceMs === undefined) return false;
      return name === this.#former || nowMs - sinceMs >= GONE_MS;
    };
    return new Set(
      members.flatMap(({ name, isCurrent }) =>
        (!isCurrent && !areReturning) || isGone(name) ? [name] : [],
      ),
    );
  }
}
