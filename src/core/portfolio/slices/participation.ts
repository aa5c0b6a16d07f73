// A leg's part of what trades in its instrument, its own trades included: the venue's count of what has
// traded is noted with each slice, so that the sum outlives a process whose count began anew.
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
import { tradedBy } from '../../schedule/tape.ts';
import type { Draft } from '../aggregate/draft.ts';
import { committedOf, legInstrument, legSpec, legState } from '../aggregate/positions.ts';

/** For the start of a slice: what the venue counts as traded; nothing where the option is off. */
export function tapeMark(draft: Draft, leg: number): { readonly traded?: string } {
  if (draft.state.spec.execution.participationMax === undefined) return {};
  const { traded } = draft.context.quotes(legInstrument(draft.state, leg).name) ?? {};
  return traded === undefined ? {} : { traded: text(traded) };
}

/** What the leg may have sent more; `undefined` where nothing bounds it. A hedge is not held back. */
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
