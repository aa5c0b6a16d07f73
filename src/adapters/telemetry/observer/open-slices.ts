// Remembers, for open slices, whether they placed a child and why not, so that a slice that ends without one
// is counted with its reason. Lost with the process, bounded, and never used for decisions.
import type { SkipReason } from '../../../core/terms/reasons.ts';
import type { PortfolioId } from '../../../values/ids.ts';

/** Of a leg. */
interface OpenSlice {
  readonly slice: number;
  isPlaced: boolean;
  reason: SkipReason;
}

/** Another process may end a portfolio that started here; its leftovers are evicted at this number. */
const PORTFOLIOS_MAX = 20_000;

export class OpenSlices {
  readonly #open = new Map<PortfolioId, (OpenSlice | undefined)[]>();

  started(portfolio: PortfolioId, leg: number, slice: number): void {
    this.#legsOf(portfolio)[leg] = { slice, isPlaced: false, reason: 'nothing_due' };
  }

  placed(portfolio: PortfolioId, leg: number): void {
    const open = this.#open.get(portfolio)?.[leg];
    if (open !== undefined) open.isPlaced = true;
  }

  waiting(portfolio: PortfolioId, leg: number, reason: SkipReason): void {
    const open = this.#open.get(portfolio)?.[leg];
    if (open !== undefined) open.reason = reason;
  }

  /** The reason if the slice placed nothing; `undefined` if it placed, or if that is not known. */
  ended(portfolio: PortfolioId, leg: number, slice: number): SkipReason | undefined {
    const legs = this.#open.get(portfolio);
    const open = legs?.[leg];
    if (legs === undefined || open?.slice !== slice) return undefined;
    legs[leg] = undefined;
    return open.isPlaced ? undefined : open.reason;
  }

  forget(portfolio: PortfolioId): void {
    this.#open.delete(portfolio);
  }

  #legsOf(portfolio: PortfolioId): (OpenSlice | undefined)[] {
    const known = this.#open.get(portfolio);
    if (known !== undefined) return known;
    const [oldest] = this.#open.size < PORTFOLIOS_MAX ? [] : this.#open.keys();
    if (oldest !== undefined) this.#open.delete(oldest);
    const legs: (OpenSlice | undefined)[] = [];
    this.#open.set(portfolio, legs);
    return legs;
  }
}
