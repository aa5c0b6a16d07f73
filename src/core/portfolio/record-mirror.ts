// A shadow portfolio of a dummy account: it places nothing and copies the fills and the end of the
// portfolio it mirrors. Copies carry the original trade id, so that a repeated copy counts once.
import { isLess, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import type { PortfolioCommand } from './command.ts';
import { type Draft, emit } from './draft.ts';
import type { EndReason } from './event.ts';
import { remainingOf } from './positions.ts';
import { isTerminal } from './state.ts';

export function recordMirror(
  draft: Draft,
  { fills, over }: Extract<PortfolioCommand, { kind: 'mirror' }>,
): void {
  if (isTerminal(draft.state.status)) return;
  for (const fill of fills) {
    if (draft.state.mirrored.has(fill.tradeId)) continue;
    if (draft.state.status === 'pending') emit(draft, { kind: 'started' });
    emit(draft, { kind: 'fill_mirrored', ...fill });
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

export function concludeShadow(draft: Draft, reason: EndReason): void {
  const residual = draft.state.legs.map((_leg, index) => text(remainingOf(draft.state, index)));
  emit(draft, { kind: 'cancelled', reason, residual });
}
