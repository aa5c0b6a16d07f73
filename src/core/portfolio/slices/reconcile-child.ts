// Children whose state must be queried: no answer although a late request could no longer be accepted, an edit
// without an answer, or fills that the venue counted and we have not seen. The margins bound the venue's clock and
// the lag of its queries (docs/invariants.md, I2).
import { isPositive, text } from '../../../values/amounts.ts';
import { type Instant, later, latest } from '../../../values/instant.ts';
import { type ChildOrder, isWorking, missingFills } from '../../order/child-order.ts';
import type { Settings } from '../../terms/settings.ts';
import { type Draft, emit, want } from '../aggregate/draft.ts';
import { unsettledChild } from '../aggregate/evolve-child.ts';
import { legSpec } from '../aggregate/positions.ts';

/** The instant from which the venue's answer about requests with `validUntil` is final. */
export const decidableAt = (validUntil: Instant, settings: Settings): Instant =>
  later(validUntil, settings.skewMs + settings.readLagMs);

/** When the child must be queried next; `undefined` while there is nothing to query. */
export function queryAt(child: ChildOrder, settings: Settings): Instant | undefined {
  // The outcome of a block leg is reported with its RFQ.
  if (child.block) return undefined;
  if (child.absentSince !== undefined) return later(child.absentSince, settings.readLagMs);
  const isOpen = child.state === 'sending' || child.state === 'unknown';
  if (isOpen || child.edit !== undefined) return decidableAt(lastDeadline(child), settings);
  return isPositive(missingFills(child)) ? (child.closedAt ?? child.intendedAt) : undefined;
}

/** The latest instant at which any of the child's requests could have been accepted. */
const lastDeadline = ({ validUntil, edit }: ChildOrder): Instant =>
  edit === undefined ? validUntil : latest(validUntil, edit.validUntil);

/** Requests a query for every child that is due for one. */
export function queryOverdueChildren(draft: Draft): void {
  for (const child of draft.state.children.values()) {
    const at = queryAt(child, draft.inputs.settings);
    if (at === undefined || at > draft.now) continue;
    const { instrument } = legSpec(draft.state, child.leg);
    want(draft, { kind: 'settle', label: child.label, instrument, dueAt: at });
  }
}

/**
 * A query started at `askedAt` found nothing. Before the deadline that proves nothing; the first time after it starts
 * the read-lag wait; the second time proves that the request never reached the book, or that an order which was live
 * is no longer known to the venue.
 */
export function recordAbsent(draft: Draft, label: string, askedAt: Instant): void {
  const child = unsettledChild(draft.state, label);
  const { settings } = draft.inputs;
  if (child === undefined || !isWorking(child) || child.block) return;
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
