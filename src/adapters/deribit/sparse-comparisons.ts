// Comparisons with the venue for what was lost: the first at once, and where more is lost within the pause that follows, one
// more at its end. So a venue that sends many messages that cannot be read is not flooded with look-ups, and the last of
// them is compared too.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { later } from '../../values/instant.ts';

const PAUSE_MS = 10_000;

export class SparseComparisons<Subject> {
  readonly #clock: Clock;
  readonly #compare: (subject: Subject) => void;
  /** Compared a moment ago: the end of the pause, and whether anything was lost since. */
  readonly #recent = new Map<Subject, { readonly stop: StopTimer; isDue: boolean }>();

  constructor(clock: Clock, compare: (subject: Subject) => void) {
    this.#clock = clock;
    this.#compare = compare;
  }

  /** Something about the subject was lost. */
  lost(subject: Subject): void {
    const recent = this.#recent.get(subject);
    if (recent !== undefined) {
      recent.isDue = true;
      return;
    }
    const stop = this.#clock.at(later(this.#clock.now(), PAUSE_MS), () => {
      const isDue = this.#recent.get(subject)?.isDue;
      this.#recent.delete(subject);
      if (isDue === true) this.lost(subject);
    });
    this.#recent.set(subject, { stop, isDue: false });
    this.#compare(subject);
  }

  close(): void {
    for (const { stop } of this.#recent.values()) stop();
    this.#recent.clear();
  }
}
