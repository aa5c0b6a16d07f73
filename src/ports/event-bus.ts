// News of portfolios for whoever listens, in this process and in others on the same deployment.
import type { AccountId, PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

/** One transition of one portfolio. `record` is its whole state as a view, plain JSON. */
export interface PortfolioNews {
  readonly messageType: string;
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** Version of the portfolio after the transition; rises by the events of each turn. */
  readonly version: number;
  readonly at: Instant;
  readonly reason?: string | undefined;
  readonly record: unknown;
  /** What this message is about beside the record, for example the fill. Plain JSON. */
  readonly detail?: unknown;
}

export interface EventBus {
  /** Delivers at most once to every listener; order per portfolio is kept. */
  publish(news: readonly PortfolioNews[]): void;
  subscribe(listener: (news: PortfolioNews) => void): () => void;
  close(): Promise<void>;
}
