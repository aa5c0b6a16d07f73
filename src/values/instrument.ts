// What can be traded: grids, minimums, currencies and expiry of an instrument, the legs of a combo, and rounding to
// its grids.
import {
  equals,
  isLess,
  isMore,
  isMultiple,
  isPositive,
  onStep,
  type Price,
  type Quantity,
  type Ratio,
  ratioOf,
  share,
  steps,
} from './amounts.ts';
import { assert } from './assert.ts';
import type { Currency, InstrumentName } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Rounding } from './whole-division.ts';

export type SingleKind = 'option' | 'perpetual' | 'future' | 'spot';
/** A structure of futures or of options with a book of its own. */
export type ComboKind = 'future_combo' | 'option_combo';
export type InstrumentKind = SingleKind | ComboKind;
export type OptionType = 'call' | 'put';
export type Side = 'buy' | 'sell';

/** Above `above` (exclusive), a price must be a multiple of the larger `tickSize`. */
export interface TickStep {
  readonly above: Price;
  readonly tickSize: Price;
}

/** What buying one unit of a combo does: buys `ratio` units of the leg, or sells them if it is negative. */
export interface ComboLeg {
  readonly instrument: InstrumentName;
  /** A whole number other than zero; the ratios of a combo have no common divisor. */
  readonly ratio: number;
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
  /** Dated instruments only; of a combo the expiry of the leg that expires first. */
  readonly expiresAt?: Instant | undefined;
  readonly option?: { readonly strike: Price; readonly type: OptionType } | undefined;
  /** Price index used for settlement, for example `btc_usd`. */
  readonly indexName: string;
  /** Fractions of notional (options: of underlying); see the venue's fee rules. */
  readonly makerFee: Ratio;
  readonly takerFee: Ratio;
  /** Combos only. */
  readonly legs?: readonly ComboLeg[] | undefined;
  /** Spot that the venue has matched on another exchange: it does not know, and does not publish, what is traded there. */
  readonly isRouted?: true | undefined;
}

/** The terms of an instrument that has, or had, orders; `undefined` for one that is not known. */
export type TermsOf = (name: InstrumentName) => Instrument | undefined;

/** The kind that clients see: a perpetual counts as a future. */
export const kindName = (kind: InstrumentKind): Exclude<InstrumentKind, 'perpetual'> =>
  kind === 'perpetual' ? 'future' : kind;

/** The kind of an instrument that is not a combo. */
export function singleKindOf({ kind, name }: Pick<Instrument, 'kind' | 'name'>): SingleKind {
  assert(kind !== 'future_combo' && kind !== 'option_combo', () => `${name} is a combo`);
  return kind;
}

export const isCombo = ({ kind }: Pick<Instrument, 'kind'>): boolean =>
  kind === 'future_combo' || kind === 'option_combo';

/** Whether its trades make a position in it; those of spot move balances, those of a combo make positions in its legs. */
export const holdsPosition = (instrument: Pick<Instrument, 'kind'>): boolean =>
  instrument.kind !== 'spot' && !isCombo(instrument);

/** Units of instruments that one unit trades: of a combo those of all its legs. */
export const grossRatio = ({ legs }: Pick<Instrument, 'legs'>): number =>
  legs === undefined ? 1 : legs.reduce((sum, { ratio }) => sum + Math.abs(ratio), 0);

/**
 * The lowest price of an order in ticks: one, except for combos. A combo that sells a leg may cost nothing or less,
 * so `undefined`; of a combo that only buys, every leg costs at least one tick.
 */
export function lowestTicksOf({ legs }: Pick<Instrument, 'legs'>): number | undefined {
  if (legs === undefined) return 1;
  if (legs.some(({ ratio }) => ratio < 0)) return undefined;
  return legs.reduce((sum, { ratio }) => sum + ratio, 0);
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
/** +1 for buy, −1 for sell. */
export const signOf = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1);

export interface TradedLeg {
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
}

/** What trading `quantity` of an instrument does to positions: of a combo in each of its legs. */
export const tradedBy = (
  { name, legs }: Pick<Instrument, 'name' | 'legs'>,
  side: Side,
  quantity: Quantity,
): readonly TradedLeg[] =>
  legs === undefined ? [{ instrument: name, side, quantity }] : tradedByLegs(legs, side, quantity);

export const tradedByLegs = (
  legs: readonly ComboLeg[],
  side: Side,
  quantity: Quantity,
): readonly TradedLeg[] =>
  legs.map(({ instrument, ratio }) => ({
    instrument,
    side: ratio > 0 ? side : opposite(side),
    quantity: share(quantity, ratioOf(Math.abs(ratio))),
  }));

/** Whether an amount divided by a price is coin. A combo's price is a difference, and never a divisor. */
export const isPricedInversely = (instrument: Pick<Instrument, 'kind' | 'amountUnit'>): boolean =>
  instrument.amountUnit === 'usd' && !isCombo(instrument);

/** Whether an order may have the price as far as the lowest price is concerned; it may still be off the tick grid. */
export function isPriceOf(
  { legs, tickSize }: Pick<Instrument, 'legs' | 'tickSize'>,
  price: Price,
): boolean {
  if (legs === undefined) return isPositive(price);
  const lowest = lowestTicksOf({ legs });
  return lowest === undefined || !isLess(price, steps(tickSize, lowest));
}

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

/** Whether both have the same grid of prices. */
export const hasSameTicks = (one: Instrument, other: Instrument): boolean =>
  one === other ||
  (equals(one.tickSize, other.tickSize) &&
    one.tickSteps.length === other.tickSteps.length &&
    one.tickSteps.every((step, index) => {
      const beside = other.tickSteps[index];
      return (
        beside !== undefined &&
        equals(step.above, beside.above) &&
        equals(step.tickSize, beside.tickSize)
      );
    }));

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

/** Whether two lists hold the same instruments in the same order; a changed instrument is another object. */
export const isSameListing = (
  some: readonly Instrument[],
  others: readonly Instrument[],
): boolean =>
  some === others ||
  (some.length === others.length && some.every((one, index) => one === others[index]));
