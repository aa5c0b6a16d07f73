// Expected fees by the rates of the instrument: a rate on the notional, for options on the underlying and at most an
// eighth of the premium. An estimate: discounts are not known here.
import {
  inverseNotionalOn,
  type Money,
  notional,
  type Price,
  type Quantity,
  ratio,
  share,
  smaller,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';

/** An option's fee never exceeds this share of its premium (the venue's fee schedule). */
const OPTION_FEE_CAP = ratio('0.125');

/** More decimals than an estimate is reported with. */
const GRID = { places: 10, rounding: 'half_even' } as const;

export interface ExpectedFill {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  /** Price of the coin; needed only for linear options. */
  readonly index?: Price | undefined;
}

export const feeCurrency = (instrument: Instrument): Currency =>
  instrument.kind === 'spot' ? instrument.quote : instrument.settlement;

/** In the fee currency; negative for a rebate. */
export function expectedFee(instrument: Instrument, fill: ExpectedFill): Money {
  const { price, quantity, liquidity, index } = fill;
  const rate = liquidity === 'maker' ? instrument.makerFee : instrument.takerFee;
  if (instrument.amountUnit === 'usd') return share(inverseNotionalOn(price, quantity, GRID), rate);
  const premium = notional(price, quantity);
  if (instrument.kind !== 'option') return share(premium, rate);
  const cap = share(premium, OPTION_FEE_CAP);
  if (instrument.marginKind === 'inverse') {
    return smaller(share(quantity as unknown as Money, rate), cap);
  }
  return index === undefined ? cap : smaller(share(notional(index, quantity), rate), cap);
}
