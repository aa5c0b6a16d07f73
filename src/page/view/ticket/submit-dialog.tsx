// Submitting: what will be submitted and what was found in its way, one press, and asked until the daemon's own record is there.

import type { PlanRecord } from '../../../gateway/client/client.ts';
import { mayConfirm } from '../../model/confirmation.ts';
import { entryCode } from '../../model/entry-code.ts';
import { dateTimeText } from '../../model/formatting.ts';
import { instrumentOf } from '../../model/instruments/listed-instruments.ts';
import { legText } from '../../model/ticket/plan-sentence.ts';
import { planning } from '../../model/ticket/planning.ts';
import {
  isOtherPending,
  markRead,
  type Submitting,
  sendSubmit,
  stopSubmit,
  submitting,
} from '../../model/ticket/submitting.ts';
import { EntryCodeField } from '../entry-code-field.tsx';
import { Dialog } from '../portfolio/dialog.tsx';
import { type Finding, findingText } from './plan-pane.tsx';

export function SubmitDialog() {
  const now = submitting.value;
  if (now === undefined) return null;
  return (
    <Dialog title="Submit the portfolio" onClose={stopSubmit}>
      <Form now={now} />
    </Dialog>
  );
}

function Form({ now }: { readonly now: Submitting }) {
  const { answer } = planning.value;
  const { accountId } = now.body;
  const plan = answer?.kind === 'done' ? answer.value : undefined;
  const findings: readonly Finding[] = plan?.verdict?.findings ?? [];
  const grave = findings.flatMap((finding, at) =>
    finding.kind === 'note' ? [] : [{ finding, at }],
  );
  const isRead = grave.every(({ at }) => now.read.includes(at));
  const isFilled = !now.needsCode || mayConfirm(entryCode.value);
  const isReady = now.stage === 'filling' && plan !== undefined && isRead && isFilled;
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void sendSubmit();
      }}
    >
      {plan !== undefined && <Planned plan={plan} account={String(accountId)} />}
      {grave.map(({ finding, at }) => (
        <FindingRead key={at} finding={finding} at={at} now={now} legs={plan?.legs} />
      ))}
      {isOtherPending(now) && now.stage === 'filling' && (
        <p role="alert">
          Another submission of this tab was not answered: it may be in the blotter already.
        </p>
      )}
      {now.needsCode && now.stage === 'filling' && <EntryCodeField />}
      <Outcome now={now} />
      <div class="acts">
        <button type="button" onClick={stopSubmit}>
          Back
        </button>
        <button type="submit" disabled={!isReady}>
          {now.stage !== 'filling'
            ? 'Asked…'
            : now.answer?.kind === 'unknown'
              ? 'Ask again'
              : 'Submit now'}
        </button>
      </div>
    </form>
  );
}

interface PlannedProps {
  readonly plan: PlanRecord;
  readonly account: string;
}

function Planned({ plan, account }: PlannedProps) {
  return (
    <>
      <p>
        From {dateTimeText(Number(plan.startTimestamp))} to{' '}
        {dateTimeText(Number(plan.endTimestamp))} UTC, in account {account}:
      </p>
      <ul>
        {plan.legs.map((leg, at) => (
          <li key={at}>{legText(leg, instrumentOf(leg.instrument)?.quantityUnit)}</li>
        ))}
      </ul>
    </>
  );
}

interface ReadProps {
  readonly finding: Finding;
  /** Its place among all findings of the plan. */
  readonly at: number;
  readonly now: Submitting;
  readonly legs: PlanRecord['legs'] | undefined;
}

/** A finding that has to be marked as read before anything is sent. */
function FindingRead({ finding, at, now, legs }: ReadProps) {
  return (
    <label class={finding.kind === 'fault' ? 'tick bad' : 'tick warn'}>
      <input
        type="checkbox"
        checked={now.read.includes(at)}
        onChange={(event) => markRead(at, event.currentTarget.checked)}
      />{' '}
      {legs !== undefined && findingText(finding, legs)}
    </label>
  );
}

function Outcome({ now: { stage, answer } }: { readonly now: Submitting }) {
  if (stage === 'asked') return <p role="status">Asked.</p>;
  if (stage === 'submitted') {
    return <p role="status">Asked; waiting for the record of the portfolio.</p>;
  }
  if (answer?.kind === 'refused') return <p role="alert">Refused: {answer.message}</p>;
  if (answer?.kind !== 'unknown') return null;
  return (
    <p role="alert">
      No answer: {answer.message}. It may have been submitted. Asking again is the same request and
      submits it once.
    </p>
  );
}
