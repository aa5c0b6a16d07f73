// PT-1: no order pays further beyond the reference than the collar allows. The reference is the mark price, as long
// as it is fresh and agrees with the book. A price away from the market on the favourable side is allowed, because it
// only rests. A combo may pay as much beyond it as its legs together: its own price is a difference of theirs.
import {
  absolute,
  basisPoints,
  distance,
  isMore,
  larger,
  midpoint,
  type Price,
  ratioOf,
  scaled,
  text,
} from '../../../values/amounts.ts';
import { grossRatio, isCombo, isPriceOf, tickAt } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import type { CollarLimits } from './control-limits.ts';
import type { GateContext, GateOrder, OrderControl } from './gate-order.ts';

export const priceCollar: OrderControl = (order, { limits, quote, now }) => {
  const { collar } = limits;
  if (collar === undefined) return undefined;
  const { instrument, price, triggerPrice } = order;
  if (price === undefined) {
    // An untriggered order without a limit has no price yet; the venue's band will bound it.
    if (order.waits) return undefined;
    return { why: `no price is known to hold an order of ${instrument.name} against` };
  }
  // A limit order without a known trigger price is a trailing one: its market is not known yet either.
  if (order.waits && triggerPrice === undefined) return undefined;
  const reference = triggerPrice ?? referenceOf(order, collar, { quote, now });
  if (typeof reference === 'string') return { why: reference };
  const allowed = allowanceAt(order, reference, { collar, quote });
  const beyond = order.side === 'buy' ? distance(reference, price) : distance(price, reference);
  if (!isMore(beyond, allowed)) return undefined;
  return {
    why: `${text(price)} is too far beyond the reference ${text(reference)}`,
    limit: text(allowed),
    input: text(beyond),
  };
};

/** The reference price for orders, or the reason why there is none. */
function referenceOf(
  { instrument }: GateOrder,
  collar: CollarLimits,
  { quote, now }: Pick<GateContext, 'quote' | 'now'>,
): Price | string {
  if (quote === undefined) return `no quote of ${instrument.name} is known`;
  const ageMs = now - quote.seenAt;
  if (!(ageMs <= collar.referenceAgeMaxMs)) {
    return `the quote of ${instrument.name} is ${ageMs} ms old, more than ${collar.referenceAgeMaxMs}`;
  }
  const middle = middleOf(quote);
  const reference = quote.mark ?? middle;
  if (reference === undefined || !isPriceOf(instrument, reference)) {
    return `${instrument.name} has neither a mark nor a middle`;
  }
  if (instrument.kind === 'option' || isCombo(instrument) || middle === undefined) return reference;
  const apart = absolute(distance(middle, reference));
  const apartMax = scaled(middle, basisPoints(collar.divergenceBps));
  return isMore(apart, apartMax)
    ? `mark ${text(reference)} and middle ${text(middle)} of ${instrument.name} do not agree`
    : reference;
}

function allowanceAt(
  { instrument }: GateOrder,
  reference: Price,
  { collar, quote }: { readonly collar: CollarLimits; readonly quote: Quote | undefined },
): Price {
  const legs = grossRatio(instrument);
  const isOfOptions = instrument.kind === 'option' || instrument.kind === 'option_combo';
  if (!isOfOptions) {
    const each = isCombo(instrument) ? (quote?.index ?? reference) : reference;
    return scaled(scaled(absolute(each), ratioOf(legs)), basisPoints(collar.bps));
  }
  const ticks = scaled(tickAt(instrument, reference), ratioOf(legs * collar.optionTicks));
  return larger(scaled(absolute(reference), ratioOf(collar.optionShare)), ticks);
}

/** The mid, if the book has two sides. */
export const middleOf = ({ bid, ask }: Quote): Price | undefined =>
  bid && ask && midpoint(bid.price, ask.price);
