// The protection group of each quote made here: the wire of Block RFQs has none. The latest are remembered; of a quote
// made elsewhere, or before a restart, the group is not known.
import { LatestMap } from '../../../values/latest-map.ts';

const KEPT_MAX = 10_000;

export class QuoteGroups {
  readonly #groups = new LatestMap<string, string>(KEPT_MAX);

  note(quoteId: string, group = ''): void {
    this.#groups.set(quoteId, group);
  }

  of(quoteId: string): string | undefined {
    return this.#groups.get(quoteId) || undefined;
  }

  /** Protection must not leave a quote because nobody remembers its group. */
  mayBeOf(quoteId: string, group: string): boolean {
    return (this.#groups.get(quoteId) ?? group) === group;
  }
}
