// The vocabulary of order entry, as used by the order methods and every venue.

export type OrderType =
  | 'limit'
  | 'market'
  | 'market_limit'
  | 'stop_limit'
  | 'stop_market'
  | 'take_limit'
  | 'take_market'
  | 'trailing_stop';

/** The price that a trigger watches. */
export type TriggerSource = 'index_price' | 'mark_price' | 'last_price';

/** When a fill of one linked order takes effect on the others. */
export type FillCondition = 'first_hit' | 'complete_fill' | 'incremental';

export type LinkKind =
  | 'one_triggers_other'
  | 'one_cancels_other'
  | 'one_triggers_one_cancels_other';

/** Options priced by the venue: `usd` in USD per coin, `implv` in percent of volatility. */
export type AdvancedKind = 'usd' | 'implv';
