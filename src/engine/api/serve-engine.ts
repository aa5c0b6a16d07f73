// Serves the engine to gateways of the same process. A gateway of another process gets the same over a connection.
import { reject } from '../../core/rejection.ts';
import type { EngineApi } from '../interface/engine-api.ts';
import type { Operations } from '../interface/operations.ts';
import type { StrategiesApi } from '../interface/strategies-api.ts';
import type { TradingApi } from '../interface/trading-api.ts';
import type { NewsFeed } from '../news/news-feed.ts';
import { serveNews } from '../news/serve-news.ts';
import { type MethodApiOptions, methodApi } from './method-api.ts';

export interface EngineApiOptions extends MethodApiOptions {
  readonly operations: Operations;
  readonly news: NewsFeed;
  readonly trading: TradingApi;
  /** Absent: no strategies are followed. */
  readonly strategies?: StrategiesApi | undefined;
}

const NO_STRATEGIES: StrategiesApi = {
  view: () => Promise.resolve({ areRead: true, strategies: [], faults: [] }),
  setSwitch: () => {
    const rejections = [reject('not_found', 'strategy', 'no strategies are followed here')];
    return Promise.resolve({ kind: 'refused', rejections });
  },
};

export const engineApi = (parts: EngineApiOptions): EngineApi => ({
  ...methodApi(parts),
  news: serveNews(parts.news),
  portfolios: parts.operations,
  strategies: parts.strategies ?? NO_STRATEGIES,
  trading: parts.trading,
});
