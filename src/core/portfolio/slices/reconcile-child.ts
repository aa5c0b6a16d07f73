// Children whose fate must be asked for: no answer by the time a late request could no longer have
// been accepted, an edit without an answer, or fills the venue counted and we have not seen.
// The margins bound the venue's clock and the lag of its queries (docs/invariants.md, I2).
import { isPositive, text } from '../../../values/amounts.ts';
import { type Instant, later, latest } from '../../../values/instant.ts';
import { type ChildOrder, isWorking, missingFills } from '../../order/child-order.ts';
import type { Settings } from '../../terms/settings.ts';
import { type Draft, emit, want } from '../aggregate/draft.ts';
import { childOf } from '../aggregate/evolve-child.ts';
import { legSpec } from '../aggregate/positions.ts';

/** From when on the venue's word about `validUntil` requests is final. */
export const decidableAt = (validUntil: Instant, settings: Settings): Instant =>
  later(validUntil, settings.skewMs + settings.readLagMs);

/** When the child must be asked about next; `undefined` while there is nothing to ask. */
export function queryAt(child: ChildOrder, settings: Settings): Instant | undefined {
  // What has become of a block is the RFQ's to tell.
  if (child.block) return undefined;
  if (child.absentSince !== undefined) return later(child.absentSince, settings.readLagMs);
  const isOpen = child.state === 'sending' || child.state === 'unknown';
  if (isOpen || child.edit !== undefined) return decidableAt(lastDeadline(child), settings);
  return isPositive(missingFills(child)) ? (child.closedAt ?? child.intendedAt) : undefined;
}

/** When the last of the child's requests could have been accepted at the latest. */
const lastDeadline = ({ validUntil, edit }: ChildOrder): Instant =>
  edit === undefined ? validUntil : latest(validUntil, edit.validUntil);

/** Wants a query for every child whose time to be asked about has come. */
export function queryOverdueChildren(draft: Draft): void {
  for (const child of draft.state.children.values()) {
    const at = queryAt(child, draft.context.settings);
    if (at === undefined || at > draft.now) continue;
    const { instrument } = legSpec(draft.state, child.leg);
    want(draft, { kind: 'settle', label: child.label, instrument, dueAt: at });
  }
}

/**
 * A query begun at `askedAt` found nothing. Before the deadline that proves nothing; the first time
 * after it starts the read-lag wait; the second time proves that the request never reached the book,
 * or that an order which was live is no longer known to the venue.
 */
export function recordAbsent(draft: Draft, label: string, askedAt: Instant): void {
  const child = childOf(draft.state, label);
  const { settings } = draft.context;
  if (!isWorking(child) || child.block) return;
  if (askedAt < decidableAt(lastDeadline(child), settings)) return;
  if (child.absentSince === undefined) return emit(draft, { kind: 'child_absent', label });
  if (askedAt < later(child.absentSince, settings.readLagMs)) return;
  const { state, orderId, filled } = child;
  if (state !== 'live' || orderId === undefined) {
    return emit(draft, { kind: 'child_unsent', label });
  }
  const closing = {
    state: 'cancelled',
    filled: text(filled),
    reason: 'forgotten_by_venue',
  } as const;
  emit(draft, { kind: 'child_closed', label, orderId, ...closing });
}
