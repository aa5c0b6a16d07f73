// How far the events of each portfolio are sealed by a hash chain, so that an event that is changed, removed or
// inserted is detected.
import type { PortfolioId } from '../values/ids.ts';

export interface Seal {
  /** Number of events sealed, from the first. */
  readonly version: number;
  /** Lower-case hex. */
  readonly hash: string;
}

export interface AuditSeals {
  of(portfolio: PortfolioId): Promise<Seal | undefined>;
  /** Advances the seal. False if another process advanced it meanwhile: nothing was written. */
  put(
    portfolio: PortfolioId,
    move: { readonly from: Seal | undefined; readonly to: Seal },
  ): Promise<boolean>;
}

/** The one-way hash of `text` chained to `previous`. Hex; empty at the start of the chain. */
export type ChainHash = (previous: string, text: string) => string;
