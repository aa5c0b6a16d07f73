// Remembers, for slices that are open, whether they placed a child and why not, so that a slice that
// ends without one is counted with its reason. Lost with the process, bounded, never asked for facts.
import type { SkipReason } from '../../core/portfolio/event.ts';
import type { PortfolioId } from '../../values/ids.ts';

interface OpenSlice {
  readonly slice: number;
  isPlaced: boolean;
  reason: SkipReason;
}

/** Another process may end a slice begun here; what it leaves behind is pushed out at this number. */
const OPEN_MAX = 50_000;

export class OpenSlices {
  readonly #open = new Map<string, OpenSlice>();

  started(portfolio: PortfolioId, leg: number, slice: number): void {
    const key = `${portfolio}/${leg}`;
    this.#open.delete(key);
    this.#open.set(key, { slice, isPlaced: false, reason: 'nothing_due' });
    if (this.#open.size <= OPEN_MAX) return;
    for (const oldest of this.#open.keys()) {
      this.#open.delete(oldest);
      return;
    }
  }

  placed(portfolio: PortfolioId, leg: number): void {
    const open = this.#open.get(`${portfolio}/${leg}`);
    if (open !== undefined) open.isPlaced = true;
  }

  waiting(portfolio: PortfolioId, leg: number, reason: SkipReason): void {
    const open = this.#open.get(`${portfolio}/${leg}`);
    if (open !== undefined) open.reason = reason;
  }

  /** The reason when the slice placed nothing; `undefined` when it did, or when that is not known. */
  ended(portfolio: PortfolioId, leg: number, slice: number): SkipReason | undefined {
    const key = `${portfolio}/${leg}`;
    const open = this.#open.get(key);
    if (open?.slice !== slice) return undefined;
    this.#open.delete(key);
    return open.isPlaced ? undefined : open.reason;
  }

  forget(portfolio: PortfolioId, legs: number): void {
    for (let leg = 0; leg < legs; leg += 1) this.#open.delete(`${portfolio}/${leg}`);
  }
}
