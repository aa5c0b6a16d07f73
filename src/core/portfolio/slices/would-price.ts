// A price good enough to take more than the schedule requires. Quantity taken early reduces later slices; the total
// of the leg is never exceeded.
import { isPositive, minus, ratioOf, share, smaller } from '../../../values/amounts.ts';
import { tradable } from '../../../values/instrument.ts';
import { takes } from '../../pricing/price-guards.ts';
import { isFresh } from '../../pricing/reference.ts';
import type { Draft } from '../aggregate/draft.ts';
import { allowanceOf, committedOf, legInstrument, legSpec } from '../aggregate/positions.ts';
import { type ExecutionStyle, legStyle } from './execution-style.ts';
import { priceNow } from './slice-price.ts';

/** How to take what is offered at such a price now; `undefined` if nothing is. */
export function wouldManner(draft: Draft, leg: number): ExecutionStyle | undefined {
  const rule = draft.state.spec.execution.would?.find((one) => one.leg === leg);
  if (rule === undefined) return undefined;
  const instrument = legInstrument(draft.state, leg);
  const quote = draft.inputs.quotes.get(instrument.name);
  if (quote === undefined) return undefined;
  if (!isFresh(quote, draft.now, draft.inputs.settings.quoteAgeMaxMs)) return undefined;
  const { side, pricing } = legSpec(draft.state, leg);
  const offered = side === 'buy' ? quote.ask : quote.bid;
  if (offered === undefined) return undefined;
  const manner: ExecutionStyle = {
    ...legStyle(draft, leg),
    pricing: { type: 'limit', price: rule.price, unit: 'currency' },
    timeInForce: 'immediate_or_cancel',
    postOnly: false,
    ...(pricing.type === 'limit' && { limit: pricing }),
  };
  const priced = priceNow(draft, leg, manner);
  // The limit, the worst price and the guards of the leg bound the would price: beyond them the leg is worked as usual.
  if (priced.kind === 'none' || !takes(priced.price, side, quote)) return undefined;
  const open = minus(allowanceOf(draft.state, leg), committedOf(draft.state, leg));
  if (!isPositive(open)) return undefined;
  const take = tradable(instrument, smaller(share(open, ratioOf(rule.share)), offered.quantity));
  return isPositive(take) ? { ...manner, take } : undefined;
}
