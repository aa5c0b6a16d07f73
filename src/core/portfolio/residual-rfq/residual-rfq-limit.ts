// The worst price at which the residual may be bought or sold as a block.
//
// Source: our choice. A share of the structure's own price is meaningless if that price is near zero, so the share
// applies to the combined value of its legs; for a single leg that is its price.
import { basisPoints, type Price, price, scaled, shifted } from '../../../values/amounts.ts';
import { signOf } from '../../../values/instrument.ts';
import { isFresh, referencePrice } from '../../pricing/reference.ts';
import type { EndRfq } from '../../terms/execution.ts';
import type { Draft } from '../aggregate/draft.ts';
import { legInstrument, legSpec } from '../aggregate/positions.ts';
import type { ResidualRfqState, RfqPart } from '../aggregate/residual-rfq-state.ts';

const NOTHING = price('0');

/** Maximum price for the buyer of the legs as listed. `undefined` while a reference is unknown. */
export function rfqLimit(draft: Draft, rfq: ResidualRfqState, terms: EndRfq): Price | undefined {
  const parts = rfq.parts.filter(({ ratio }) => ratio !== undefined);
  const { limitPrice, limitBps } = terms;
  if (limitPrice !== undefined) return signed(draft, parts[0], limitPrice);
  if (limitBps === undefined) return undefined;
  let middle = NOTHING;
  let worth = NOTHING;
  for (const part of parts) {
    const reference = rfqReference(draft, part.leg, terms.reference);
    if (reference === undefined) return undefined;
    const value = weighted(reference, part);
    worth = shifted(worth, value);
    middle = shifted(middle, signed(draft, part, value) ?? NOTHING);
  }
  return shifted(middle, scaled(worth, basisPoints(limitBps)));
}

/** The leg's reference, while it is fresh enough. */
export function rfqReference(
  { state, inputs, now }: Draft,
  leg: number,
  reference: EndRfq['reference'],
): Price | undefined {
  const quote = inputs.quotes.get(legInstrument(state, leg).name);
  if (quote === undefined || !isFresh(quote, now, inputs.settings.quoteAgeMaxMs)) return undefined;
  return referencePrice(quote, reference);
}

const weighted = (at: Price, { ratio }: RfqPart): Price =>
  ratio === undefined ? at : (at.mul(ratio) as Price);

/** Bought legs count positive, sold ones negative. */
function signed({ state }: Draft, part: RfqPart | undefined, at: Price): Price | undefined {
  if (part === undefined) return undefined;
  return signOf(legSpec(state, part.leg).side) === 1 ? at : (at.negated() as Price);
}
