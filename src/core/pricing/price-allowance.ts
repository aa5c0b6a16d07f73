// How far a bound in percent or basis points lies from a price. Of the price itself, except for combos: their price is
// a difference that may be zero or negative, and what a percentage of it protects against is an error in the legs.
import { absolute, larger, type Price, type Ratio, ratioOf, scaled } from '../../values/amounts.ts';
import { grossRatio, type Instrument, isCombo, tickAt } from '../../values/instrument.ts';

export interface AllowanceQuestion {
  readonly instrument: Instrument;
  readonly from: Price;
  readonly share: Ratio;
  /** Price of the coin; absent = unknown. */
  readonly index?: Price | undefined;
}

/**
 * `share` of `from`. Of a combo of futures it is a share of all its legs, each worth the index. Of a combo of options
 * it is a share of its own price, but at least one tick for each option traded.
 */
export function allowanceOf({ instrument, from, share, index }: AllowanceQuestion): Price {
  if (!isCombo(instrument)) return scaled(from, share);
  const units = ratioOf(grossRatio(instrument));
  if (instrument.kind === 'future_combo') {
    return scaled(scaled(absolute(index ?? from), share), units);
  }
  return larger(scaled(absolute(from), share), scaled(tickAt(instrument, from), units));
}
