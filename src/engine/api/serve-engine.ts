// Serves the engine to gateways of the same process. A gateway of another process gets the same over a connection.
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
  readonly strategies: StrategiesApi;
}

export const engineApi = (parts: EngineApiOptions): EngineApi => ({
  ...methodApi(parts),
  news: serveNews(parts.news),
  portfolios: parts.operations,
  strategies: parts.strategies,
  trading: parts.trading,
});
