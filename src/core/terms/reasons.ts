// Why a slice places nothing, and why a resting child is repriced.

/**
 * Why a resting child was repriced: its market moved, the portfolio's own bound moved, or its slice reached the next
 * escalation step.
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
  /** The spread is wider than the portfolio allows. */
  | 'wide_spread'
  /** The offered price is further from the slice's arrival price than the portfolio allows. */
  | 'slippage_cap'
  /** The offered price is further from the mark price than the portfolio allows. */
  | 'price_band'
  /** The offered price is worse than the worst price the leg allows. */
  | 'worst_price'
  /** Its share of the traded volume is used up. */
  | 'participation'
  /** It wants more than one order may be; the rest follows in further orders. */
  | 'order_cap'
  /** The message budget does not let an order leave in time. */
  | 'message_budget'
  /** A blackout window of the portfolio. */
  | 'quiet_window'
  /** A trading switch that applies to the portfolio is off. */
  | 'halted'
  /** Its group of market-maker protection has tripped. */
  | 'mmp_frozen';
