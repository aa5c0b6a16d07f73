// Why a slice places nothing, and why a resting child is repriced.

/**
 * Why a resting child has another price: the market it follows moved, the portfolio's own bound moved under
 * it, or its slice has come to another way of working.
 */
export type RepriceReason = 'reference' | 'bound' | 'step';

/** Why a slice placed nothing, or stopped placing. */
export type SkipReason =
  | 'nothing_due'
  | 'below_minimum'
  | 'no_reference'
  | 'stale_reference'
  | 'outside_band'
  | 'risk_limit'
  | 'rejected'
  | 'late'
  /** Ask and bid are further apart than the portfolio allows. */
  | 'wide_spread'
  /** What is offered is further from where the slice began than the portfolio allows. */
  | 'slippage_cap'
  /** What is offered is further from the mark than the portfolio allows. */
  | 'price_band'
  /** What is offered is worse than the worst price the leg allows. */
  | 'worst_price'
  /** Its share of what has traded is used up. */
  | 'participation'
  /** A window the portfolio keeps out of. */
  | 'quiet_window'
  /** A trading switch over the portfolio is off. */
  | 'halted'
  /** Its group of market-maker protection has tripped. */
  | 'mmp_frozen';
