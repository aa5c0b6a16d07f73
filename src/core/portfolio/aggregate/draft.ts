// A turn in progress: events are folded as they are decided, so that each rule sees the effect of the rules before
// it. Local to one decision; only plain events and intents leave it.
import type { Instant } from '../../../values/instant.ts';
import type { Rejection } from '../../rejection.ts';
import type { DecisionInputs } from './decision-inputs.ts';
import { evolve } from './evolve.ts';
import type { EventKind, PortfolioEvent } from './portfolio-event.ts';
import type { Intent } from './portfolio-intent.ts';
import type { PortfolioState } from './portfolio-state.ts';

export interface Draft {
  state: PortfolioState;
  readonly now: Instant;
  /** As given, but that children intended in this turn count in the gate's inputs. */
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
  slices_missed: true,
  slice_started: true,
  slice_arrived: true,
  slice_waiting: true,
  slice_ended: true,
  part_started: true,
  part_waiting: true,
  part_chased: true,
  part_ended: true,
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

/**
 * Records an event at the draft's `now`; from then on the draft owns it. The first event of the execution is preceded
 * by `started`, so that no reader sees a slice of a pending portfolio.
 */
export function emit(draft: Draft, event: Unstamped<PortfolioEvent>): void {
  if (draft.state.status === 'pending' && IS_EXECUTION[event.kind])
    append(draft, { kind: 'started' });
  append(draft, event);
}

function append(draft: Draft, event: Unstamped<PortfolioEvent>): void {
  // Stamped in place: events have too many shapes for a copy to be cheap.
  const stamped = event as PortfolioEvent & { at: Instant };
  stamped.at = draft.now;
  draft.events.push(stamped);
  draft.state = evolve(draft.state, stamped);
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
