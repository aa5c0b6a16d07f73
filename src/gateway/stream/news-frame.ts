// Frames that publish news of portfolios. Each message is serialised once for all subscribers.

import type { SequencedNews } from '../../engine/interface/news-api.ts';
import type { PortfolioNews } from '../../ports/event-bus.ts';
import type { Sequence } from '../../values/sequence.ts';
import { type AccountDirectory, portfolioRecord } from '../portfolios/portfolio-record.ts';
import type { PortfolioRecord } from '../portfolios/record-schema.ts';
import { statusNumber } from '../portfolios/status-number.ts';
import type { ResyncReason } from './news-subscription.ts';

export interface NewsFrame {
  readonly op: 'push';
  readonly channel: 'trade-news';
  /** When it happened, Unix milliseconds. */
  readonly timestamp: string;
  /** Position among all messages; increases in arbitrary steps. Clients pass it as `after` to resume. */
  readonly sequence: string;
  readonly data: {
    readonly messageType: PortfolioNews['messageType'];
    readonly portfolioId: string;
    readonly accountId: string;
    readonly portfolioType: string;
    readonly portfolioStatus: 1 | 2 | 3 | 4;
    /** Increases with every transition of the portfolio. */
    readonly version: number;
    readonly reason?: string | undefined;
    readonly detail?: unknown;
    readonly portfolio: PortfolioRecord;
  };
}

export function newsFrame(news: SequencedNews, accounts: AccountDirectory): NewsFrame {
  const { record, reason, detail } = news;
  return {
    op: 'push',
    channel: 'trade-news',
    timestamp: String(news.at),
    sequence: String(news.sequence),
    data: {
      messageType: news.messageType,
      portfolioId: news.portfolio,
      accountId: news.account,
      portfolioType: record.portfolioType,
      portfolioStatus: statusNumber(record.status),
      version: news.version,
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
      portfolio: portfolioRecord(record, accounts),
    },
  };
}

export interface ResyncFrame {
  readonly op: 'resync';
  readonly channel: 'trade-news';
  /** Messages above it follow; those up to it may be missing. */
  readonly sequence: string;
  readonly reason: ResyncReason;
  readonly message: string;
}

export const resyncFrame = (from: Sequence, reason: ResyncReason): ResyncFrame => ({
  op: 'resync',
  channel: 'trade-news',
  sequence: String(from),
  reason,
  message: 'messages are missing: read the portfolios again',
});
