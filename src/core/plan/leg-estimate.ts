// Expected cost of working a leg in the current market, against the mid and in fees. Each child is assumed to take
// from the visible book, and the book to recover before the next child.
import {
  equals,
  fraction,
  inverseNotionalOn,
  isPositive,
  type Money,
  minus,
  modelPrice,
  notional,
  type Price,
  plus,
  type Quantity,
  ratioOf,
  rounded,
  share,
  text,
  toNumber,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Currency } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isCombo, signOf } from '../../values/instrument.ts';
import type { PriceLevel, Quote } from '../../values/quote.ts';
import { childPrice } from '../pricing/child-price.ts';
import { arrivalPrice, cappedPrice, guardedPrice, hasGuards } from '../pricing/price-guards.ts';
import type { Execution } from '../terms/execution.ts';
import type { SkipReason } from '../terms/reasons.ts';
import type { LegSpec } from '../terms/spec.ts';
import { expectedFee, feeCurrency } from './fee-estimate.ts';
import { takenFrom } from './taking-cost.ts';

/** Estimates are reported with this many decimals. */
const PLACES = 8;
const BPS = 10_000;
/** Enough for the {@link PLACES} reported, and few enough to compute in whole numbers. */
const GRID = { places: 10, rounding: 'half_even' } as const;
const AVERAGE_DIGITS = 12;

export interface LegQuestion {
  readonly spec: LegSpec;
  readonly instrument: Instrument;
  readonly execution: Execution;
  /** Sizes of the children, one per slice. */
  readonly sizes: readonly Quantity[];
  readonly quote: Quote | undefined;
  /** Levels of the opposite side, best first; empty if unknown. */
  readonly levels: readonly PriceLevel[];
  readonly now: Instant;
  readonly quoteAgeMaxMs: number;
  /** What the venue says an order of the whole leg needs. Combos only: their legs are charged, by rules of the venue. */
  readonly needs?: WholeNeeds | undefined;
}

export interface WholeNeeds {
  readonly margin: Money;
  readonly takerFee: Money;
  readonly makerFee: Money;
}

export interface LegEstimate {
  /** Current price of a child; absent if there is none. */
  readonly price?: Price | undefined;
  readonly waits?: SkipReason | undefined;
  readonly mid?: Price | undefined;
  /** Expected average price; absent if nothing would trade or rest now. */
  readonly average?: Price | undefined;
  /** Cost relative to the mid: positive is a cost. Absent for a combo, whose mid may be zero. */
  readonly costBps?: number | undefined;
  /** In `costCurrency`: coin for contracts sized in USD, otherwise the quote currency. */
  readonly cost?: Money | undefined;
  readonly costCurrency: Currency;
  /** Zero for a combo of which the venue does not say it. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Quantity for which the visible book has no depth within the price, over all children that would not rest. */
  readonly beyondDepth: Quantity;
  /** Quantity that would rest instead of taking. */
  readonly resting: Quantity;
}

type Amounts = Omit<LegEstimate, 'costCurrency' | 'feeCurrency'>;

const NOTHING: Amounts = {
  fee: ZERO_MONEY,
  beyondDepth: ZERO_QUANTITY,
  resting: ZERO_QUANTITY,
};

export function legEstimate(question: LegQuestion): LegEstimate {
  const { instrument } = question;
  const costCurrency = instrument.amountUnit === 'usd' ? instrument.base : instrument.quote;
  return { ...amounts(question), costCurrency, feeCurrency: feeCurrency(instrument) };
}

function amounts(question: LegQuestion): Amounts {
  const { spec, instrument, quote, now, quoteAgeMaxMs, execution } = question;
  const market = { instrument, quote, now, quoteAgeMaxMs };
  const found = childPrice({ ...market, leg: spec, collar: execution.collar });
  const mid = quote && arrivalPrice(quote);
  const guarded =
    found.kind === 'price' && hasGuards(execution)
      ? guardedPrice(found.price, { ...market, guards: execution, side: spec.side, arrival: mid })
      : found;
  const { side, pricing } = spec;
  const priced = cappedPrice(guarded, { side, instrument, quote, worst: pricing.worst });
  if (priced.kind === 'none') return { ...NOTHING, mid, waits: priced.reason };
  return { ...worked(question, priced.price, mid), price: priced.price, mid };
}

