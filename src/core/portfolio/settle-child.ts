// Children whose fate must be asked for: no answer by the time a late request could no longer have
// been accepted, an edit without an answer, or fills the venue counted and we have not seen.
// The margins bound the venue's clock and the lag of its queries (docs/invariants.md, I2).
import { isPositive } from '../../values/amounts.ts';
import { type Instant, later } from '../../values/instant.ts';
import { type ChildOrder, missingFills } from '../order/child-order.ts';
import { type Draft, emit, want } from './draft.ts';
import { childOf } from './evolve-child.ts';
import { legSpec } from './positions.ts';
import type { Settings } from './settings.ts';

/** From when on the venue's word about `validUntil` requests is final. */
export const decidableAt = (validUntil: Instant, settings: Settings): Instant =>
  later(validUntil, settings.skewMs + settings.readLagMs);

/** When the child must be asked about next; `undefined` while there is nothing to ask. */
export function settleAt(child: ChildOrder, settings: Settings): Instant | undefined {
  if (child.state === 'sending' || child.state === 'unknown') {
    return child.absentSince === undefined
      ? decidableAt(child.validUntil, settings)
      : later(child.absentSince, settings.readLagMs);
  }
  if (child.edit !== undefined) return decidableAt(child.edit.validUntil, settings);
  return isPositive(missingFills(child)) ? child.intendedAt : undefined;
}

/** Wants a query for every child whose time to be asked about has come. */
export function settleOverdue(draft: Draft): void {
  for (const child of draft.state.children.values()) {
    const at = settleAt(child, draft.context.settings);
    if (at === undefined || at > draft.now) continue;
    const { instrument } = legSpec(draft.state, child.leg);
    want(draft, { kind: 'settle', label: child.label, instrument });
  }
}

/**
 * A query found nothing. Before the deadline that proves nothing; the first time after it starts the
 * read-lag wait; the second time proves that the request never reached the book.
 */
export function recordAbsent(draft: Draft, label: string): void {
  const child = childOf(draft.state, label);
  const { settings } = draft.context;
  if (child.state !== 'sending' && child.state !== 'unknown') return;
  if (draft.now < decidableAt(child.validUntil, settings)) return;
  if (child.absentSince === undefined) return emit(draft, { kind: 'child_absent', label });
  if (draft.now < later(child.absentSince, settings.readLagMs)) return;
  emit(draft, { kind: 'child_unsent', label });
}
