// Pausing, resuming and cancelling the portfolio: what will happen is said before it is requested, and what has happened only
// once the daemon's own record says so.

import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { mayConfirm } from '../../model/confirmation.ts';
import { durationText, timeText } from '../../model/formatting.ts';
import {
  type Action,
  asking,
  holdCode,
  isDone,
  needsCode,
  send,
  stopAsking,
} from '../../model/portfolio/change-request.ts';
import { record } from '../../model/portfolio/followed-portfolio.ts';
import { CodeField } from '../code-field.tsx';
import { nowMs } from '../page-clock.ts';
import { Dialog } from './dialog.tsx';

const TITLES: Readonly<Record<Action, string>> = {
  pause: 'Pause the portfolio',
  resume: 'Resume the portfolio',
  cancel: 'Cancel the portfolio',
};
const DOES: Readonly<Record<Action, string>> = {
  pause: 'Pause now',
  resume: 'Resume now',
  cancel: 'Cancel it now',
};
const CANCELLED = 3;

export function ActionDialog() {
  const now = asking.value;
  const of = record.value?.value;
  if (now === undefined || of === undefined) return null;
  const { action, stage, answer } = now;
  const hasHappened = stage === 'answered' && answer?.kind !== 'refused' && isDone(action, of);
  const mayAsk = stage === 'filling' || (answer?.kind === 'unknown' && !hasHappened);
  const takesCode = needsCode(action, of);
  const isFilled = !takesCode || mayConfirm(holdCode.value);
  return (
    <Dialog title={TITLES[action]} onClose={stopAsking}>
      {stage !== 'answered' && <Effect action={action} of={of} />}
      {takesCode && mayAsk && (
        <CodeField
          value={holdCode.value}
          onWrite={(text) => {
            holdCode.value = text;
          }}
          why={`It was paused by ${of.paused?.byUid}, not by you.`}
        />
      )}
      {stage === 'filling' && answer?.kind === 'refused' && (
        <p role="alert">Refused: {answer.message}</p>
      )}
      {stage === 'answered' && <Outcome hasHappened={hasHappened} of={of} />}
      <div class="acts">
        <button type="button" onClick={stopAsking}>
          {stage === 'answered' ? 'Close' : 'Back'}
        </button>
        {(mayAsk || stage === 'asked') && (
          <button
            type="button"
            class={action === 'cancel' ? 'halt' : ''}
            disabled={!mayAsk || !isFilled}
            onClick={() => void send(now)}
          >
            {stage === 'asked' ? 'Asked…' : stage === 'filling' ? DOES[action] : 'Ask again'}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** What it will do, by what is known now. */
function Effect({ action, of }: { readonly action: Action; readonly of: PortfolioRecord }) {
  return (
    <>
      <p>{effectText(action, of)}</p>
      <ul>
        {of.legs.map(
          ({ legId, instrument, quantityIn, remainingQuantity, outstandingQuantity }) => (
            <li key={legId}>
              {instrument}: {remainingQuantity} {quantityIn} unfilled, of which{' '}
              {outstandingQuantity} {quantityIn} in orders at the venue
            </li>
          ),
        )}
      </ul>
    </>
  );
}

function effectText(action: Action, { twapTrade, mirrorPortfolioIds }: PortfolioRecord): string {
  const end = Number(twapTrade?.endTimestamp);
  const left = Number.isFinite(end) ? ` in ${durationText(end - nowMs.value)}` : '';
  const mirrors =
    mirrorPortfolioIds.length === 0
      ? ''
      : ` ${mirrorPortfolioIds.length} portfolios mirror it and follow.`;
  switch (action) {
    case 'pause':
      return `Its orders are cancelled and it places nothing more until somebody resumes it. Its schedule goes on: what it misses is caught up after that, within its limits. If it is still paused at its end${left}, it is cancelled without its end action.${mirrors}`;
    case 'resume':
      return `It trades again and catches up what it missed, within its limits.${mirrors}`;
    case 'cancel':
      return `Its orders are cancelled, and what is not filled stays unfilled: no end action follows. This cannot be undone. An order that fills before its cancel arrives still counts.${mirrors}`;
  }
}

function Outcome({
  hasHappened,
  of,
}: {
  readonly hasHappened: boolean;
  readonly of: PortfolioRecord;
}) {
  const now = asking.value;
  if (now?.answer?.kind === 'refused') return <p role="alert">Refused: {now.answer.message}</p>;
  if (now === undefined || !hasHappened) {
    const why = now?.answer?.kind === 'unknown' ? ` No answer: ${now.answer.message}.` : '';
    return <p role="alert">Asked; the daemon has not confirmed it yet.{why}</p>;
  }
  return (
    <>
      <p role="alert">{doneText(now.action, of)}</p>
      <p role="status">{ordersText(of)}</p>
    </>
  );
}

function doneText(action: Action, { paused, portfolioStatus, updateTimestamp }: PortfolioRecord) {
  const at = timeText(Number(updateTimestamp));
  switch (action) {
    case 'pause':
      return `Paused since ${timeText(Number(paused?.timestamp))} UTC by ${paused?.byUid}.`;
    case 'resume':
      return `Resumed, as of ${at} UTC.`;
    case 'cancel':
      return portfolioStatus === CANCELLED
        ? `Cancelled at ${at} UTC.`
        : `Being cancelled since ${at} UTC.`;
  }
}

function ordersText({ legs }: PortfolioRecord): string {
  const open = legs.filter(({ outstandingQuantity }) => Number(outstandingQuantity) > 0);
  if (open.length === 0) return 'No order of it is at the venue.';
  const sizes = open.map((leg) => `${leg.outstandingQuantity} ${leg.quantityIn} ${leg.instrument}`);
  return `Still at the venue: ${sizes.join(', ')}.`;
}
