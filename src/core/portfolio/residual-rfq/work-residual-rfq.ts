// The end action `rfq`: requests quotes for the residual as one Block RFQ and accepts the best quote within the
// limit. One RFQ at a time; an accept is a child of every leg, so that its quantity counts as outstanding until the
// venue has reported the outcome.
import { isLess, isMore, minus, type Price, text } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { type ChildLabel, childLabel, rfqLabel } from '../../../values/ids.ts';
import { type Instant, later, latest } from '../../../values/instant.ts';
import { isBlackout } from '../../terms/blackout-windows.ts';
import type { EndRfq } from '../../terms/execution.ts';
import { type Draft, emit, isDeferredByRecovery, want } from '../aggregate/draft.ts';
import {
  committedOf,
  endAt,
  hasUnsettled,
  legInstrument,
  legSpec,
  legState,
  planOf,
} from '../aggregate/positions.ts';
import type { RfqSkip } from '../aggregate/residual-rfq-event.ts';
import { openRfq, type ResidualRfqState, type RfqPart } from '../aggregate/residual-rfq-state.ts';
import { cancelLegChildren, endSlice } from '../slices/conclude.ts';
import { isLegFrozen } from '../slices/mmp-freeze.ts';
import { decidableAt } from '../slices/reconcile-child.ts';
import { rfqEndsAt } from '../slices/residual-rfq-due.ts';
import { isAfterEnd } from '../slices/slice-times.ts';
import { rfqLimit, rfqReference } from './residual-rfq-limit.ts';
import { rfqParts } from './residual-rfq-size.ts';

/** Does what is due on it; true while the quantity it leaves is not yet known. */
export function workResidualRfq(draft: Draft): boolean {
  const endsAt = rfqEndsAt(draft.state);
  const terms = draft.state.spec.execution.rfq;
  if (endsAt === undefined || terms === undefined) return false;
  if (draft.state.rfq === undefined) return begin(draft, terms, endsAt);
  const rfq = openRfq(draft.state);
  if (rfq === undefined) return false;
  tend(draft, rfq, terms);
  return openRfq(draft.state) !== undefined;
}

function begin(draft: Draft, terms: EndRfq, endsAt: Instant): boolean {
  for (let leg = 0; leg < draft.state.legs.length; leg += 1) {
    cancelLegChildren(draft, leg, { reason: 'time_over' });
  }
  const why = whyNotNow(draft);
  const parts = why === undefined ? rfqParts(draft) : undefined;
  if (parts?.length === 0) return false;
  if (parts !== undefined && draft.now < endsAt) {
    requestRfq(draft, { parts, terms, endsAt, number: 1 });
    return true;
  }
  const isHopeless = why === 'paused' || why === 'late' || draft.now >= endsAt;
  if (!isHopeless) return true;
  emit(draft, { kind: 'rfq_skipped', why: why ?? (parts ? 'late' : 'no_reference') });
  return false;
}

function whyNotNow(draft: Draft): RfqSkip | undefined {
  const { state, inputs } = draft;
  if (state.paused !== undefined) return 'paused';
  const { timeOverAt, spec } = state;
  const isLate =
    timeOverAt !== undefined && timeOverAt - endAt(spec) > inputs.settings.endLateMaxMs;
  if (isLate) return 'late';
  if (inBlackout(draft)) return 'quiet_window';
  if (hasUnsettled(state) || isDeferredByRecovery(draft, 'place')) return 'unsettled';
  if ((inputs.trading ?? 'active') !== 'active') return 'halted';
  return state.legs.some((_leg, leg) => isLegFrozen(draft, leg)) ? 'mmp_frozen' : undefined;
}

/** In a blackout window nothing is requested or accepted; an open RFQ stays open. */
const inBlackout = ({ state, now }: Draft): boolean => isBlackout(state.spec.execution.quiet, now);

interface RfqRequest {
  readonly parts: readonly RfqPart[];
  readonly terms: EndRfq;
  readonly endsAt: Instant;
  readonly number: number;
}

