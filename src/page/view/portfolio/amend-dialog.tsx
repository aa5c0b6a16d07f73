// Amending the portfolio: a form, what would change by the daemon's own preview, and what has changed by its own message.

import type { AmendedRecord } from '../../../gateway/client/client.ts';
import { mayConfirm } from '../../model/confirmation.ts';
import { dateTimeText, durationText, isoText } from '../../model/formatting.ts';
import {
  type AmendDraft,
  type Amending,
  amending,
  isAmended,
  isChanged,
  LIMITS,
  needsCode,
  sendAmend,
  stopAmending,
  write,
  writeCode,
} from '../../model/portfolio/amending.ts';
import { CodeField } from '../code-field.tsx';
import { Dialog } from './dialog.tsx';

export function AmendDialog() {
  const now = amending.value;
  if (now === undefined) return null;
  return (
    <Dialog title="Amend the portfolio" onClose={stopAmending}>
      {now.stage === 'answered' ? <Answered now={now} /> : <Form now={now} />}
    </Dialog>
  );
}

function Form({ now }: { readonly now: Amending }) {
  const { draft, base, preview, stage, isPreviewing, answer } = now;
  const asksCode = isChanged(now) && needsCode(now);
  const isReady =
    stage === 'filling' &&
    isChanged(now) &&
    preview?.kind === 'done' &&
    !isPreviewing &&
    (!asksCode || mayConfirm(now.code));
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void sendAmend();
      }}
    >
      <p>
        What remains is spread evenly from the next slice on; the current slice goes on. Nothing
        changes before you press the button below.
      </p>
      {draft !== undefined && base !== undefined && <Fields now={now} draft={draft} base={base} />}
      <Preview now={now} />
      {answer?.kind === 'refused' && <p role="alert">Refused: {answer.message}</p>}
      {asksCode && (
        <CodeField value={now.code} onWrite={writeCode} why="It may trade more than before." />
      )}
      <div class="acts">
        <button type="button" onClick={stopAmending}>
          Back
        </button>
        <button type="submit" disabled={!isReady}>
          {stage === 'asked' ? 'Asked…' : 'Amend now'}
        </button>
      </div>
    </form>
  );
}

function Fields({
  now,
  draft,
  base,
}: {
  readonly now: Amending;
  readonly draft: AmendDraft;
  readonly base: AmendedRecord;
}) {
  return (
    <>
      <label>
        End (UTC)
        <input
          type="datetime-local"
          step={1}
          value={draft.end}
          onInput={(event) => write({ end: withSeconds(event.currentTarget.value) })}
        />
      </label>
      {!now.isBalance &&
        base.legs.map(({ instrument, hedge, filledQuantity, outstandingQuantity }, leg) =>
          hedge ? null : (
            <label key={`${leg} ${instrument}`}>
              Total of {instrument} ({filledQuantity} filled, {outstandingQuantity} at the venue)
              <input
                inputMode="decimal"
                autoComplete="off"
                value={draft.totals[leg] ?? ''}
                onInput={(event) => {
                  const { value } = event.currentTarget;
                  write({ totals: draft.totals.map((one, at) => (at === leg ? value : one)) });
                }}
              />
            </label>
          ),
        )}
      <details>
        <summary>Limits (empty: off)</summary>
        {LIMITS.map(([name, title]) => (
          <label key={name}>
            {title}
            <input
              inputMode="decimal"
              autoComplete="off"
              value={draft.limits[name]}
              onInput={(event) => {
                const { value } = event.currentTarget;
                write({ limits: { ...draft.limits, [name]: value } });
              }}
            />
          </label>
        ))}
      </details>
    </>
  );
}

/** Browsers leave out seconds that are zero. */
const withSeconds = (text: string): string => (text.length === 16 ? `${text}:00` : text);

/** What would change, by the daemon. */
function Preview({ now }: { readonly now: Amending }) {
  const { preview, isPreviewing } = now;
  if (preview === undefined) return <p role="status">Asking what it is now.</p>;
  if (preview.kind === 'refused') return <p role="alert">Not possible: {preview.message}</p>;
  if (preview.kind === 'unknown') return <p role="alert">No answer: {preview.message}</p>;
  if (!isChanged(now)) return <p role="status">Nothing is changed yet.</p>;
  return <Changes of={preview.value} isOld={isPreviewing} />;
}

function Changes({ of, isOld }: { readonly of: AmendedRecord; readonly isOld: boolean }) {
  const [first, last] = [of.slices[0], of.slices.at(-1)];
  return (
    <table class={isOld ? 'changes old' : 'changes'} aria-busy={isOld}>
      <caption>{isOld ? 'Being previewed' : 'What it will be'}</caption>
      <thead>
        <tr>
          <th scope="col">Term</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changesOf(of).map(([name, before, after]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
        {first !== undefined && last !== undefined && (
          <tr>
            <th scope="row">Slices to come</th>
            <td />
            <td>
              {of.slices.length}, the next {first.quantity} at{' '}
              {dateTimeText(Number(first.dueTimestamp))}, the last {last.quantity}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function changesOf(of: AmendedRecord): readonly (readonly [string, string, string])[] {
  const isOne = of.legs.length === 1;
  const rows: [string, string, string][] = [];
  if (of.endTimestamp !== of.endTimestampBefore) {
    const byMs = Number(of.endTimestamp) - Number(of.endTimestampBefore);
    const how = `${durationText(Math.abs(byMs))} ${byMs > 0 ? 'later' : 'earlier'}`;
    rows.push(['End (UTC)', dated(of.endTimestampBefore), `${dated(of.endTimestamp)}, ${how}`]);
  }
  for (const [leg, { instrument, quantity, quantityBefore }] of of.legs.entries()) {
    if (quantity === quantityBefore) continue;
    const name = isOne ? instrument : `leg ${leg + 1}, ${instrument}`;
    rows.push([`Total of ${name}`, quantityBefore, quantity]);
  }
  for (const [name] of LIMITS) {
    const [before, after] = [of.limitsBefore[name], of.limits[name]];
    if (before !== after) rows.push([name, String(before ?? 'off'), String(after ?? 'off')]);
  }
  return rows;
}

function dated(ms: string): string {
  return isoText(Number(ms)) === '' ? 'none' : dateTimeText(Number(ms));
}

/** The daemon's own message says that it is amended, not its answer. */
function Answered({ now }: { readonly now: Amending }) {
  return (
    <>
      <p role="alert">{answeredText(now)}</p>
      <div class="acts">
        <button type="button" onClick={stopAmending}>
          Close
        </button>
      </div>
    </>
  );
}

function answeredText(now: Amending): string {
  const { answer, base } = now;
  if (isAmended(now)) return 'Amended: the history has it.';
  if (answer?.kind === 'done' && answer.value.amendments === base?.amendments) {
    return 'Nothing was changed: the terms are these already.';
  }
  const why = answer?.kind === 'unknown' ? ` No answer: ${answer.message}.` : '';
  return `Asked; the daemon has not confirmed it yet.${why}`;
}
