// What the auditor reads of the ledger in its own way, and what it keeps beside the events: how far the chain
// of each portfolio was seen, and what each account held when it last agreed with its venue.
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Seal } from './audit-seals.ts';

export interface AuditReads {
  /** Events of the portfolio behind its first `version` ones, in order, at most `limit`. */
  eventsAfter(
    portfolio: PortfolioId,
    version: number,
    limit: number,
  ): Promise<readonly PortfolioEvent[]>;
  /** Every portfolio there is, behind `after` in the order of ids, at most `limit`. */
  portfoliosAfter(after: PortfolioId | undefined, limit: number): Promise<readonly PortfolioId[]>;
}

export interface PositionBaseline {
  /** By the venue's clock: trades behind it are not in `positions` yet. */
  readonly at: Instant;
  /** Signed amounts in the instruments' units, as text; absent is none. */
  readonly positions: Readonly<Record<InstrumentName, string>>;
}

export interface AuditBaselines {
  of(account: AccountId): Promise<PositionBaseline | undefined>;
  put(account: AccountId, baseline: PositionBaseline): Promise<void>;
  /** What the account holds by then is what is agreed. */
  remove(account: AccountId): Promise<void>;
}

/** Heads of the chains of hashes, kept where whoever changes the ledger does not reach them. */
export interface ChainWitness {
  of(portfolio: PortfolioId): Seal | undefined;
  /** The newest of each portfolio it still knows. */
  portfolios(): Iterable<PortfolioId>;
  note(portfolio: PortfolioId, seal: Seal): void;
}
