// Serves the engine to gateways of the same process. A gateway of another process gets the same over a connection.
import type { EngineApi } from '../interface/engine-api.ts';
import type { Operations } from '../interface/operations.ts';
import type { NewsFeed } from '../news/news-feed.ts';
import { serveNews } from '../news/serve-news.ts';
import { type MethodApiParts, methodApi } from './method-api.ts';
import { type TradingApiParts, tradingApi } from './switch-operations.ts';

export interface EngineApiOptions extends MethodApiParts, TradingApiParts {
  readonly operations: Operations;
  readonly news: NewsFeed;
}

export const engineApi = (parts: EngineApiOptions): EngineApi => ({
  ...methodApi(parts),
  news: serveNews(parts.news),
  portfolios: parts.operations,
  trading: tradingApi(parts),
});
