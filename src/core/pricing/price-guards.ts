// Limits on a computed price: how wide the market may be, and how far from the mark price and from the slice's
// arrival price a child may go. A price beyond them is moved to the bound if it would rest anyway, and dropped if it
// was meant to take. A price that cannot be checked is dropped.
import {
  basisPoints,
  distance,
  isLess,
  isMore,
  larger,
  midpoint,
  type Price,
  shifted,
  smaller,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isPriceOf, passiveTick, type Side } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { Execution } from '../terms/execution.ts';
import type { SkipReason } from '../terms/reasons.ts';
import type { ChildPrice } from './child-price.ts';
import { optionTerms, volatilityOf } from './option-price.ts';
import { allowanceOf } from './price-allowance.ts';
import { isFresh } from './reference.ts';

/** The options this rule enforces; absent ones restrict nothing. */
export type PriceGuards = Pick<
  Execution,
  'slippageMaxBps' | 'spreadMaxBps' | 'spreadMaxVol' | 'bandBps'
>;

export interface GuardQuestion {
  readonly guards: PriceGuards;
  readonly side: Side;
  readonly instrument: Instrument;
  readonly quote: Quote | undefined;
  readonly now: Instant;
  readonly quoteAgeMaxMs: number;
  /** The mid when the slice began; needed for `slippageMaxBps`. */
  readonly arrival?: Price | undefined;
}

export const hasGuards = (guards: PriceGuards): boolean =>
  guards.slippageMaxBps !== undefined ||
  guards.spreadMaxBps !== undefined ||
  guards.spreadMaxVol !== undefined ||
  guards.bandBps !== undefined;

const none = (reason: SkipReason): ChildPrice => ({ kind: 'none', reason });

/** `price` as it may be sent, or the reason why it may not. */
export function guardedPrice(price: Price, question: GuardQuestion): ChildPrice {
  const { quote, now, quoteAgeMaxMs, guards, side, instrument } = question;
  if (quote === undefined) return none('no_reference');
  if (!isFresh(quote, now, quoteAgeMaxMs)) return none('stale_reference');
  const wide = spreadFault(question, quote);
  if (wide !== undefined) return none(wide);
  let kept = price;
  const bounds = [
    { from: quote.mark, bps: guards.bandBps, reason: 'price_band' },
    { from: question.arrival, bps: guards.slippageMaxBps, reason: 'slippage_cap' },
  ] as const;
  for (const { from, bps, reason } of bounds) {
    if (bps === undefined) continue;
    if (from === undefined) return none('no_reference');
    const worst = worstFrom(from, { side, bps, instrument, index: quote.index });
    if (!isWorse(kept, worst, side)) continue;
    if (losesItsTrade(price, worst, { side, quote }) || !isPriceOf(instrument, worst))
      return none(reason);
    kept = worst;
  }
  return kept === price ? { kind: 'price', price } : { kind: 'price', price: kept, isBound: true };
}

export interface Cap {
  /** Default: nothing is capped. */
  readonly worst?: Price | undefined;
  readonly side: Side;
  readonly instrument: Instrument;
  readonly quote: Quote | undefined;
}

/** Moves a computed price to the worst one the leg allows; none if it was meant to take and no longer can. */
export function cappedPrice(
  found: ChildPrice,
  { worst, side, instrument, quote }: Cap,
): ChildPrice {
  if (found.kind === 'none' || worst === undefined) return found;
  const bound = passiveTick(instrument, side, worst);
  if (!isWorse(found.price, bound, side)) return found;
  if (quote !== undefined && losesItsTrade(found.price, bound, { side, quote })) {
    return none('worst_price');
  }
  return isPriceOf(instrument, bound)
    ? { kind: 'price', price: bound, isBound: true }
    : none('worst_price');
}

/** It was to trade on arrival, and at the bound it would rest. */
const losesItsTrade = (
  price: Price,
  bound: Price,
  { side, quote }: { readonly side: Side; readonly quote: Quote },
): boolean => takes(price, side, quote) && !takes(bound, side, quote);

/** The mid, otherwise the mark price: the reference when a slice starts. */
export const arrivalPrice = ({ bid, ask, mark }: Quote): Price | undefined =>
  bid !== undefined && ask !== undefined ? midpoint(bid.price, ask.price) : mark;

interface Bound {
  readonly side: Side;
  readonly bps: number;
  readonly instrument: Instrument;
  readonly index: Price | undefined;
}

function worstFrom(from: Price, { side, bps, instrument, index }: Bound): Price {
  const by = allowanceOf({ instrument, from, share: basisPoints(bps), index });
  return passiveTick(instrument, side, side === 'buy' ? shifted(from, by) : distance(by, from));
}

const isWorse = (price: Price, bound: Price, side: Side): boolean =>
  side === 'buy' ? isMore(price, bound) : isLess(price, bound);

/** True when a child at this price would trade on arrival. */
export function takes(price: Price, side: Side, { bid, ask }: Quote): boolean {
  if (side === 'buy') return ask !== undefined && !isLess(price, ask.price);
  return bid !== undefined && !isMore(price, bid.price);
}

function spreadFault(question: GuardQuestion, quote: Quote): SkipReason | undefined {
  const { spreadMaxBps, spreadMaxVol } = question.guards;
  if (spreadMaxBps === undefined && spreadMaxVol === undefined) return undefined;
  const { bid, ask } = quote;
  if (bid === undefined || ask === undefined) return 'no_reference';
  if (spreadMaxBps !== undefined) {
    const { instrument } = question;
    const [mid, apart] = [midpoint(bid.price, ask.price), distance(bid.price, ask.price)];
    if (!isPriceOf(instrument, mid)) return 'no_reference';
    const share = basisPoints(spreadMaxBps);
    const widest = allowanceOf({ instrument, from: mid, share, index: quote.index });
    if (isMore(apart, widest)) return 'wide_spread';
  }
  if (spreadMaxVol === undefined || question.instrument.kind !== 'option') return undefined;
  const points = volatilitySpread(question, bid.price, ask.price);
  return points === undefined || points > spreadMaxVol ? 'wide_spread' : undefined;
}

/** Ask − bid in volatility points; `undefined` if a side implies none. */
function volatilitySpread(
  { instrument, quote, now }: GuardQuestion,
  bid: Price,
  ask: Price,
): number | undefined {
  const terms = quote && optionTerms(instrument, quote, now);
  if (terms === undefined) return undefined;
  const [low, high] = [volatilityOf(instrument, terms, bid), volatilityOf(instrument, terms, ask)];
  return low === undefined || high === undefined ? undefined : (high - low) * 100;
}

/** The more passive of two prices on one side. */
export const morePassive = (a: Price, b: Price, side: Side): Price =>
  side === 'buy' ? smaller(a, b) : larger(a, b);
