// Halting, reducing and activating the deployment, an account, a strategy or a portfolio. Halting takes a word; what may trade
// more than before takes a fresh one-time code, or on paper money a press. The dialog says what will happen before it does, and what the daemon
// reports afterwards: nothing is shown as done that was only asked.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SwitchRecord } from '../../gateway/client/client.ts';
import { counted } from '../../values/text/written-figures.ts';
import { type Answer, request } from '../link/page-session.ts';
import { type BlotterRow, isOpen } from '../model/blotter-row.ts';
import { confirmationHeaders, mayConfirm } from '../model/confirmation.ts';
import { timeText } from '../model/formatting.ts';
import { blotterRows, followOpenOrders, ordersAsOf } from '../model/portfolios.ts';
import { readState, switches } from '../model/state.ts';
import { CodeField } from './code-field.tsx';
import { limitedText } from './limited-text.ts';

type Wanted = SwitchRecord['state'];

export type SwitchTarget = Pick<SwitchRecord, 'scope' | 'of'>;

interface Asking {
  readonly wanted: Wanted;
  readonly target: SwitchTarget;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<SwitchRecord>;
}

const REASONS = ['orders behave unexpectedly', 'market is disorderly', 'system problem', 'drill'];
const WORD = 'HALT';
const PROOF_EVERY_MS = 500;

const asking = signal<Asking | undefined>(undefined);
const reason = signal('');
const typed = signal('');

const DEPLOYMENT: SwitchTarget = { scope: 'deployment', of: '' };
const VERBS = { halted: 'Halt', reducing: 'Reduce', active: 'Activate' } as const;
const WORDS = { halted: 'Halted', reducing: 'Reducing', active: 'Active' } as const;

/** Such as `the deployment`, `account 10001`. */
export const targetText = ({ scope, of }: SwitchTarget): string =>
  scope === 'deployment' ? 'the deployment' : `${scope} ${of}`;

const settingOf = ({ scope, of }: SwitchTarget): SwitchRecord | undefined =>
  switches.value?.find((one) => one.scope === scope && one.of === of);

/** The gateway takes a code for what may trade more than before. */
const needsCode = ({ wanted, target }: Asking): boolean =>
  wanted === 'active' || (wanted === 'reducing' && settingOf(target)?.state === 'halted');

/** Portfolios of one's accounts that the switch concerns. */
const concerned = ({ scope, of }: SwitchTarget): readonly BlotterRow[] =>
  blotterRows.value.filter(
    ({ id, accountId, strategy }) =>
      scope === 'deployment' || { account: accountId, strategy, portfolio: id }[scope] === of,
  );

export function askSwitch(wanted: Wanted, target: SwitchTarget = DEPLOYMENT): void {
  reason.value = wanted === 'halted' ? (REASONS[0] ?? '') : '';
  typed.value = '';
  asking.value = { wanted, target, stage: 'filling' };
}

const close = (): void => {
  asking.value = undefined;
};

/** Sent once: the button is locked from the first press on. */
async function send(now: Asking): Promise<void> {
  if (asking.value?.stage !== 'filling') return;
  const { wanted, target } = now;
  asking.value = { wanted, target, stage: 'asked' };
  const { scope, of } = target;
  const body = { scope, ...(of !== '' && { of }), state: wanted, reason: reason.value };
  const answer = await request<SwitchRecord>('api/switch', {
    body,
    ...(needsCode(now) && { headers: confirmationHeaders(typed.value) }),
  });
  // A refusal did nothing: it can be corrected. An unknown outcome is settled by reading the switches.
  asking.value = {
    wanted,
    target,
    answer,
    stage: answer.kind === 'refused' ? 'filling' : 'answered',
  };
  await readState();
}

export function SwitchDialog() {
  const now = asking.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const which = now === undefined ? '' : `${now.wanted} ${targetText(now.target)}`;
  useEffect(() => {
    if (which === '') return;
    if (dialog.current?.open === false) dialog.current.showModal();
    return followOpenOrders();
  }, [which]);
  if (now === undefined) return null;
  const { wanted, target } = now;
  const hasCode = now.stage !== 'answered' && needsCode(now);
  return (
    <dialog
      key={which}
      ref={dialog}
      aria-labelledby="switch-title"
      onClose={({ currentTarget }) => {
        // It comes after the key that closed it: another dialog may be open by then.
        if (currentTarget === dialog.current) close();
      }}
    >
      <h2 id="switch-title">
        {VERBS[wanted]} {targetText(target)}
      </h2>
      <Effect now={now} />
      {now.stage !== 'answered' && <SwitchForm now={now} hasCode={hasCode} />}
      {now.answer !== undefined && <Outcome wanted={wanted} target={target} answer={now.answer} />}
    </dialog>
  );
}

