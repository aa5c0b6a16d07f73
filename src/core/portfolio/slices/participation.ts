// A leg's share of the volume traded in its instrument, including its own trades. The venue's volume count is
// recorded with each slice, so that the sum survives a process whose count restarted.
import {
  isPositive,
  minus,
  type Quantity,
  ratioOf,
  share,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { Quote } from '../../../values/quote.ts';
import { isFresh } from '../../pricing/reference.ts';
import { tradedBy } from '../../schedule/tape.ts';
import type { Draft } from '../aggregate/draft.ts';
import { committedOf, legInstrument, legSpec, legState } from '../aggregate/positions.ts';

/**
 * For the start of a slice: the venue's traded volume. Empty if the option is off, or if the volume is not known as of
 * now: from an older count the leg would take a share of what traded before its slice.
 */
export function tapeMark(draft: Draft, leg: number): { readonly traded?: string } {
  if (draft.state.spec.execution.participationMax === undefined) return {};
  const { quotes, settings } = draft.inputs;
  const quote = quotes.get(legInstrument(draft.state, leg).name);
  if (quote === undefined || !isFresh(quote, draft.now, settings.quoteAgeMaxMs)) return {};
  const { traded } = quote;
  return traded === undefined ? {} : { traded: text(traded) };
}

/** How much more the leg may send; `undefined` if nothing bounds it. A hedge is not restricted. */
export function participationRoom(
  draft: Draft,
  leg: number,
  quote: Quote | undefined,
): Quantity | undefined {
  const { participationMax } = draft.state.spec.execution;
  if (participationMax === undefined || legSpec(draft.state, leg).hedge) return undefined;
  const { tape } = legState(draft.state, leg);
  if (tape === undefined || quote?.traded === undefined) return ZERO_QUANTITY;
  const traded = tradedBy(tape, quote.traded);
  const room = minus(share(traded, ratioOf(participationMax)), committedOf(draft.state, leg));
  return isPositive(room) ? room : ZERO_QUANTITY;
}
