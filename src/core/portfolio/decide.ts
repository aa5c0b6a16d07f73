// (state, command, inputs) → events and intents. Pure: time is in the command, everything else in the inputs. Every
// command is followed by `advance`, so that whatever it makes possible is done in the same turn.
import { unreachable } from '../../values/assert.ts';
import { hasSameTicks } from '../../values/instrument.ts';
import type { Rejection } from '../rejection.ts';
import { withTicks } from '../terms/spec-record.ts';
import { advance } from './advance.ts';
import type { DecisionInputs } from './aggregate/decision-inputs.ts';
import { type Draft, draftOf, emit } from './aggregate/draft.ts';
import { unsettledChild } from './aggregate/evolve-child.ts';
import { assertInvariants } from './aggregate/invariants.ts';
import type { PortfolioCommand } from './aggregate/portfolio-command.ts';
import type { PortfolioEvent } from './aggregate/portfolio-event.ts';
import type { Intent } from './aggregate/portfolio-intent.ts';
import { isTerminal, type PortfolioState } from './aggregate/portfolio-state.ts';
import { amend } from './apply-amendment.ts';
import { pause, resume } from './pause-portfolio.ts';
import { concludeShadow, recordMirror } from './record-mirror.ts';
import { recordRfqReport } from './residual-rfq/record-residual-rfq.ts';
import { recordAbsent } from './slices/reconcile-child.ts';
import { recordReport } from './slices/record-report.ts';

export interface Decision {
  readonly state: PortfolioState;
  /** For the next decision of the same turn: the children intended by this one count. */
  readonly inputs: DecisionInputs;
  readonly events: readonly PortfolioEvent[];
  readonly intents: readonly Intent[];
  /** Why the request is refused; empty if it is applied, and for commands that cannot be refused. */
  readonly rejections: readonly Rejection[];
  /** Recovery kept something from being sent: the portfolio must be advanced once it no longer does. */
  readonly isDeferred: boolean;
}

/** The decision on one command; a function of nothing but its arguments. */
export type Decide = (
  state: PortfolioState,
  command: PortfolioCommand,
  inputs: DecisionInputs,
) => Decision;

export const decide: Decide = (state, command, inputs) => {
  const draft = draftOf(state, command.now, inputs);
  record(draft, command);
  // A report that changes nothing makes nothing new possible.
  const isNews = draft.events.length > 0 || command.kind === 'advance';
  if (isNews) {
    advance(draft);
    assertInvariants(draft.state);
  }
  const { events, intents, rejections, isDeferred } = draft;
  return { state: draft.state, inputs: draft.inputs, events, intents, rejections, isDeferred };
};

function record(draft: Draft, command: PortfolioCommand): void {
  switch (command.kind) {
    case 'advance':
      return;
    case 'record_report':
      return recordReport(draft, command);
    case 'record_refusal':
      return recordRefusal(draft, command);
    case 'record_unknown':
      return recordUnknown(draft, command);
    case 'record_absent':
      return recordAbsent(draft, command.label, command.askedAt);
    case 'record_edit_refusal':
      return recordEditRefusal(draft, command);
    case 'record_edit_unknown':
      return recordEditUnknown(draft, command);
    case 'record_ticks':
      return recordTicks(draft, command);
    case 'cancel':
      return cancel(draft, command);
    case 'amend':
      return amend(draft, command.terms, command.by);
    case 'pause':
      return pause(draft, command.by, command.about);
    case 'resume':
      return resume(draft, command.by);
    case 'mirror':
      return recordMirror(draft, command);
    case 'record_rfq':
    case 'record_rfq_refusal':
    case 'record_rfq_unknown':
    case 'record_rfq_absent':
    case 'record_accept_refusal':
    case 'record_accept_unknown':
      return recordRfqReport(draft, command);
    default:
      return unreachable(command);
  }
}

type Of<K extends PortfolioCommand['kind']> = Extract<PortfolioCommand, { kind: K }>;

function recordRefusal(draft: Draft, { label, code, message, retry }: Of<'record_refusal'>): void {
  const state = unsettledChild(draft.state, label)?.state;
  if (state !== 'sending' && state !== 'unknown') return;
  emit(draft, { kind: 'child_rejected', label, code, message, retry });
}

function recordUnknown(draft: Draft, { label, reason }: Of<'record_unknown'>): void {
  if (unsettledChild(draft.state, label)?.state !== 'sending') return;
  emit(draft, { kind: 'child_unknown', label, reason });
}

function recordEditRefusal(draft: Draft, command: Of<'record_edit_refusal'>): void {
  const { label, number, code, message } = command;
  if (unsettledChild(draft.state, label)?.edit?.number !== number) return;
  emit(draft, { kind: 'edit_refused', label, number, code, message });
}

function recordEditUnknown(draft: Draft, command: Of<'record_edit_unknown'>): void {
  const { label, number, reason } = command;
  const edit = unsettledChild(draft.state, label)?.edit;
  if (edit?.number !== number || edit.state !== 'sending') return;
  emit(draft, { kind: 'edit_unknown', label, number, reason });
}

function recordTicks(draft: Draft, { instrument, tickSize, tickSteps }: Of<'record_ticks'>): void {
  const known = draft.state.instruments.get(instrument);
  if (known === undefined || isTerminal(draft.state.status)) return;
  if (hasSameTicks(withTicks(known, { tickSize, tickSteps }), known)) return;
  emit(draft, { kind: 'ticks_changed', instrument, tickSize, tickSteps });
}

function cancel(draft: Draft, { reason, by }: Of<'cancel'>): void {
  const { status } = draft.state;
  if (isTerminal(status) || status === 'cancelling') return;
  emit(draft, { kind: 'cancelling', reason, by });
  // A shadow has no orders at a venue to cancel.
  if (draft.state.spec.mirrorOf !== undefined) concludeShadow(draft, reason);
}
