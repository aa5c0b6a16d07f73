// The words of order entry, as the order methods and every venue use them.

export type OrderType =
  | 'limit'
  | 'market'
  | 'market_limit'
  | 'stop_limit'
  | 'stop_market'
  | 'take_limit'
  | 'take_market'
  | 'trailing_stop';

/** The price a trigger watches. */
export type TriggerSource = 'index_price' | 'mark_price' | 'last_price';

/** When a fill of one linked order acts on the others. */
export type FillCondition = 'first_hit' | 'complete_fill' | 'incremental';

export type LinkKind =
  | 'one_triggers_other'
  | 'one_cancels_other'
  | 'one_triggers_one_cancels_other';

/** Options priced by the venue: `usd` in USD per coin, `implv` in percent of volatility. */
export type AdvancedKind = 'usd' | 'implv';
