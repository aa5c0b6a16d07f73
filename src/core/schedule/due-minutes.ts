// Keys by the minute in which they are due: what is due is found without a look at all that is not.
import type { Instant } from '../../values/instant.ts';

const MINUTE_MS = 60_000;

const minuteOf = (dueAt: Instant): number => Math.floor(dueAt / MINUTE_MS);

export class DueMinutes<K, V> {
  readonly #minutes = new Map<number, Map<K, V>>();

  add(dueAt: Instant, key: K, value: V): void {
    const minute = minuteOf(dueAt);
    const entries = this.#minutes.get(minute);
    if (entries === undefined) this.#minutes.set(minute, new Map([[key, value]]));
    else entries.set(key, value);
  }

  /** Does nothing if it is not there. */
  remove(dueAt: Instant, key: K): void {
    const minute = minuteOf(dueAt);
    const entries = this.#minutes.get(minute);
    if (entries?.delete(key) === true && entries.size === 0) this.#minutes.delete(minute);
  }

  /** The entries of all minutes that have begun, of which the last may be due a little later than `now`. */
  *begun(now: Instant): IterableIterator<readonly [K, V]> {
    for (const [minute, entries] of this.#minutes) {
      if (minute * MINUTE_MS <= now) yield* entries;
    }
  }

  /** The same, and they are removed. */
  takeBegun(now: Instant): readonly (readonly [K, V])[] {
    const taken = [...this.begun(now)];
    for (const minute of this.#minutes.keys()) {
      if (minute * MINUTE_MS <= now) this.#minutes.delete(minute);
    }
    return taken;
  }
}
