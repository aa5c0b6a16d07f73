// How severe each event of a portfolio is, and what its log line says. Per slice one line at `info`
// (when it is sent); the rest of a slice's life is `debug` unless something is wrong.

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
  part_waiting: ['info', 'part still waits'],
  part_chased: ['warn', 'part goes through the market'],
  part_ended: ['info', 'part done'],
  child_intended: ['debug', 'child order intended'],
  child_live: ['debug', 'child order live'],
  child_rejected: ['warn', 'child order rejected'],
  child_unknown: ['warn', 'child order without an answer'],
  child_absent: ['info', 'child order not found, asked again later'],
  child_unsent: ['warn', 'child order never reached the venue'],
  child_closed: ['debug', 'child order closed'],
  edit_intended: ['debug', 'reprice intended'],
  edit_done: ['debug', 'reprice done'],
  edit_refused: ['info', 'reprice refused'],
  edit_unknown: ['warn', 'reprice without an answer'],
  cancel_intended: ['debug', 'cancel intended'],
  fill_booked: ['debug', 'fill booked'],
  fill_mirrored: ['debug', 'fill mirrored'],
  assumption_broken: ['error', 'the venue contradicts what was taken as proven'],
  amended: ['warn', 'portfolio amended by hand'],
  paused: ['warn', 'portfolio paused by hand'],
  resumed: ['info', 'portfolio resumed by hand'],
  time_over: ['info', 'time is over'],
  rfq_skipped: ['warn', 'residual not asked for as a Block RFQ'],
  rfq_intended: ['info', 'Block RFQ of the residual intended'],
  rfq_refused: ['warn', 'Block RFQ of the residual refused'],
  rfq_unknown: ['warn', 'Block RFQ of the residual without an answer'],
  rfq_absent: ['info', 'Block RFQ of the residual not found, asked again later'],
  rfq_opened: ['info', 'Block RFQ of the residual open'],
  rfq_quoted: ['info', 'best quote for the residual changed'],
  rfq_accept_intended: ['info', 'accept of the best quote intended'],
  rfq_accept_refused: ['warn', 'accept refused'],
  rfq_accept_unknown: ['warn', 'accept without an answer'],
  rfq_cancel_intended: ['info', 'Block RFQ of the residual taken back'],
  rfq_over: ['info', 'Block RFQ of the residual over'],
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

/** What is wanted of the venue, in the word the line of its answer has for it. */
const INTENTS: Readonly<Partial<Record<EventKind, string>>> = {
  child_intended: 'place',
  edit_intended: 'edit',
  cancel_intended: 'cancel',
};

/** The event's own fields, with leg, slice and attempt also where only the label is in it. */
export function lineFields(event: PortfolioEvent): object {
  if (event.kind === 'submitted') return submittedFields(event);
  const { kind, ...own } = event;
  const intent = INTENTS[kind];
  const fields = intent === undefined ? own : { intent, ...own };
  if (!('label' in event) || 'leg' in event) return { event: kind, ...fields };
  return { event: kind, ...labelFields(event.label), ...fields };
}

/** Where a child order belongs, as fields; the label alone when it is not one of ours. */
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