/** Equal children cost the same, so each size is evaluated once. */
function worked(question: LegQuestion, price: Price, mid: Price | undefined): Amounts {
  const { spec, instrument, sizes, levels, quote } = question;
  const { side, pricing } = spec;
  const fillRests = pricing.type !== 'market' && !isImmediate(spec);
  let [sum, weighted] = [ZERO_QUANTITY, 0];
  let [beyondDepth, resting, fee] = [ZERO_QUANTITY, ZERO_QUANTITY, ZERO_MONEY];
  const count = (level: PriceLevel, liquidity: 'maker' | 'taker', times: number): void => {
    const quantity = level.quantity.mul(times) as Quantity;
    sum = plus(sum, quantity);
    weighted += toNumber(level.price) * toNumber(quantity);
    const fill = { price: level.price, quantity, liquidity, index: quote?.index };
    if (!isCombo(instrument)) fee = plus(fee, expectedFee(instrument, fill));
  };
  for (const { size, times } of counted(sizes)) {
    const taken = spec.postOnly
      ? { quantity: ZERO_QUANTITY, fills: [] }
      : takenFrom({ side, quantity: size, levels, limit: price });
    for (const fill of taken.fills) count(fill, 'taker', times);
    const rest = minus(size, taken.quantity);
    if (!isPositive(rest)) continue;
    const all = rest.mul(times) as Quantity;
    if (fillRests) {
      resting = plus(resting, all);
      count({ price, quantity: rest }, 'maker', times);
    } else beyondDepth = plus(beyondDepth, all);
  }
  if (isCombo(instrument)) fee = comboFee(question, { taken: minus(sum, resting), resting });
  const base = { fee: rounded(fee, PLACES, 'half_up'), beyondDepth, resting };
  if (!isPositive(sum)) return base;
  const average = modelPrice(Number((weighted / toNumber(sum)).toPrecision(AVERAGE_DIGITS)));
  const index = quote?.index;
  return {
    ...base,
    average,
    ...(mid && againstMid({ instrument, side, mid, average, sum, index })),
  };
}

/** The share of each part in what the whole leg would be charged. */
function comboFee(
  { needs, spec }: LegQuestion,
  { taken, resting }: { readonly taken: Quantity; readonly resting: Quantity },
): Money {
  if (needs === undefined) return ZERO_MONEY;
  const part = (of: Quantity) => ratioOf(fraction(of, spec.quantity));
  return plus(share(needs.takerFee, part(taken)), share(needs.makerFee, part(resting)));
}

const isImmediate = ({ timeInForce }: LegSpec): boolean =>
  timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill';

/** Most plans have one size, or two that alternate. */
function counted(
  sizes: readonly Quantity[],
): Iterable<{ readonly size: Quantity; readonly times: number }> {
  const kinds: { readonly size: Quantity; times: number }[] = [];
  const known = new Map<string, { readonly size: Quantity; times: number }>();
  let last: { readonly size: Quantity; times: number } | undefined;
  for (const size of sizes) {
    if (last === undefined || !equals(last.size, size)) {
      const name = text(size);
      last = known.get(name) ?? { size, times: 0 };
      if (last.times === 0) kinds.push(last);
      known.set(name, last);
    }
    last.times += 1;
  }
  return kinds;
}

interface Average {
  readonly instrument: Instrument;
  readonly side: LegSpec['side'];
  readonly mid: Price;
  readonly average: Price;
  readonly sum: Quantity;
  /** Price of the coin; absent = unknown. */
  readonly index?: Price | undefined;
}

function againstMid(question: Average) {
  const { instrument, side, mid, average, sum } = question;
  if (isCombo(instrument)) return comboCost(question);
  if (!isPositive(mid)) return {};
  const [at, from] = [toNumber(average), toNumber(mid)];
  const part = (signOf(side) * (at - from)) / from;
  const value =
    instrument.amountUnit === 'usd' ? inverseNotionalOn(mid, sum, GRID) : notional(mid, sum);
  const cost = share(value, ratioOf(Number(part.toFixed(GRID.places))));
  return { costBps: part * BPS, cost: rounded(cost, PLACES, 'half_up') };
}

/** In coin at the index, or in the currency of the price. No share of the mid, which may be zero or negative. */
function comboCost({ instrument, side, mid, average, sum, index }: Average) {
  const worse = signOf(side) * (toNumber(average) - toNumber(mid));
  if (instrument.amountUnit !== 'usd') {
    const cost = share(sum, ratioOf(Number(worse.toFixed(GRID.places)))) as unknown as Money;
    return { cost: rounded(cost, PLACES, 'half_up') };
  }
  if (index === undefined || !isPositive(index)) return {};
  const part = worse / toNumber(index);
  const cost = share(
    inverseNotionalOn(index, sum, GRID),
    ratioOf(Number(part.toFixed(GRID.places))),
  );
  return { cost: rounded(cost, PLACES, 'half_up') };
}