function requestRfq(draft: Draft, { parts, terms, endsAt, number }: RfqRequest): void {
  const { settings } = draft.inputs;
  const { id: portfolio } = draft.state;
  const label = rfqLabel({ deployment: settings.deployment, portfolio, number });
  const validUntil = later(draft.now, settings.validForMs);
  emit(draft, {
    kind: 'rfq_intended',
    number,
    rfqLabel: label,
    legs: parts.map(({ leg, quantity, hedgePrice }) => ({
      leg,
      quantity: text(quantity),
      ...(hedgePrice && { hedgePrice: text(hedgePrice) }),
    })),
    validUntil,
    endsAt,
  });
  const sized = ({ leg, quantity }: RfqPart) => {
    const { instrument, side } = legSpec(draft.state, leg);
    return { instrument, side, quantity };
  };
  const hedges = parts.flatMap((part) =>
    part.hedgePrice === undefined ? [] : [{ ...sized(part), price: part.hedgePrice }],
  );
  const legs = parts.filter(({ hedgePrice }) => hedgePrice === undefined).map(sized);
  const { makers, disclosed } = terms;
  const [hedge] = hedges;
  want(draft, { kind: 'create_rfq', rfqLabel: label, legs, hedge, makers, disclosed, validUntil });
}

function tend(draft: Draft, rfq: ResidualRfqState, terms: EndRfq): void {
  const reason = cancelReasonOf(draft, rfq);
  if (rfq.stage === 'refused') return tendRefused(draft, rfq, { terms, reason });
  if (rfq.cancel !== undefined || reason !== undefined) {
    return cancelResidualRfq(draft, rfq.cancel?.reason ?? reason ?? '');
  }
  followUp(draft, rfq);
  if (rfq.stage === 'open') acceptBest(draft, rfq, terms);
}

/** Why it must be cancelled, if it must. */
function cancelReasonOf({ state, inputs, now }: Draft, rfq: ResidualRfqState): string | undefined {
  if (state.paused !== undefined) return 'paused';
  if ((inputs.trading ?? 'active') !== 'active') return 'halted';
  const { accept } = rfq;
  const isLost =
    accept?.state === 'unknown' ||
    (accept !== undefined && now >= decidableAt(accept.validUntil, inputs.settings));
  // Only a terminal RFQ shows what such an accept has done.
  if (isLost) return 'unanswered';
  if (now >= rfq.endsAt) return 'time_over';
  return rfq.parts.some((part) => isMore(part.quantity, roomOf(state, part, rfq)))
    ? 'changed'
    : undefined;
}

/** How much of the leg an accept may still take. */
function roomOf(state: Draft['state'], { leg, quantity }: RfqPart, { accept }: ResidualRfqState) {
  if (accept !== undefined) return quantity;
  return minus(legSpec(state, leg).quantity, committedOf(state, leg));
}

function tendRefused(
  draft: Draft,
  rfq: ResidualRfqState,
  { terms, reason }: { readonly terms: EndRfq; readonly reason: string | undefined },
): void {
  const { number, endsAt, retryAt = draft.now } = rfq;
  if (reason !== undefined || number >= draft.inputs.settings.attemptsMax) {
    return emit(draft, { kind: 'rfq_over', number, outcome: 'refused' });
  }
  if (draft.now < retryAt || inBlackout(draft) || isDeferredByRecovery(draft, 'place')) return;
  const parts = rfqParts(draft);
  if (parts === undefined) return;
  if (parts.length === 0) return emit(draft, { kind: 'rfq_over', number, outcome: 'refused' });
  requestRfq(draft, { parts, terms, endsAt, number: number + 1 });
}

/** Requests its cancellation; retried after a while, until the venue reports that it has ended. */
export function cancelResidualRfq(draft: Draft, reason: string): void {
  const rfq = openRfq(draft.state);
  if (rfq === undefined) return;
  const { number, id, cancel, label } = rfq;
  if (rfq.stage === 'refused') return emit(draft, { kind: 'rfq_over', number, outcome: 'refused' });
  if (id === undefined || (cancel !== undefined && draft.now < cancel.retryAt)) {
    return followUp(draft, rfq);
  }
  const retryAt = later(draft.now, draft.inputs.settings.cancelRetryMs);
  emit(draft, { kind: 'rfq_cancel_intended', number, reason, retryAt });
  want(draft, { kind: 'cancel_rfq', rfqLabel: label, rfqId: id });
}

/** A request in flight will be answered; once its deadline has passed, the venue is queried. */
function followUp(draft: Draft, { stage, label, id, validUntil }: ResidualRfqState): void {
  if (stage === 'sending' && draft.now < validUntil) return;
  want(draft, { kind: 'ask_rfq', rfqLabel: label, rfqId: id });
}