interface SwitchProps {
  readonly now: Asking;
  readonly hasCode: boolean;
}

function SwitchForm({ now, hasCode }: SwitchProps) {
  const isHalt = now.wanted === 'halted';
  const isTyped = isHalt ? typed.value === WORD : !hasCode || mayConfirm(typed.value);
  const isComplete = reason.value.trim() !== '' && isTyped;
  const verb = VERBS[now.wanted];
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void send(now);
      }}
    >
      <label>
        Reason
        <input
          list="reasons"
          value={reason.value}
          onInput={(event) => {
            reason.value = limitedText(event.currentTarget, 200);
          }}
        />
      </label>
      <datalist id="reasons">
        {REASONS.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {isHalt && <HaltWord />}
      {hasCode && (
        <CodeField
          value={typed.value}
          onWrite={(text) => {
            typed.value = text;
          }}
        />
      )}
      <div class="acts">
        <button type="button" onClick={close}>
          Back
        </button>
        <button
          type="submit"
          class={isHalt ? 'halt' : ''}
          disabled={!isComplete || now.stage === 'asked'}
        >
          {now.stage === 'asked' ? 'Asked…' : isHalt ? 'Halt now' : verb}
        </button>
      </div>
    </form>
  );
}

/** Takes the word that confirms a halt. */
function HaltWord() {
  return (
    <label>
      Type {WORD}
      <input
        autoComplete="off"
        autoCapitalize="characters"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value.trim().toUpperCase();
        }}
      />
    </label>
  );
}

function Effect({ now: { wanted, target } }: Pick<SwitchProps, 'now'>) {
  const open = concerned(target).filter(isOpen);
  const withOrders = open.filter((row) => row.hasOrders).length;
  const isAll = target.scope === 'deployment';
  const ofWhat = isAll ? 'every account' : targetText(target);
  const count = `${portfolios(open.length)} of your accounts`;
  const them = `${withOrders} of them ${withOrders === 1 ? 'has' : 'have'} orders open now.`;
  switch (wanted) {
    case 'halted':
      return (
        <p>
          Cancels every open order of {ofWhat}, and refuses new ones until somebody activates{' '}
          {isAll ? 'trading' : 'it'}. Cancels stay possible. {count}{' '}
          {open.length === 1 ? 'stops' : 'stop'}; {them}
        </p>
      );
    case 'reducing':
      return <p>Only orders that reduce a position are sent for {ofWhat}.</p>;
    case 'active':
      return (
        <p>
          {count} {open.length === 1 ? 'trades' : 'trade'} again, and{' '}
          {open.length === 1 ? 'catches' : 'catch'} up what was missed within the limits, unless
          another switch holds it back.
        </p>
      );
  }
}

const portfolios = (count: number): string => counted(count, 'portfolio');

/** What the daemon says has happened, not what was asked. */
function Outcome({
  wanted,
  target,
  answer,
}: {
  readonly wanted: Wanted;
  readonly target: SwitchTarget;
  readonly answer: Answer<SwitchRecord>;
}) {
  const set = settingOf(target);
  const isDone = set?.state === wanted;
  const open = concerned(target).filter((row) => row.hasOrders).length;
  const isWatched = answer.kind !== 'refused';
  const [answeredMs] = useState(() => performance.now());
  useEffect(() => {
    if (!isWatched) return;
    const timer = setInterval(() => void readState(), PROOF_EVERY_MS * 4);
    return () => clearInterval(timer);
  }, [isWatched]);
  if (answer.kind === 'refused') return <p role="alert">Refused: {answer.message}</p>;
  return (
    <>
      <p role="alert">
        {isDone && set !== undefined
          ? `${WORDS[wanted]} since ${timeText(Number(set.timestamp))} UTC, by ${set.nickname}: ${set.reason}`
          : 'Asked; the daemon has not confirmed it yet.'}
        {!isDone && answer.kind === 'unknown' && ` No answer: ${answer.message}`}
      </p>
      {wanted === 'halted' && (
        <p role="status">
          {ordersAsOf.value < answeredMs
            ? 'Reading which orders are open…'
            : open === 0
              ? 'No portfolio of your accounts has an order open.'
              : `${portfolios(open)} still ${open === 1 ? 'has' : 'have'} orders open; they are being cancelled.`}
        </p>
      )}
      <div class="acts">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}
