// Halting and activating the deployment. Halting takes a word; activating takes a fresh one-time code. The dialog says what
// will happen before it does, and what the daemon reports afterwards: nothing is shown as done that was only asked.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SwitchRecord } from '../../gateway/client/client.ts';
import { type Answer, request } from '../link/page-session.ts';
import { isOpen } from '../model/blotter-row.ts';
import { blotterRows } from '../model/portfolios.ts';
import { deployment, readState } from '../model/state.ts';
import { utcText } from './page-clock.ts';

type Wanted = 'halted' | 'active';

interface Asking {
  readonly wanted: Wanted;
  readonly stage: 'filling' | 'asked' | 'answered';
  readonly answer?: Answer<SwitchRecord>;
}

const REASONS = ['orders behave unexpectedly', 'market is disorderly', 'system problem', 'drill'];
const WORD = 'HALT';
const PROOF_EVERY_MS = 500;

const asking = signal<Asking | undefined>(undefined);
const reason = signal('');
const typed = signal('');

export function askSwitch(wanted: Wanted): void {
  reason.value = wanted === 'halted' ? (REASONS[0] ?? '') : '';
  typed.value = '';
  asking.value = { wanted, stage: 'filling' };
}

const close = (): void => {
  asking.value = undefined;
};

/** Sent once: the button is locked from the first press on. */
async function send({ wanted }: Asking): Promise<void> {
  if (asking.value?.stage !== 'filling') return;
  asking.value = { wanted, stage: 'asked' };
  const body = { scope: 'deployment', state: wanted, reason: reason.value };
  const answer = await request<SwitchRecord>('api/switch', {
    body,
    ...(wanted === 'active' && { headers: { 'x-twapd-code': typed.value.trim() } }),
  });
  // A refusal did nothing: it can be corrected. An unknown outcome is settled by reading the switches.
  asking.value = { wanted, answer, stage: answer.kind === 'refused' ? 'filling' : 'answered' };
  await readState();
}

export function SwitchDialog() {
  const now = asking.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = now !== undefined;
  useEffect(() => {
    if (isShown && dialog.current?.open === false) dialog.current.showModal();
  }, [isShown]);
  if (now === undefined) return null;
  const isHalt = now.wanted === 'halted';
  const isComplete =
    reason.value.trim() !== '' && (isHalt ? typed.value === WORD : typed.value !== '');
  return (
    <dialog ref={dialog} aria-labelledby="switch-title" onClose={close}>
      <h2 id="switch-title">{isHalt ? 'Halt the deployment' : 'Activate the deployment'}</h2>
      {isHalt ? <HaltEffect /> : <ActivateEffect />}
      {now.stage !== 'answered' && (
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
              maxLength={200}
              value={reason.value}
              onInput={(event) => {
                reason.value = event.currentTarget.value;
              }}
            />
          </label>
          <datalist id="reasons">
            {REASONS.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <label>
            {isHalt ? `Type ${WORD}` : 'One-time code'}
            <input
              autoComplete="off"
              autoCapitalize="characters"
              spellcheck={false}
              value={typed.value}
              onInput={(event) => {
                const { value } = event.currentTarget;
                typed.value = isHalt ? value.trim().toUpperCase() : value;
              }}
            />
          </label>
          <div class="acts">
            <button type="button" onClick={close}>
              Back
            </button>
            <button
              type="submit"
              class={isHalt ? 'halt' : ''}
              disabled={!isComplete || now.stage === 'asked'}
            >
              {now.stage === 'asked' ? 'Asked…' : isHalt ? 'Halt now' : 'Activate'}
            </button>
          </div>
        </form>
      )}
      {now.answer !== undefined && <Outcome wanted={now.wanted} answer={now.answer} />}
    </dialog>
  );
}

function HaltEffect() {
  const active = blotterRows.value.filter(isOpen);
  const withOrders = active.filter((row) => row.hasOrders).length;
  return (
    <p>
      Cancels every open order of every account, and refuses new ones until somebody activates
      trading. Cancels stay possible. {active.length} portfolios of your accounts stop; {withOrders}{' '}
      of them have orders open now.
    </p>
  );
}

function ActivateEffect() {
  const active = blotterRows.value.filter(isOpen).length;
  return (
    <>
      <p>
        {active} portfolios of your accounts trade again, and catch up what they missed within their
        limits. Print a code where your key is:
      </p>
      <pre>npm run -s twapd -- open --code</pre>
    </>
  );
}

/** What the daemon says has happened, not what was asked. */
function Outcome({
  wanted,
  answer,
}: {
  readonly wanted: Wanted;
  readonly answer: Answer<SwitchRecord>;
}) {
  const set = deployment.value;
  const isDone = set?.state === wanted;
  const open = blotterRows.value.filter((row) => row.hasOrders).length;
  const isWatched = answer.kind !== 'refused';
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
          ? `${wanted === 'halted' ? 'Halted' : 'Active'} since ${utcText(Number(set.timestamp))} UTC, by ${set.nickname}: ${set.reason}`
          : 'Asked; the daemon has not confirmed it yet.'}
        {!isDone && answer.kind === 'unknown' && ` No answer: ${answer.message}`}
      </p>
      {wanted === 'halted' && (
        <p role="status">
          {open === 0
            ? 'No portfolio of your accounts has an order open.'
            : `${open} portfolios still have orders open; they are being cancelled.`}
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
