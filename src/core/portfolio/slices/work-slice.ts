// Works one slice of one leg: places a child if none is at the venue, follows the reference with a resting one, and
// cancels it when the slice's time is up.
import {
  equals,
  isPositive,
  minus,
  type Price,
  type Quantity,
  smaller,
  text,
} from '../../../values/amounts.ts';
import { type ChildLabel, childLabel } from '../../../values/ids.ts';
import { type Instant, later } from '../../../values/instant.ts';
import { holdsPosition, tradable } from '../../../values/instrument.ts';
import type { TimeInForce } from '../../../values/order-terms.ts';
import { type ChildOrder, isWorking, totalOutstanding } from '../../order/child-order.ts';
import { repriceEveryMs } from '../../pricing/child-price.ts';
import { mayLeaveAt, withMessage } from '../../risk/message-room.ts';
import { checkOrder } from '../../risk/order-check.ts';
import { maySend, type TradingState } from '../../risk/trading-switch.ts';
import type { RepriceReason, SkipReason } from '../../terms/reasons.ts';
import { type Draft, emit, isDeferredByRecovery, want } from '../aggregate/draft.ts';
import { type CurrentSlice, triesOf } from '../aggregate/portfolio-state.ts';
import {
  allowanceOf,
  childrenOf,
  committedOf,
  legInstrument,
  legSpec,
  legState,
  workingOf,
} from '../aggregate/positions.ts';
import type { ExecutionStyle } from './execution-style.ts';
import { type ChildTerms, countIntended, judgeChild, shortOfOwnOrders } from './judge-child.ts';
import { isLegFrozen } from './mmp-freeze.ts';
import { participationRoom } from './participation.ts';
import { capOn, capText, divided } from './shape-order.ts';
import { arrivalNow, priceNow } from './slice-price.ts';
import { blocked, wait, waiting } from './slice-waits.ts';

/** A cancel without effect is retried with back-off, at intervals of at most this. */
const CANCEL_REST_MAX_MS = 15_000;

/** Does what the current slice of `leg` needs at this moment. */
export function workSlice(draft: Draft, leg: number, manner: ExecutionStyle): void {
  const working = workingOf(draft.state, leg);
  const current = legState(draft.state, leg).current;
  if (current === undefined) return;
  const own = working.filter((child) => child.slice === current.slice);
  const suspension = suspensionOf(draft, leg);
  if (suspension !== undefined) return suspend(draft, leg, { own, reason: suspension });
  for (const child of own) {
    if (child.attempt <= (current.staleAttempts ?? 0)) requestCancel(draft, child, 'amended');
    else if (!maySend(tradingOf(draft), child)) requestCancel(draft, child, 'reducing');
    else followReference(draft, child, manner);
  }
  if (own.length === 0) placeChild(draft, leg, manner);
}

const tradingOf = ({ inputs }: Draft): TradingState => inputs.trading ?? 'active';

/** Why the leg may send nothing at this moment, if it may not. */
function suspensionOf(draft: Draft, leg: number): SkipReason | undefined {
  const trading = tradingOf(draft);
  // An instrument without reduce-only orders cannot be known to reduce.
  const canReduce = holdsPosition(legSpec(draft.state, leg));
  if (trading === 'halted' || (trading === 'reducing' && !canReduce)) return 'halted';
  return isLegFrozen(draft, leg) ? 'mmp_frozen' : undefined;
}

/** Cancels resting orders and places nothing. */
function suspend(
  draft: Draft,
  leg: number,
  { own, reason }: { readonly own: readonly ChildOrder[]; readonly reason: SkipReason },
): void {
  for (const child of own) requestCancel(draft, child, reason);
  const current = legState(draft.state, leg).current;
  if (current === undefined) return;
  if (isPositive(sliceRest(draft, leg, current))) waiting(draft, leg, reason);
}

/** What the slice still has to place; zero if it is done or the leg has no room. */
export function sliceRest(
  { state }: Pick<Draft, 'state'>,
  leg: number,
  current: CurrentSlice,
): Quantity {
  const own = childrenOf(state, leg).filter((child) => child.slice === current.slice);
  const ofSlice = minus(minus(current.quantity, current.filled), totalOutstanding(own));
  const ofLeg = minus(allowanceOf(state, leg), committedOf(state, leg));
  const rest = smaller(ofSlice, ofLeg);
  return isPositive(rest) ? tradable(legInstrument(state, leg), rest) : minus(rest, rest);
}

/** Pauses grow up to 64 times. */
const DOUBLINGS_MAX = 6;

/**
 * Earliest instant of the slice's next attempt. After permanent refusals attempts back off exponentially: each costs
 * a message, and only an external change can help.
 */
export function nextAttemptAt(draft: Draft, { triedAt, refusals = 0 }: CurrentSlice): Instant {
  if (triedAt === undefined) return draft.now;
  const times = 2 ** Math.min(refusals, DOUBLINGS_MAX);
  return later(triedAt, draft.inputs.settings.retryMs * times);
}