function acceptBest(draft: Draft, rfq: ResidualRfqState, terms: EndRfq): void {
  const { best, id, quantity, accept, accepts } = rfq;
  const { settings } = draft.inputs;
  if (best === undefined || id === undefined || quantity === undefined) return;
  if (accept !== undefined || accepts >= settings.attemptsMax) return;
  if (draft.now < later(rfq.intendedAt, terms.collectMs) || inBlackout(draft)) return;
  if (terms.wholeOnly && !best.isWhole) return;
  if (rfq.parts.some(({ leg }) => isLegFrozen(draft, leg))) return;
  const limit = rfqLimit(draft, rfq, terms);
  if (limit === undefined || isLess(limit, best.price)) return;
  if (isDeferredByRecovery(draft, 'place')) return;
  const validUntil = later(draft.now, settings.validForMs);
  intendAccept(draft, rfq, { price: best.price, limit, validUntil });
  want(draft, {
    kind: 'accept_rfq',
    rfqLabel: rfq.label,
    rfqId: id,
    accept: accepts + 1,
    quantity,
    price: best.price,
    validUntil,
  });
}

interface Acceptance {
  readonly price: Price;
  /** Absent if it was accepted by someone else. */
  readonly limit?: Price | undefined;
  readonly validUntil: Instant;
}

/** From here on the quantities of the RFQ count as outstanding. */
export function intendAccept(draft: Draft, rfq: ResidualRfqState, acceptance: Acceptance): void {
  const { price, limit, validUntil } = acceptance;
  for (const part of rfq.parts) beginSlice(draft, part, rfq.endsAt);
  const labels = rfq.parts.map(({ leg }) => labelOf(draft, leg));
  emit(draft, {
    kind: 'rfq_accept_intended',
    number: rfq.number,
    accept: rfq.accepts + 1,
    price: text(price),
    ...(limit && { limit: text(limit) }),
    labels,
    validUntil,
  });
  rfq.parts.forEach((part, at) => {
    const { side, reduceOnly } = legSpec(draft.state, part.leg);
    const { slice, attempts } = currentOf(draft, part.leg);
    emit(draft, {
      kind: 'child_intended',
      label: must(labels[at], 'a label for each part'),
      leg: part.leg,
      slice,
      attempt: attempts + 1,
      side,
      quantity: text(part.quantity),
      price: text(partPrice(draft, rfq, { part, price })),
      timeInForce: 'fill_or_kill',
      postOnly: false,
      reduceOnly,
      validUntil,
      block: true,
    });
  });
}

const currentOf = (draft: Draft, leg: number) =>
  must(legState(draft.state, leg).current, `leg ${leg} is at the slice of its block`);

function labelOf(draft: Draft, leg: number): ChildLabel {
  const { slice, attempts } = currentOf(draft, leg);
  const { deployment } = draft.inputs.settings;
  return childLabel({ deployment, portfolio: draft.state.id, leg, slice, attempt: attempts + 1 });
}

/** An RFQ's fills belong to a slice of their own, after the last one of the plan. */
function beginSlice(draft: Draft, { leg, quantity }: RfqPart, endsAt: Instant): void {
  const { current } = legState(draft.state, leg);
  if (current !== undefined && isAfterEnd(draft.state, current)) return;
  endSlice(draft, leg);
  const slice = Math.max(legState(draft.state, leg).nextSlice, planOf(draft.state, leg).slices);
  const planned = text(quantity);
  const dueAt = latest(draft.now, draft.state.timeOverAt ?? draft.now);
  emit(draft, { kind: 'slice_started', leg, slice, dueAt, endsAt, planned, quantity: planned });
}

/** A leg has no price of its own before the trade: the price it was checked by is used. */
function partPrice(
  draft: Draft,
  rfq: ResidualRfqState,
  { part, price }: { readonly part: RfqPart; readonly price: Price },
): Price {
  if (part.hedgePrice !== undefined) return part.hedgePrice;
  const isSingle = rfq.parts.filter(({ ratio }) => ratio !== undefined).length === 1;
  if (isSingle) return price.abs() as Price;
  const reference = draft.state.spec.execution.rfq?.reference ?? 'mark';
  return rfqReference(draft, part.leg, reference) ?? legInstrument(draft.state, part.leg).tickSize;
}
