// The times in which a book was in use: then its trades are those on the tape and none are computed. Spans that touch
// are joined; a bounded number is kept, and before the oldest one the book counts as unused.
import type { Instant } from '../../values/instant.ts';

interface UseSpan {
  readonly from: number;
  /** Once it is no longer in use. */
  until: number | undefined;
}

const SPANS_MAX = 1_024;
/** A book that is used again so soon was in use all the time. */
const JOINED_MS = 1_000;

export class UseSpans {
  /** Oldest first. */
  #spans: UseSpan[] = [];

  open(at: Instant): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && (last.until === undefined || at <= last.until + JOINED_MS)) {
      last.until = undefined;
      return;
    }
    this.#spans.push({ from: at, until: undefined });
    if (this.#spans.length > SPANS_MAX) this.#spans.shift();
  }

  close(at: Instant): void {
    const last = this.#spans.at(-1);
    if (last !== undefined) last.until ??= at;
  }

  /** Whether the book was in use at some instant of the span (epoch milliseconds, the last excluded). */
  meets(from: number, until: number): boolean {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#spans[middle]?.until ?? Number.POSITIVE_INFINITY) < from) low = middle + 1;
      else high = middle;
    }
    const span = this.#spans[low];
    return span !== undefined && span.from < until;
  }

  forget(before: Instant): void {
    this.#spans = this.#spans.filter(({ until }) => until === undefined || until >= before);
  }
}
