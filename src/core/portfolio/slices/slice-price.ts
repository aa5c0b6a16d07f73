// The price of a slice at one moment: by its execution style and price guards, never beyond the leg's worst price.

import type { Price } from '../../../values/amounts.ts';
import { type ChildPrice, childPrice } from '../../pricing/child-price.ts';
import {
  arrivalPrice,
  cappedPrice,
  guardedPrice,
  hasGuards,
  morePassive,
} from '../../pricing/price-guards.ts';
import { isFresh } from '../../pricing/reference.ts';
import type { LegPricing } from '../../terms/spec.ts';
import type { Draft } from '../aggregate/draft.ts';
import { legInstrument, legSpec, legState } from '../aggregate/positions.ts';
import type { ExecutionStyle } from './execution-style.ts';

type View = Pick<Draft, 'state' | 'now' | 'inputs'>;

/** The slice's recorded arrival price; before it is recorded, the one of this moment. */
export function arrivalNow({ state, inputs, now }: View, leg: number): Price | undefined {
  const { current } = legState(state, leg);
  if (current?.arrival !== undefined) return current.arrival;
  const quote = inputs.quotes.get(legInstrument(state, leg).name);
  if (quote === undefined || !isFresh(quote, now, inputs.settings.quoteAgeMaxMs)) return undefined;
  return arrivalPrice(quote);
}

/** The price by the execution style and its guards, never beyond the leg's own worst price. */
export function priceNow(draft: View, leg: number, manner: ExecutionStyle): ChildPrice {
  const instrument = legInstrument(draft.state, leg);
  const { side, pricing } = legSpec(draft.state, leg);
  const quote = draft.inputs.quotes.get(instrument.name);
  return cappedPrice(stylePrice(draft, leg, manner), {
    instrument,
    side,
    quote,
    worst: pricing.worst,
  });
}

function stylePrice(draft: View, leg: number, manner: ExecutionStyle): ChildPrice {
  const instrument = legInstrument(draft.state, leg);
  const { side } = legSpec(draft.state, leg);
  const { execution } = draft.state.spec;
  const market = {
    instrument,
    quote: draft.inputs.quotes.get(instrument.name),
    now: draft.now,
    quoteAgeMaxMs: draft.inputs.settings.quoteAgeMaxMs,
  };
  const found = (pricing: LegPricing): ChildPrice =>
    childPrice({
      ...market,
      leg: { side, pricing, postOnly: manner.postOnly },
      collar: execution.collar,
    });
  const priced = found(manner.pricing);
  const bound = manner.limit === undefined ? priced : found(manner.limit);
  if (priced.kind === 'none' || bound.kind === 'none') {
    return priced.kind === 'none' ? priced : bound;
  }
  const price = manner.limit ? morePassive(priced.price, bound.price, side) : priced.price;
  const guards = manner.guards ?? execution;
  if (!hasGuards(guards)) {
    return price === priced.price ? priced : { kind: 'price', price, isBound: true };
  }
  const arrival = arrivalNow(draft, leg);
  const guarded = guardedPrice(price, { ...market, guards, side, arrival });
  return guarded.kind === 'price' && price !== priced.price
    ? { ...guarded, isBound: true }
    : guarded;
}
