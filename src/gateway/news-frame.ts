// Frames that push news of portfolios. A piece of news is written once, however many listen.
import { statusNumber } from '../core/portfolio/summarize.ts';
import type { PortfolioNews } from '../ports/event-bus.ts';
import type { PortfolioRecord } from './record-schema.ts';
import { type AccountDirectory, portfolioRecord } from './views.ts';

export interface NewsFrame {
  readonly op: 'push';
  readonly channel: 'trade-news';
  /** When it happened, Unix milliseconds. */
  readonly timestamp: string;
  readonly data: {
    readonly messageType: PortfolioNews['messageType'];
    readonly portfolioId: string;
    readonly accountId: string;
    readonly portfolioType: string;
    readonly portfolioStatus: 1 | 2 | 3 | 4;
    /** Rises with every transition of the portfolio. */
    readonly version: number;
    readonly reason?: string | undefined;
    readonly detail?: unknown;
    readonly portfolio: PortfolioRecord;
  };
}

export function newsFrame(news: PortfolioNews, accounts: AccountDirectory): NewsFrame {
  const { record, reason, detail } = news;
  return {
    op: 'push',
    channel: 'trade-news',
    timestamp: String(news.at),
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
