// The fee of a fill, by the venue's fee schedule before discounts: a rate on the notional, for options on the
// underlying and capped, rounded half up to the currency's decimals.
import {
  inverseNotionalOn,
  larger,
  type Money,
  money,
  notional,
  type Price,
  type Quantity,
  ratio,
  rounded,
  share,
  smaller,
} from '../../values/amounts.ts';
import { tenorOf } from '../../values/expiry/expiry-calendar.ts';
import type { Currency } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import { DELIVERY_FEES, LIQUIDATION_FEES, OPTION_FEE_CAP } from './instruments/contract-rules.ts';

interface ChargedFill {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  /** Price of the underlying; only linear options need it. */
  readonly index?: Price | undefined;
}

/** Dollar and euro currencies are kept to 6 decimals, coins to 8. */
export const decimalsOf = (currency: Currency): number => (/^(USD|EUR)/.test(currency) ? 6 : 8);

/** In {@link feeCurrencyOf}; negative for a rebate. */
export function feeOf(instrument: Instrument, fill: ChargedFill): Money {
  const rate = fill.liquidity === 'maker' ? instrument.makerFee : instrument.takerFee;
  if (rate.isZero()) return ZERO;
  const { price, quantity } = fill;
  const premium = notional(price, quantity);
  let fee: Money;
  if (instrument.kind === 'option') {
    const underlying = underlyingValue(instrument, fill);
    const cap = share(premium, OPTION_FEE_CAP);
    fee = underlying === undefined ? cap : smaller(share(underlying, rate), cap);
  } else if (instrument.amountUnit === 'usd') {
    // USD / price × rate, divided last so that it is rounded only once.
    return inverseNotionalOn(price, share(quantity, rate), {
      places: feeDecimals(instrument),
      rounding: 'half_up',
    });
  } else {
    fee = share(premium, rate);
  }
  return rounded(fee, feeDecimals(instrument), 'half_up');
}

/**
 * The commission of a fill that closes a position of an account in liquidation, in {@link feeCurrencyOf}: a rate on the value,
 * of options on the underlying and without a cap.
 */
export function liquidationFeeOf(
  instrument: Instrument,
  { price, quantity, index }: Omit<ChargedFill, 'liquidity'>,
): Money {
  const isOption = instrument.kind === 'option';
  const rate = isOption ? LIQUIDATION_FEES.option : LIQUIDATION_FEES.future;
  const grid = { places: feeDecimals(instrument), rounding: 'half_up' } as const;
  if (instrument.amountUnit === 'usd') return inverseNotionalOn(price, share(quantity, rate), grid);
  const value = isOption
    ? (underlyingValue(instrument, { quantity, index }) ?? notional(price, quantity))
    : notional(price, quantity);
  return rounded(share(value, rate), grid.places, grid.rounding);
}

/** The most that a fill of this size may be charged, at whatever price; for an option without its cap. */
export function highestFee(instrument: Instrument, quantity: Quantity, index?: Price): Money {
  const rate = larger(larger(instrument.makerFee, instrument.takerFee), NO_RATE);
  const underlying = underlyingValue(instrument, { quantity, index });
  return underlying === undefined
    ? ZERO
    : rounded(share(underlying, rate), feeDecimals(instrument), 'up');
}

const NO_RATE = ratio('0');
const ZERO = money('0');

const feeDecimals = (instrument: Instrument): number => decimalsOf(feeCurrencyOf(instrument));

/**
 * The fee of the delivery of `quantity`, in the settlement currency: a rate on the value at the delivery price, of options on
 * the underlying and at most a share of the payoff. Weekly futures and daily options are delivered without a fee.
 */
export function deliveryFeeOf(
  instrument: Instrument,
  delivered: {
    readonly quantity: Quantity;
    readonly price: Price;
    /** Of options: what the quantity pays, never negative. */
    readonly payoff: Money;
  },
): Money {
  const { kind, expiresAt } = instrument;
  if (expiresAt === undefined || (kind !== 'future' && kind !== 'option')) return ZERO;
  const rate = DELIVERY_FEES[kind][tenorOf(expiresAt)];
  if (rate.isZero()) return ZERO;
  const { quantity, price } = delivered;
  const grid = { places: decimalsOf(instrument.settlement), rounding: 'half_up' } as const;
  if (instrument.amountUnit === 'usd') return inverseNotionalOn(price, share(quantity, rate), grid);
  if (kind === 'future')
    return rounded(share(notional(price, quantity), rate), grid.places, 'half_up');
  const underlying = underlyingValue(instrument, { quantity, index: price }) ?? ZERO;
  const fee = smaller(share(underlying, rate), share(delivered.payoff, OPTION_FEE_CAP));
  return rounded(fee, grid.places, 'half_up');
}

/** Spot fees are paid in the quote currency, all others in the settlement currency. */
export const feeCurrencyOf = (instrument: Instrument): Currency =>
  instrument.kind === 'spot' ? instrument.quote : instrument.settlement;

/** Inverse options: the coin amount itself. Linear options: index × amount. */
function underlyingValue(
  instrument: Instrument,
  fill: Pick<ChargedFill, 'quantity' | 'index'>,
): Money | undefined {
  if (instrument.marginKind === 'inverse') return fill.quantity as unknown as Money;
  return fill.index === undefined ? undefined : notional(fill.index, fill.quantity);
}
