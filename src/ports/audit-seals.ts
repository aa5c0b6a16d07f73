// How far the events of each portfolio are sealed: a hash over all of them, each over the one before, so
// that none can be changed, left out or put in between without the seal telling.
import type { PortfolioId } from '../values/ids.ts';

export interface Seal {
  /** Number of events sealed, from the first. */
  readonly version: number;
  /** Lower-case hex. */
  readonly hash: string;
}

export interface AuditSeals {
  of(portfolio: PortfolioId): Promise<Seal | undefined>;
  /** Moves the seal on. False when another process has meanwhile: nothing was written. */
  put(
    portfolio: PortfolioId,
    move: { readonly from: Seal | undefined; readonly to: Seal },
  ): Promise<boolean>;
}

/** The hash of `text` after `previous`; one-way. Hex, empty for the beginning. */
export type ChainHash = (previous: string, text: string) => string;
