// The severity and text of each portfolio event's log line. Each slice writes one line at `info` (when it is
// sent); the rest of its life is `debug` unless something is wrong.

import type {
  EndReason,
  EventKind,
  PortfolioEvent,
} from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { SkipReason } from '../../../core/terms/reasons.ts';
import { parseChildLabel } from '../../../values/ids.ts';

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

const LINES: Readonly<Record<EventKind, readonly [LineLevel, string]>> = {
  submitted: ['info', 'portfolio submitted'],
  started: ['info', 'portfolio started'],
  slices_missed: ['warn', 'slices missed'],
  slice_started: ['debug', 'slice started'],
  slice_arrived: ['debug', 'slice first priced'],
  slice_waiting: ['info', 'slice waits'],
  slice_ended: ['debug', 'slice ended'],
  part_started: ['info', 'part started'],
  part_waiting: ['info', 'part is still waiting'],
  part_chased: ['warn', 'part is executed at the market'],
  part_ended: ['info', 'part done'],
  hedge_left_open: ['error', 'hedge left open'],
  ticks_changed: ['warn', 'tick size changed by the venue'],
  child_intended: ['debug', 'child order intended'],
  child_live: ['debug', 'child order live'],
  child_rejected: ['warn', 'child order rejected'],
  child_unknown: ['warn', 'child order without an answer'],
  child_absent: ['info', 'child order not found, will be queried again'],
  child_unsent: ['warn', 'child order never reached the venue'],
  child_closed: ['debug', 'child order closed'],
  edit_intended: ['debug', 'reprice intended'],
  edit_done: ['debug', 'reprice done'],
  edit_refused: ['info', 'reprice refused'],
  edit_unknown: ['warn', 'reprice without an answer'],
  cancel_intended: ['debug', 'cancel intended'],
  fill_booked: ['debug', 'fill booked'],
  child_recalled: ['info', 'settled child order recalled for a late report'],
  fill_mirrored: ['debug', 'fill mirrored'],
  assumption_broken: ['error', 'the venue contradicts an assumption treated as proven'],
  amended: ['warn', 'portfolio amended manually'],
  paused: ['warn', 'portfolio paused manually'],
  resumed: ['info', 'portfolio resumed manually'],
  time_over: ['info', 'end time reached'],
  rfq_skipped: ['warn', 'Block RFQ of the residual skipped'],
  rfq_intended: ['info', 'Block RFQ of the residual intended'],
  rfq_refused: ['warn', 'Block RFQ of the residual refused'],
  rfq_unknown: ['warn', 'Block RFQ of the residual without an answer'],
  rfq_absent: ['info', 'Block RFQ of the residual not found, will be queried again'],
  rfq_opened: ['info', 'Block RFQ of the residual open'],
  rfq_quoted: ['info', 'best quote for the residual changed'],
  rfq_accept_intended: ['info', 'accept of the best quote intended'],
  rfq_accept_refused: ['warn', 'accept refused'],
  rfq_accept_unknown: ['warn', 'accept without an answer'],
  rfq_cancel_intended: ['info', 'Block RFQ of the residual cancelled'],
  rfq_over: ['info', 'Block RFQ of the residual ended'],
  cancelling: ['info', 'portfolio cancelling'],
  cancelled: ['info', 'portfolio cancelled'],
  filled: ['info', 'portfolio filled'],
};

const SEVERE_WAITS: ReadonlySet<SkipReason> = new Set(['outside_band', 'risk_limit', 'rejected']);
const SEVERE_ENDS: ReadonlySet<EndReason> = new Set(['reject', 'risk', 'expired']);

export function lineLevel(event: PortfolioEvent): LineLevel {
  if (event.kind === 'slice_waiting' && SEVERE_WAITS.has(event.reason)) return 'warn';
  if (event.kind === 'cancelled' && SEVERE_ENDS.has(event.reason)) return 'warn';
  return LINES[event.kind][0];
}

export const lineText = (event: PortfolioEvent): string => LINES[event.kind][1];

/** The request to the venue, named as in the log line of its reply. */
const INTENTS: Readonly<Partial<Record<EventKind, string>>> = {
  child_intended: 'place',
  edit_intended: 'edit',
  cancel_intended: 'cancel',
};

/** The event's own fields; leg, slice and attempt are added if only the label carries them. */
export function lineFields(event: PortfolioEvent): object {
  if (event.kind === 'submitted') return submittedFields(event);
  const { kind, ...own } = event;
  const intent = INTENTS[kind];
  const fields = intent === undefined ? own : { intent, ...own };
  if (!('label' in event) || 'leg' in event) return { event: kind, ...fields };
  return { event: kind, ...labelFields(event.label), ...fields };
}

/** The position of a child order as fields; only the label if the order is not ours. */
export function labelFields(label: string): object {
  const address = parseChildLabel(label);
  if (address === undefined) return { label };
  const { leg, slice, attempt } = address;
  return { leg, slice, attempt, label };
}

function submittedFields({ spec, at }: Extract<PortfolioEvent, { kind: 'submitted' }>): object {
  return {
    event: 'submitted',
    at,
    account: spec.accountId,
    strategy: spec.strategy,
    mirrorOf: spec.mirrorOf,
    uid: spec.by.uid,
    startAt: spec.startAt,
    durationMs: spec.durationMs,
    frequencyMs: spec.frequencyMs,
    legs: spec.legs.map((leg) => `${leg.side} ${leg.quantity} ${leg.instrument}`),
  };
}
