// The auditor's own reads of the ledger, and what it stores alongside the events: how far it verified the chain of each
// portfolio, and the positions of each account when they last agreed with its venue.
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Seal } from './audit-seals.ts';

export interface AuditReads {
  /** Events of the portfolio after its first `version` ones, in order, at most `limit`. */
  eventsAfter(
    portfolio: PortfolioId,
    version: number,
    limit: number,
  ): Promise<readonly PortfolioEvent[]>;
  /**
   * The number of events that the row of the portfolio states; `undefined` if it has no row. Absent: rows are not
   * compared with events.
   */
  versionOf?(portfolio: PortfolioId): Promise<number | undefined>;
  /** Ids of all portfolios after `after`, in order of id, at most `limit`. */
  portfoliosAfter(after: PortfolioId | undefined, limit: number): Promise<readonly PortfolioId[]>;
}

export interface PositionBaseline {
  /** By the venue's clock: later trades are not yet in `positions`. */
  readonly at: Instant;
  /** Signed amounts in the instruments' units, as text; an absent instrument has no position. */
  readonly positions: Readonly<Record<InstrumentName, string>>;
}

export interface AuditBaselines {
  of(account: AccountId): Promise<PositionBaseline | undefined>;
  put(account: AccountId, baseline: PositionBaseline): Promise<void>;
  /** The account's position at the next check becomes the agreed one. */
  remove(account: AccountId): Promise<void>;
}

/** Heads of the hash chains, stored out of reach of anyone who can change the ledger. */
export interface ChainWitness {
  of(portfolio: PortfolioId): Seal | undefined;
  /** The portfolios whose latest head it still has, those that advanced longest ago first. */
  portfolios(): Iterable<PortfolioId>;
  note(portfolio: PortfolioId, seal: Seal): void;
}