function placeChild(draft: Draft, leg: number, manner: ExecutionStyle): void {
  const { settings } = draft.inputs;
  const current = legState(draft.state, leg).current;
  if (current === undefined || draft.now >= current.endsAt) return;
  const wanted = manner.take ?? sliceRest(draft, leg, current);
  if (!isPositive(wanted)) return;
  if (triesOf(current) >= settings.attemptsMax) return waiting(draft, leg, 'rejected');
  if (draft.now < nextAttemptAt(draft, current)) return;
  if (isDeferredByRecovery(draft, 'place')) return;
  const instrument = legInstrument(draft.state, leg);
  const room = participationRoom(draft, leg, draft.inputs.quotes.get(instrument.name));
  const asked = room === undefined ? wanted : divided(draft, leg, { wanted, most: room });
  if (!isPositive(asked)) return waiting(draft, leg, 'participation');
  noteArrival(draft, leg);
  const priced = priceNow(draft, leg, manner);
  if (priced.kind === 'none') return waiting(draft, leg, priced.reason);
  const { timeInForce } = manner;
  const price = shortOfOwnOrders(draft, leg, { price: priced.price, timeInForce });
  const cap = capOn(draft, leg, { quantity: asked, price });
  const quantity = cap ? divided(draft, leg, { wanted: asked, most: cap.quantity }) : asked;
  const beyond = cap && capText(draft, leg, { wanted: asked, cap });
  if (beyond !== undefined && !isPositive(quantity)) return blocked(draft, leg, beyond);
  const order = { instrument, quantity, price };
  const checked = checkOrder(order, draft.inputs.quotes.get(instrument.name), settings);
  if (checked.kind === 'blocked') return blocked(draft, leg, `${checked.control}: ${checked.why}`);
  if (messagesWaitMs(draft, leg) > settings.validForMs * BUDGET_WAIT_SHARE) {
    return waiting(draft, leg, 'message_budget');
  }
  const child = newChild(draft, leg, { current, quantity, price, manner });
  const judged = judgeChild(draft, child);
  if (judged.objection !== undefined) return blocked(draft, leg, judged.objection);
  countIntended(draft, judged);
  countMessage(draft, leg);
  intend(draft, current, child);
  // Each look at a would-price takes its share once, and not the next at once.
  if (beyond !== undefined && manner.take === undefined)
    wait(draft, leg, { reason: 'order_cap', why: beyond });
}

/**
 * An order is intended if the message budget lets it leave within this share of its validity. One that waited for half
 * of it would not be sent.
 */
const BUDGET_WAIT_SHARE = 0.25;

/** How long the message budget would hold up an order or an edit of the leg. */
function messagesWaitMs({ inputs: { messages }, state, now }: Draft, leg: number): number {
  if (messages === undefined) return 0;
  return Math.max(0, mayLeaveAt(messages, legSpec(state, leg).instrument) - now);
}

/** What is decided later in the turn finds one message less. */
function countMessage(draft: Draft, leg: number): void {
  const { messages } = draft.inputs;
  if (messages === undefined) return;
  const { instrument } = legSpec(draft.state, leg);
  draft.inputs = { ...draft.inputs, messages: withMessage(messages, instrument) };
}

interface Placement {
  readonly current: CurrentSlice;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly manner: ExecutionStyle;
}

interface NewChild extends ChildTerms {
  readonly label: ChildLabel;
  readonly attempt: number;
  readonly timeInForce: TimeInForce;
}

function newChild(draft: Draft, leg: number, placement: Placement): NewChild {
  const { current, quantity, price, manner } = placement;
  const { timeInForce, postOnly } = manner;
  const { deployment } = draft.inputs.settings;
  const { slice } = current;
  const attempt = current.attempts + 1;
  const label = childLabel({ deployment, portfolio: draft.state.id, leg, slice, attempt });
  const reduceOnly = isReducing(draft, leg);
  return { label, leg, slice, attempt, quantity, price, timeInForce, postOnly, reduceOnly };
}

const isReducing = (draft: Draft, leg: number): boolean =>
  legSpec(draft.state, leg).reduceOnly || tradingOf(draft) === 'reducing';

/** Records the mid when the slice was first priced; only if slippage is capped. */
function noteArrival(draft: Draft, leg: number): void {
  const { current } = legState(draft.state, leg);
  if (draft.state.spec.execution.slippageMaxBps === undefined) return;
  if (current === undefined || current.arrival !== undefined) return;
  const at = arrivalNow(draft, leg);
  if (at === undefined) return;
  emit(draft, { kind: 'slice_arrived', leg, slice: current.slice, price: text(at) });
}

