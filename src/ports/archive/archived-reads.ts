// Reads what was moved from the ledger to the archive: the events of portfolios by the UTC day of their submit, and the
// market that was recorded for their cost reports.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { LegMoment, MarketInstant, MarketSecond } from '../../core/report/cost-rows.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { SecondsQuery } from '../costs/cost-record.ts';
import { LedgerFailure } from '../ledger.ts';
import type { DayName } from './submit-day.ts';

/** Which archive of a day: one that was brought back and moved again has another. */
export interface DayArchive {
  readonly day: DayName;
  /** SHA-256 of its manifest, as the ledger knows it. */
  readonly digest: string;
}

/**
 * What an archived day does not hold is returned as nothing. Each rejects with {@link EventsArchived} if the day is not in the
 * archive, or cannot be read.
 */
export interface ArchivedReads {
  /** Events of the portfolio after its first `version` ones, in order; at most `limit`, or all. */
  eventsAfter(
    of: DayArchive,
    portfolio: PortfolioId,
    range: { readonly version: number; readonly limit?: number | undefined },
  ): Promise<readonly PortfolioEvent[]>;
  /** In order of version and leg. */
  moments(of: DayArchive, portfolio: PortfolioId): Promise<readonly LegMoment[]>;
  /** Those of the day, both ends of the query included, in order. */
  seconds(of: DayArchive, query: SecondsQuery): Promise<readonly MarketSecond[]>;
  /** The same of instants. */
  instants(of: DayArchive, query: SecondsQuery): Promise<readonly MarketInstant[]>;
}

/** The events of a portfolio are not in the database but in an archive, which is not at hand or cannot be read. */
export class EventsArchived extends LedgerFailure {
  constructor(message: string, cause?: unknown) {
    super(message, false, cause);
  }
}
