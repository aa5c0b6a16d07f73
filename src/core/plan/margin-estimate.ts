// The margin a leg will need by its end, by the venue's standard rates and without netting against positions: the
// full value of a spot trade, the premium of a bought option, an initial margin for the rest.
import {
  absolute,
  distance,
  inverseNotionalOn,
  isPositive,
  larger,
  type Money,
  minus,
  notional,
  type Price,
  plus,
  type Quantity,
  ratio,
  share,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import { type Instrument, isCombo, type Side } from '../../values/instrument.ts';

/** Initial margin of futures and perpetuals: one fiftieth of the notional, before the size add-on. */
const FUTURES_RATE = ratio('0.02');
/** A sold option: 15 % of the coin less its out-of-the-money amount, at least 10 %, plus its mark. */
const SHORT_RATE = ratio('0.15');
const SHORT_RATE_MIN = ratio('0.1');

/** More decimals than an estimate is reported with; rounded up, never below the need. */
const GRID = { places: 10, rounding: 'up' } as const;

export interface MarginQuestion {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly quantity: Quantity;
  /** Expected trade price. */
  readonly price: Price;
  /** Index price of the coin; if absent, the margin of an option cannot be computed. */
  readonly index?: Price | undefined;
}

export interface Need {
  readonly currency: Currency;
  readonly amount: Money;
}

/** `undefined` if it cannot be computed; of a combo the legs need it, and their terms are not known here. */
export function marginNeed(question: MarginQuestion): Need | undefined {
  const { instrument, side, quantity, price } = question;
  const { settlement, quote, base } = instrument;
  if (isCombo(instrument)) return undefined;
  if (instrument.kind === 'spot') {
    return side === 'buy'
      ? { currency: quote, amount: notional(price, quantity) }
      : { currency: base, amount: quantity as unknown as Money };
  }
  if (instrument.kind === 'option') {
    if (side === 'buy') return { currency: settlement, amount: notional(price, quantity) };
    const amount = shortOption(question);
    return amount && { currency: settlement, amount };
  }
  const value =
    instrument.amountUnit === 'usd'
      ? inverseNotionalOn(price, quantity, GRID)
      : notional(price, quantity);
  return { currency: settlement, amount: share(value, FUTURES_RATE) };
}

function shortOption({ instrument, quantity, price, index }: MarginQuestion): Money | undefined {
  const { option, marginKind } = instrument;
  if (option === undefined || index === undefined || !isPositive(index)) return undefined;
  const above = distance(index, option.strike);
  const isOut =
    option.type === 'call' ? isPositive(above) : isPositive(distance(option.strike, index));
  // Price of one coin in the settlement currency.
  const coin = marginKind === 'inverse' ? ratio('1') : (index as unknown as typeof SHORT_RATE);
  const out = isOut ? absolute(above).div(index).mul(coin) : ZERO_MONEY;
  const rate = larger(
    minus(SHORT_RATE.mul(coin) as Money, out as Money),
    SHORT_RATE_MIN.mul(coin) as Money,
  );
  return plus(rate.mul(quantity) as unknown as Money, notional(price, quantity));
}