function intend(draft: Draft, current: CurrentSlice, child: NewChild): void {
  const { settings } = draft.inputs;
  const { label, leg, slice, attempt, quantity, price, timeInForce, postOnly, reduceOnly } = child;
  const { side, instrument } = legSpec(draft.state, leg);
  const validUntil = later(draft.now, settings.validForMs);
  emit(draft, {
    kind: 'child_intended',
    label,
    leg,
    slice,
    side,
    timeInForce,
    postOnly,
    reduceOnly,
    attempt,
    quantity: text(quantity),
    price: text(price),
    validUntil,
  });
  const isMeasured = attempt === 1 && !isHeldByRule(current.waiting);
  const dueAt = isMeasured ? current.dueAt : undefined;
  const notBefore = current.dueAt;
  want(draft, {
    kind: 'place',
    label,
    leg,
    slice,
    side,
    timeInForce,
    postOnly,
    reduceOnly,
    instrument,
    quantity,
    price,
    validUntil,
    notBefore,
    dueAt,
  });
}

const HELD_BY_RULE: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'wide_spread',
  'slippage_cap',
  'price_band',
  'worst_price',
  'participation',
  'message_budget',
  'quiet_window',
  'risk_limit',
  'mmp_frozen',
  'halted',
]);

/** Whether an option, a control, protection or a switch delayed it: that does not count as lateness. */
const isHeldByRule = (waiting: SkipReason | undefined): boolean =>
  waiting !== undefined && HELD_BY_RULE.has(waiting);

/** Edits a resting child whose target moved by a tick or more; cancels it without a reference. */
function followReference(draft: Draft, child: ChildOrder, manner: ExecutionStyle): void {
  if (child.cancel !== undefined) return requestCancel(draft, child, child.cancel.reason);
  if (child.state !== 'live' || child.edit !== undefined) return;
  if (restsAgainst(child, manner)) return requestCancel(draft, child, 'escalated');
  const everyMs = repriceEveryMs(manner.pricing);
  const isNew = manner.since !== undefined && child.pricedAt < manner.since;
  if (!isNew && (everyMs === undefined || draft.now < later(child.pricedAt, everyMs))) return;
  const priced = priceNow(draft, child.leg, manner);
  if (priced.kind === 'none') {
    waiting(draft, child.leg, priced.reason);
    return requestCancel(draft, child, priced.reason);
  }
  if (equals(priced.price, child.price) || isDeferredByRecovery(draft, 'edit')) return;
  // At the next poll of its market; an edit that nothing would repeat is intended, and refused by the gate.
  if (everyMs !== undefined && messagesWaitMs(draft, child.leg) > 0) return;
  const { leg, slice, quantity, reduceOnly, label } = child;
  const { postOnly, timeInForce } = manner;
  // At the new price it would be larger than an order may be: smaller ones take its place.
  if (capOn(draft, leg, { quantity, price: priced.price })) {
    return requestCancel(draft, child, 'order_cap');
  }
  const terms = { leg, slice, quantity, price: priced.price, timeInForce, postOnly };
  const { objection } = judgeChild(draft, { ...terms, reduceOnly, label });
  if (objection === undefined) {
    const reason = isNew ? 'step' : priced.isBound === true ? 'bound' : 'reference';
    return edit(draft, child, { ...manner, price: priced.price, reason });
  }
  // A child that may not follow the market must not stay in the book.
  blocked(draft, leg, objection);
  requestCancel(draft, child, 'risk_limit');
}

/** The child rests, although the style now requires taking. */
const restsAgainst = (child: ChildOrder, manner: ExecutionStyle): boolean =>
  manner.timeInForce === 'immediate_or_cancel' &&
  (child.timeInForce === 'good_til_cancelled' || child.timeInForce === 'good_til_day');

interface Repricing {
  readonly postOnly: boolean;
  readonly price: Price;
  readonly reason: RepriceReason;
}

function edit(draft: Draft, child: ChildOrder, { price, postOnly, reason }: Repricing): void {
  const { label, leg, quantity, reduceOnly } = child;
  const { instrument } = legSpec(draft.state, leg);
  const validUntil = later(draft.now, draft.inputs.settings.validForMs);
  const number = child.edits + 1;
  countMessage(draft, leg);
  emit(draft, { kind: 'edit_intended', label, number, price: text(price), validUntil, reason });
  const terms = { instrument, quantity, price, postOnly, reduceOnly, validUntil };
  want(draft, { kind: 'edit', label, number, ...terms });
}

/**
 * Requests a child's cancellation; retried after a while, as long as it is at the venue, but not before the latest request
 * is answered or its answer is lost.
 */
export function requestCancel(draft: Draft, child: ChildOrder, reason: string): void {
  if (!isWorking(child) || child.state === 'sending' || child.block) return;
  if (child.cancel !== undefined && draft.now < child.cancel.retryAt) return;
  if (draft.inputs.cancelling?.includes(child.label)) return;
  const { label, orderId } = child;
  const { cancelRetryMs } = draft.inputs.settings;
  const cancelPendingMs = draft.now - (child.cancel?.requestedAt ?? draft.now);
  const restMs = Math.max(cancelRetryMs, Math.min(cancelPendingMs, CANCEL_REST_MAX_MS));
  const retryAt = later(draft.now, restMs);
  emit(draft, { kind: 'cancel_intended', label, reason, retryAt });
  const { instrument } = legSpec(draft.state, child.leg);
  want(draft, { kind: 'cancel', label, instrument, orderId });
}
