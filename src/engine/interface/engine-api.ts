// Everything a gateway may ask of the engine: values in, values out, and subscriptions. Nothing else of the engine is
// known to it, so that the two can be processes of their own.
import type { DirectoryApi } from './directory-api.ts';
import type { MarketApi } from './market-api.ts';
import type { MmpOperations } from './mmp-operations.ts';
import type { NewsApi } from './news-api.ts';
import type { Operations } from './operations.ts';
import type { ComboApi, MarginApi, OrderApi, RfqApi } from './order-api.ts';
import type { PlainInterface } from './plain-interface.ts';
import type { StrategiesApi } from './strategies-api.ts';
import type { TradingApi } from './trading-api.ts';

export interface StateApi {
  /** Why it is not ready to trade; empty if it is. */
  reasonsNotReady(): Promise<readonly string[]>;
  /** Its metrics as the text of Prometheus. */
  metrics(): Promise<string>;
}

export interface MethodGroups {
  readonly combos: ComboApi;
  readonly directory: DirectoryApi;
  readonly margins: MarginApi;
  readonly market: MarketApi;
  /** Refuses where there is no market-maker protection. */
  readonly mmp: MmpOperations;
  readonly orders: OrderApi;
  readonly rfqs: RfqApi;
  readonly state: StateApi;
}

interface EngineGroups extends MethodGroups {
  readonly news: NewsApi;
  readonly portfolios: Operations;
  readonly strategies: StrategiesApi;
  readonly trading: TradingApi;
}

/** The compiler refuses an interface that passes anything but plain data. */
type Checked<A extends PlainInterface<A>> = A;

/** What the order methods need: an exchange offers no more. */
export type MethodApi = Checked<MethodGroups>;

export type EngineApi = Checked<EngineGroups>;
