// A turn in progress: events are folded as they are decided, so that each rule sees the effect of the rules before
// it. Local to one decision; only plain events and intents leave it.
import { childLabelOf } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import { childToRecord } from '../../order/child-record.ts';
import type { Rejection } from '../../rejection.ts';
import type { DecisionInputs } from './decision-inputs.ts';
import { evolve } from './evolve.ts';
import type { EventKind, PortfolioEvent } from './portfolio-event.ts';
import type { Intent } from './portfolio-intent.ts';
import type { PortfolioState } from './portfolio-state.ts';
import { childIn, departed } from './settled-children.ts';

export interface Draft {
  state: PortfolioState;
  readonly now: Instant;
  /** As given, but children intended in this turn count in the gate's inputs, and those that leave the state stay. */
  inputs: DecisionInputs;
  /** Recovery kept something from being sent. */
  isDeferred: boolean;
  readonly events: PortfolioEvent[];
  readonly intents: Intent[];
  /** Why the request is refused; if not empty, nothing has happened. */
  readonly rejections: Rejection[];
}

export const draftOf = (state: PortfolioState, now: Instant, inputs: DecisionInputs): Draft => ({
  state,
  now,
  inputs,
  isDeferred: false,
  events: [],
  intents: [],
  rejections: [],
});

/** Whether an event belongs to the execution; false for events that can also happen to a pending portfolio. */
const IS_EXECUTION: Readonly<Record<EventKind, boolean>> = {
  submitted: false,
  started: false,
  amended: false,
  paused: false,
  resumed: false,
  time_over: false,
  cancelling: false,
  cancelled: false,
  filled: false,
  assumption_broken: false,
  ticks_changed: false,
  slices_missed: true,
  slice_started: true,
  slice_arrived: true,
  slice_waiting: true,
  slice_ended: true,
  part_started: true,
  part_waiting: true,
  part_chased: true,
  part_ended: true,
  hedge_left_open: true,
  child_intended: true,
  child_live: true,
  child_rejected: true,
  child_unknown: true,
  child_absent: true,
  child_unsent: true,
  child_closed: true,
  edit_intended: true,
  edit_done: true,
  edit_refused: true,
  edit_unknown: true,
  cancel_intended: true,
  fill_booked: true,
  child_recalled: true,
  fill_mirrored: true,
  rfq_skipped: true,
  rfq_intended: true,
  rfq_refused: true,
  rfq_unknown: true,
  rfq_absent: true,
  rfq_opened: true,
  rfq_quoted: true,
  rfq_accept_intended: true,
  rfq_accept_refused: true,
  rfq_accept_unknown: true,
  rfq_cancel_intended: true,
  rfq_over: true,
};

type Unstamped<E> = E extends PortfolioEvent ? Omit<E, 'at'> : never;

/** The child, also if it has left the state; `undefined` if nothing is known of it. */
export const knownChild = ({ state, inputs }: Draft, label: string): ChildOrder | undefined =>
  childIn(state, label) ?? inputs.departed?.get(childLabelOf(label));

/**
 * Records an event at the draft's `now`; from then on the draft owns it. The first event of the execution is preceded
 * by `started`, so that no reader sees a slice of a pending portfolio, and an event about a child that has left the
 * state by `child_recalled`.
 */
export function emit(draft: Draft, event: Unstamped<PortfolioEvent>): void {
  if (draft.state.status === 'pending' && IS_EXECUTION[event.kind])
    append(draft, { kind: 'started' });
  if ('label' in event && event.kind !== 'assumption_broken') recall(draft, event.label);
  append(draft, event);
}

function recall(draft: Draft, label: string): void {
  if (childIn(draft.state, label) !== undefined) return;
  const child = knownChild(draft, label);
  if (child !== undefined) append(draft, { kind: 'child_recalled', ...childToRecord(child) });
}

function append(draft: Draft, event: Unstamped<PortfolioEvent>): void {
  // Stamped in place: events have too many shapes for a copy to be cheap.
  const stamped = event as PortfolioEvent & { at: Instant };
  stamped.at = draft.now;
  draft.events.push(stamped);
  const before = draft.state;
  draft.state = evolve(before, stamped);
  keepDeparted(draft, before);
}

/** A later report of the same turn may name a child that left the state in it. */
function keepDeparted(draft: Draft, before: PortfolioState): void {
  const children = departed(before, draft.state);
  if (children.length === 0) return;
  const known = new Map(draft.inputs.departed);
  for (const child of children) known.set(child.label, child);
  draft.inputs = { ...draft.inputs, departed: known };
}

/** Requests an external effect, to be performed once the events are durable. */
export function want(draft: Draft, intent: Intent): void {
  draft.intents.push(intent);
}

/** Whether recovery defers a new order, or a new price. Not an event: every start would record one per portfolio. */
export function isDeferredByRecovery(draft: Draft, what: 'place' | 'edit'): boolean {
  const { recovery } = draft.inputs;
  if (recovery === undefined) return false;
  const { isAccountBlocked, isPortfolioBlocked } = recovery;
  const isBlocked = isAccountBlocked || (what === 'place' && isPortfolioBlocked);
  if (isBlocked) draft.isDeferred = true;
  return isBlocked;
}
