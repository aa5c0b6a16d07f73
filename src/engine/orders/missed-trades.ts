// Hands a trade that a venue lists, and whose notice has not come, to the component that books it.
import type { VenueTrade } from '../../core/order/venue-report.ts';
import { parseRfqLabel } from '../../values/ids.ts';
import type { ExecutionReports } from './execution-reports.ts';

export interface MissedTradesOptions {
  readonly reports: Pick<ExecutionReports, 'recordMissed'>;
  /** Queries the residual RFQ with this label, if a portfolio of this process requested it. */
  readonly queryRfq: (label: string) => void;
}

export type MissedTrades = (trade: VenueTrade) => void;

export const missedTrades =
  ({ reports, queryRfq }: MissedTradesOptions): MissedTrades =>
  (trade) => {
    if (parseRfqLabel(trade.label) === undefined) reports.recordMissed(trade);
    else queryRfq(trade.label);
  };
