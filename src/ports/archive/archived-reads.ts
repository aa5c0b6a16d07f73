// Reads what was moved from the ledger to the archive: the events of portfolios by the UTC day of their submit, and the
// market that was recorded for their cost reports.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { CostReads } from '../costs/cost-record.ts';
import { LedgerFailure } from '../ledger.ts';

/**
 * What an archived day does not hold is returned as nothing. Each rejects with {@link EventsArchived} if a day that it is asked for is
 * not in the archive, or cannot be read.
 */
export interface ArchivedReads extends CostReads {
  /** Events of the portfolio after its first `version` ones, in order; at most `limit`, or all. */
  eventsAfter(
    portfolio: PortfolioId,
    version: number,
    limit?: number,
  ): Promise<readonly PortfolioEvent[]>;
}

/** The events of a portfolio are not in the database but in an archive, which is not at hand or cannot be read. */
export class EventsArchived extends LedgerFailure {
  constructor(message: string, cause?: unknown) {
    super(message, false, cause);
  }
}
