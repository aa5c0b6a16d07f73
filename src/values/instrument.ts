// What can be traded: grids, minimums, currencies and expiry of an instrument, and rounding to its grids.
import {
  isLess,
  isMore,
  isMultiple,
  onStep,
  type Price,
  type Quantity,
  type Ratio,
} from './amounts.ts';
import type { Currency, InstrumentName } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Rounding } from './whole-division.ts';

export type InstrumentKind = 'option' | 'perpetual' | 'future' | 'spot';
export type OptionType = 'call' | 'put';
export type Side = 'buy' | 'sell';

/** Above `above` (exclusive), a price must be a multiple of the larger `tickSize`. */
export interface TickStep {
  readonly above: Price;
  readonly tickSize: Price;
}

export interface Instrument {
  readonly name: InstrumentName;
  readonly kind: InstrumentKind;
  /** The coin the instrument is exposed to. */
  readonly base: Currency;
  /** Price currency: USD, USDC, or the coin itself for inverse options. */
  readonly quote: Currency;
  /** Currency in which profit, loss and fees are settled. */
  readonly settlement: Currency;
  readonly marginKind: 'linear' | 'inverse';
  /** `usd` for inverse perpetuals and futures, `base` for everything else. */
  readonly amountUnit: 'usd' | 'base';
  /** Size of one contract, in the amount unit. */
  readonly contractSize: Quantity;
  /** Lot size: amounts are multiples of it. */
  readonly amountStep: Quantity;
  readonly minAmount: Quantity;
  readonly tickSize: Price;
  /** Ascending by `above`. */
  readonly tickSteps: readonly TickStep[];
  /** Absent for perpetuals and spot. */
  readonly expiresAt?: Instant | undefined;
  readonly option?: { readonly strike: Price; readonly type: OptionType } | undefined;
  /** Price index used for settlement, for example `btc_usd`. */
  readonly indexName: string;
  /** Fractions of notional (options: of underlying); see the venue's fee rules. */
  readonly makerFee: Ratio;
  readonly takerFee: Ratio;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
/** +1 for buy, −1 for sell. */
export const signOf = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1);

/** The tick size that applies at `price`. */
export function tickAt(instrument: Instrument, price: Price): Price {
  let tick = instrument.tickSize;
  for (const step of instrument.tickSteps) if (isMore(price, step.above)) tick = step.tickSize;
  return tick;
}

/** `price` rounded to the tick grid; at a boundary between two tick sizes the coarser one decides. */
export function onTick(instrument: Instrument, price: Price, rounding: Rounding): Price {
  const result = onStep(price, tickAt(instrument, price), rounding);
  return isOnTick(instrument, result)
    ? result
    : onStep(result, tickAt(instrument, result), rounding);
}

export const isOnTick = (instrument: Instrument, price: Price): boolean =>
  isMultiple(price, tickAt(instrument, price));

/** Rounds to the less aggressive side: a buy down, a sell up. */
export const passiveTick = (instrument: Instrument, side: Side, price: Price): Price =>
  onTick(instrument, price, side === 'buy' ? 'down' : 'up');

/** The largest tradable quantity not above `quantity`; zero when that is below the minimum. */
export function tradable(instrument: Instrument, quantity: Quantity): Quantity {
  const floored = onStep(quantity, instrument.amountStep, 'down');
  return isLess(floored, instrument.minAmount) ? (floored.minus(floored) as Quantity) : floored;
}

/**
 * The currency the exposure is against: legs of one portfolio must share it. For every kind it is the
 * base coin (BTC of BTC-PERPETUAL, BTC_USDC and BTC-27MAR26-100000-C alike).
 */
export const forCcy = (instrument: Instrument): Currency => instrument.base;
