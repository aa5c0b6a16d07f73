// The vocabulary of order entry, shared by the order methods, every venue and the paper exchange.

export type TimeInForce =
  | 'good_til_cancelled'
  | 'good_til_day'
  | 'immediate_or_cancel'
  | 'fill_or_kill';

/**
 * The requested type. If a market order rests, it rests as a limit order at the band, a market_limit order at the price
 * of the level it met. The other types wait for their trigger first.
 */
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

/** Whose side of a trade closed a position of an account in liquidation: the maker's, the taker's, or both. */
export type LiquidatedSide = 'M' | 'T' | 'MT';
