// What a residual RFQ requests: the rest of every leg, and for a hedge what the others' fills would then require. A
// single hedge alongside options or spot becomes the RFQ's hedge, at the mark price; everything else is a leg.
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { onTick, tradable } from '../../../values/instrument.ts';
import { isFresh } from '../../pricing/reference.ts';
import type { Draft } from '../aggregate/draft.ts';
import { hedgeAllowance } from '../aggregate/hedge-allowance.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import {
  committedOf,
  legInstrument,
  legSpec,
  legState,
  remainingOf,
  skippedOf,
} from '../aggregate/positions.ts';
import type { RfqPart } from '../aggregate/residual-rfq-state.ts';

/** Empty if nothing tradable is left; `undefined` while the hedge's mark price is unknown. */
export function rfqParts(draft: Draft): readonly RfqPart[] | undefined {
  const { state } = draft;
  const rests = state.legs.map((_leg, leg) =>
    legSpec(state, leg).hedge ? undefined : rest(state, leg),
  );
  const hedges = state.legs.map((_leg, leg) =>
    legSpec(state, leg).hedge ? hedgeRest(state, leg, rests) : undefined,
  );
  const parts = sized(rests);
  const [hedge, ...others] = sized(hedges);
  if (hedge === undefined || others.length > 0 || !goesBeside(state, hedge.leg, parts)) {
    return [...parts, ...sized(hedges)];
  }
  const hedgePrice = markOf(draft, hedge.leg);
  return hedgePrice && [...parts, { ...hedge, hedgePrice }];
}

const sized = (rests: readonly (Quantity | undefined)[]): readonly RfqPart[] =>
  rests.flatMap((quantity, leg) => (quantity && isPositive(quantity) ? [{ leg, quantity }] : []));

/** Neither filled, nor outstanding, nor given up. */
function rest(state: PortfolioState, leg: number): Quantity {
  const { quantity } = legSpec(state, leg);
  const open = minus(quantity, committedOf(state, leg));
  const wanted = minus(remainingOf(state, leg), skippedOf(state, leg));
  return tradableRest(state, leg, smaller(open, wanted));
}

function hedgeRest(
  state: PortfolioState,
  leg: number,
  rests: readonly (Quantity | undefined)[],
): Quantity {
  const target = hedgeAllowance(state, leg, (other) => {
    const asked = rests[other];
    return asked && plus(legState(state, other).filled, asked);
  });
  return tradableRest(state, leg, minus(target, committedOf(state, leg)));
}

const tradableRest = (state: PortfolioState, leg: number, open: Quantity): Quantity =>
  isPositive(open) ? tradable(legInstrument(state, leg), open) : ZERO_QUANTITY;

/** The venue accepts one future as the hedge of options or spot, never of futures. */
function goesBeside(state: PortfolioState, leg: number, parts: readonly RfqPart[]): boolean {
  const isFuture = (of: number): boolean => {
    const { kind } = legInstrument(state, of);
    return kind === 'perpetual' || kind === 'future';
  };
  return parts.length > 0 && isFuture(leg) && !parts.some((part) => isFuture(part.leg));
}

function markOf({ state, inputs, now }: Draft, leg: number) {
  const instrument = legInstrument(state, leg);
  const quote = inputs.quotes.get(instrument.name);
  if (quote?.mark === undefined || !isFresh(quote, now, inputs.settings.quoteAgeMaxMs))
    return undefined;
  return onTick(instrument, quote.mark, 'half_up');
}
