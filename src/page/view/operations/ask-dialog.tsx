// Asks before something is changed: says what will happen, takes a reason and, where more may be traded than before, a fresh
// one-time code. It is sent once, and the dialog says what the daemon answered.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../../link/page-session.ts';
import { confirmationHeaders, mayConfirm } from '../../model/confirmation.ts';
import { CodeField } from '../code-field.tsx';
import { limitedText } from '../limited-text.ts';

export interface Question {
  readonly title: string;
  /** What will happen. */
  readonly effect: string;
  readonly act: string;
  readonly hasReason: boolean;
  readonly needsCode: boolean;
  readonly send: (filled: Filled) => Promise<Answer<unknown>>;
  /** Reads again what has changed. */
  readonly reread: () => Promise<void>;
}

export interface Filled {
  readonly reason: string;
  /** With the code, if one is needed. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Asking {
  readonly question: Question;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<unknown>;
}

const asking = signal<Asking | undefined>(undefined);
const reason = signal('');
const code = signal('');

export function openQuestion(question: Question): void {
  reason.value = '';
  code.value = '';
  asking.value = { question, stage: 'filling' };
}

const close = (): void => {
  asking.value = undefined;
};

/** Sent once: the button is locked from the first press on. */
async function send({ question }: Asking): Promise<void> {
  if (asking.value?.stage !== 'filling') return;
  asking.value = { question, stage: 'asked' };
  const headers = question.needsCode ? confirmationHeaders(code.value) : {};
  const answer = await question.send({ reason: reason.value.trim(), headers });
  // A refusal did nothing: it can be corrected.
  const stage = answer.kind === 'refused' ? 'filling' : 'answered';
  if (asking.value?.question === question) asking.value = { question, answer, stage };
  await question.reread();
}

export function AskDialog() {
  const now = asking.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = now !== undefined;
  useEffect(() => {
    if (isShown && dialog.current?.open === false) dialog.current.showModal();
  }, [isShown]);
  if (now === undefined) return null;
  const { title, effect } = now.question;
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onClose={close}>
      <h2 id="ask-title">{title}</h2>
      <p>{effect}</p>
      {now.stage !== 'answered' && <QuestionForm now={now} />}
      {now.answer !== undefined && <Outcome answer={now.answer} />}
      {now.stage === 'answered' && (
        <div class="acts">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      )}
    </dialog>
  );
}

function QuestionForm({ now }: { readonly now: Asking }) {
  const { act, hasReason, needsCode } = now.question;
  const isComplete =
    (!hasReason || reason.value.trim() !== '') && (!needsCode || mayConfirm(code.value));
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void send(now);
      }}
    >
      {hasReason && (
        <label>
          Reason
          <input
            value={reason.value}
            onInput={(event) => {
              reason.value = limitedText(event.currentTarget, 200);
            }}
          />
        </label>
      )}
      {needsCode && (
        <CodeField
          value={code.value}
          onWrite={(text) => {
            code.value = text;
          }}
        />
      )}
      <div class="acts">
        <button type="button" onClick={close}>
          Back
        </button>
        <button type="submit" disabled={!isComplete || now.stage === 'asked'}>
          {now.stage === 'asked' ? 'Asked…' : act}
        </button>
      </div>
    </form>
  );
}

function Outcome({ answer }: { readonly answer: Answer<unknown> }) {
  switch (answer.kind) {
    case 'done':
      return <p role="alert">Done.</p>;
    case 'refused':
      return <p role="alert">Refused: {answer.message}</p>;
    case 'unknown':
      return <p role="alert">No answer: {answer.message}. The screen shows what is in force.</p>;
  }
}
