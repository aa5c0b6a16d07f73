// Publishes portfolio news to listeners in this process and in other processes of the deployment.
import type { PortfolioSummary } from '../core/portfolio/summary/portfolio-summary.ts';
import type { AccountId, PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export type NewsType =
  | 'PORTFOLIO_SUBMITTED'
  | 'PORTFOLIO_STARTED'
  | 'PORTFOLIO_SLICE'
  | 'PORTFOLIO_SLICE_MISSED'
  | 'PORTFOLIO_PART_STARTED'
  | 'PORTFOLIO_PART_CHASED'
  | 'PORTFOLIO_HEDGE_OPEN'
  | 'PORTFOLIO_PART_DONE'
  | 'PORTFOLIO_WAITING'
  | 'PORTFOLIO_ORDER_REJECTED'
  | 'PORTFOLIO_PART_FILLED'
  | 'PORTFOLIO_RFQ_SENT'
  | 'PORTFOLIO_RFQ_OPEN'
  | 'PORTFOLIO_RFQ_QUOTED'
  | 'PORTFOLIO_RFQ_ACCEPTING'
  | 'PORTFOLIO_RFQ_REFUSED'
  | 'PORTFOLIO_RFQ_UNANSWERED'
  | 'PORTFOLIO_RFQ_CANCELLING'
  | 'PORTFOLIO_RFQ_OVER'
  | 'PORTFOLIO_PAUSED'
  | 'PORTFOLIO_RESUMED'
  | 'PORTFOLIO_AMENDED'
  | 'PORTFOLIO_FILLED'
  | 'PORTFOLIO_CANCELLING'
  | 'PORTFOLIO_CANCELLED'
  | 'PORTFOLIO_FAILED';

/** One transition of one portfolio, with its complete state after it. All plain JSON. */
export interface PortfolioNews {
  readonly messageType: NewsType;
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** Version of the portfolio after the transition; it grows by the number of events of each turn. */
  readonly version: number;
  readonly at: Instant;
  readonly reason?: string | undefined;
  readonly record: PortfolioSummary;
  /** What the message is about in addition to the record, for example the fill. Plain JSON. */
  readonly detail?: unknown;
}

export interface EventBus {
  /** False while nobody anywhere receives what is published, so that it need not be made. Absent: somebody may. */
  readonly isHeard?: boolean | undefined;
  /** Delivers at most once to each listener; the order per portfolio is preserved. */
  publish(news: readonly PortfolioNews[]): void;
  subscribe(listener: (news: PortfolioNews) => void): () => void;
  close(): Promise<void>;
}
