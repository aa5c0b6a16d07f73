// The shadow portfolio of a dummy account: it places nothing and copies the fills and the end of the portfolio it
// mirrors. Fills are numbered and copied in order, so that a repeated one counts once and none is left out.
import {
  isLess,
  larger,
  minus,
  plus,
  quantity,
  text,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { termsOf } from '../terms/amend-terms.ts';
import { scaledQuantity, scaledTerms } from '../terms/mirror-scale.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import type {
  MirroredFill,
  MirroredTerms,
  PortfolioCommand,
} from './aggregate/portfolio-command.ts';
import type { EndReason } from './aggregate/portfolio-event.ts';
import { isTerminal, type MirroredFills } from './aggregate/portfolio-state.ts';
import { legInstrument, legState, remainingOf } from './aggregate/positions.ts';

export function recordMirror(
  draft: Draft,
  { fills, over, amended }: Extract<PortfolioCommand, { kind: 'mirror' }>,
): void {
  if (isTerminal(draft.state.status)) return;
  if (amended !== undefined) follow(draft, amended);
  for (const fill of fills) {
    if (isMirrored(draft.state.mirrored, fill)) continue;
    if (isAhead(draft.state.mirrored, fill)) return;
    emit(draft, { kind: 'fill_mirrored', ...fill, ...shareOf(draft, fill) });
    if (!draft.state.broken && isLess(remainingOf(draft.state, fill.leg), ZERO_QUANTITY)) {
      const what = `leg ${fill.leg} mirrors more than its total`;
      emit(draft, { kind: 'assumption_broken', label: '', what });
    }
  }
  if (over === undefined) return;
  if (over.filled) return emit(draft, { kind: 'filled' });
  if (draft.state.status !== 'cancelling') {
    emit(draft, { kind: 'cancelling', reason: over.reason, by: draft.state.lastEditedBy });
  }
  concludeShadow(draft, over.reason);
}

const isMirrored = ({ count, trades }: MirroredFills, { number, tradeId }: MirroredFill): boolean =>
  number <= count || trades?.has(tradeId) === true;

/** Fills before it are missing: the whole history has to be sent. */
const isAhead = ({ count, trades }: MirroredFills, { number }: MirroredFill): boolean =>
  trades === undefined && number > count + 1;

/** What is copied once `fills` are; `undefined` if others before them are missing. */
export function mirroredAfter(
  mirrored: MirroredFills,
  fills: readonly MirroredFill[],
): MirroredFills | undefined {
  let { count } = mirrored;
  for (const fill of fills) {
    if (isAhead({ ...mirrored, count }, fill)) return undefined;
    count = Math.max(count, fill.number);
  }
  return { ...mirrored, count };
}

/** Adopts the current terms of the mirrored portfolio, once per amendment. */
function follow(draft: Draft, { number, by, terms }: MirroredTerms): void {
  const { state } = draft;
  if (number <= state.amendments) return;
  const replans = state.legs.map(() => null);
  const after = scaledTerms(terms, state);
  emit(draft, {
    kind: 'amended',
    by,
    number,
    before: termsOf(state.spec),
    after,
    replans,
    repriced: [],
  });
}

/** The mirror's share of a fill: the increase of its scaled sum. */
function shareOf(
  { state }: Draft,
  fill: MirroredFill,
): { readonly quantity: string; readonly original?: string } {
  const { scale } = state.spec;
  if (scale === undefined) return { quantity: fill.quantity };
  const { filled, mirroredFrom = ZERO_QUANTITY } = legState(state, fill.leg);
  const sum = plus(mirroredFrom, quantity(fill.quantity));
  const scaled = scaledQuantity(sum, scale, legInstrument(state, fill.leg));
  return { quantity: text(larger(minus(scaled, filled), ZERO_QUANTITY)), original: fill.quantity };
}

export function concludeShadow(draft: Draft, reason: EndReason): void {
  const residual = draft.state.legs.map((_leg, index) => text(remainingOf(draft.state, index)));
  emit(draft, { kind: 'cancelled', reason, residual });
}
