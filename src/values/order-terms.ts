// The vocabulary of order entry, shared by the order methods, every venue and the paper exchange.

export const TIMES_IN_FORCE = [
  'good_til_cancelled',
  'good_til_day',
  'fill_or_kill',
  'immediate_or_cancel',
] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const ORDER_TYPES = [
  'limit',
  'market',
  'market_limit',
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
] as const;
/**
 * The requested type. If a market order rests, it rests as a limit order at the band, a market_limit order at the price
 * of the level it met. The other types wait for their trigger first.
 */
export type OrderType = (typeof ORDER_TYPES)[number];

export const TRIGGER_SOURCES = ['index_price', 'mark_price', 'last_price'] as const;
/** The price that a trigger watches. */
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

export const FILL_CONDITIONS = ['first_hit', 'complete_fill', 'incremental'] as const;
/** When a fill of one linked order takes effect on the others. */
export type FillCondition = (typeof FILL_CONDITIONS)[number];

export const LINK_KINDS = [
  'one_triggers_other',
  'one_cancels_other',
  'one_triggers_one_cancels_other',
] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export const ADVANCED_KINDS = ['usd', 'implv'] as const;
/** Options priced by the venue: `usd` in USD per coin, `implv` in percent of volatility. */
export type AdvancedKind = (typeof ADVANCED_KINDS)[number];

/** Whose side of a trade closed a position of an account in liquidation: the maker's, the taker's, or both. */
export type LiquidatedSide = 'M' | 'T' | 'MT';
