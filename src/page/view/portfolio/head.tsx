// Where the portfolio stands: state and why, progress against the schedule, time left, lateness, and how old this is.

import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { heardMs, link } from '../../link/news-socket.ts';
import { type BlotterRow, blotterRow, isOpen } from '../../model/blotter-row.ts';
import {
  ageText,
  dateTimeText,
  durationText,
  figure,
  grouped,
  NO_FIGURE,
  percent,
  timeText,
} from '../../model/formatting.ts';
import { record, report } from '../../model/portfolio/followed-portfolio.ts';
import { Bars, STATE_SIGNS } from '../bars.tsx';
import { nowMs, tickMs } from '../page-clock.ts';

export function Head() {
  const read = record.value;
  if (read === undefined) return null;
  const row = blotterRow(read.value);
  const { portfolioId, strategy, nickname, portfolioType, legs } = read.value;
  const { twapTrade, balanceTrade } = read.value;
  return (
    <header class="head-of">
      <h1>{row.name}</h1>
      <p class="sub">
        {strategy !== undefined && `${strategy} · `}portfolio {portfolioId}, {portfolioType},
        account {row.account}, submitted by {nickname} at {dateTimeText(row.submittedMs)} UTC
      </p>
      <dl class="facts">
        <div>
          <dt>State</dt>
          <dd class={`word ${row.state}`}>
            <span aria-hidden="true">{STATE_SIGNS[row.state]}</span>{' '}
            <span role="status">{row.state}</span>
            {row.why !== '' && <small>{row.why}</small>}
          </dd>
        </div>
        <div class="wide">
          <dt>Filled</dt>
          <dd>
            <Bars filled={row.filled} scheduled={row.scheduled} /> {percent(row.filled)}
          </dd>
        </div>
        <div>
          <dt>{row.behind < 0 ? 'Ahead' : 'Behind'}</dt>
          <dd class={row.behind > 0.01 ? 'bad' : ''}>
            {percent(Math.abs(row.behind))}
            <small>{legs.length === 1 && behindText(legs[0])}</small>
          </dd>
        </div>
        <TimeLeft row={row} balance={balanceTrade} />
        <Lateness />
        <div>
          <dt>At the end</dt>
          <dd>
            {twapTrade?.endAction ?? (balanceTrade?.totalEndAction === 2 ? 'market' : 'cancel')}
          </dd>
        </div>
      </dl>
      <Age readMs={read.readMs} updatedMs={row.updatedMs} />
    </header>
  );
}

interface TimeProps {
  readonly row: BlotterRow;
  readonly balance: PortfolioRecord['balanceTrade'];
}

function TimeLeft({ row, balance }: TimeProps) {
  const left = row.endMs === undefined || !isOpen(row) ? undefined : row.endMs - nowMs.value;
  return (
    <div>
      <dt>Time left</dt>
      <dd>
        {left === undefined ? NO_FIGURE : durationText(left)}
        {row.endMs !== undefined && <small>ends {dateTimeText(row.endMs)} UTC</small>}
        {balance && (
          <small>
            {balance.partsDone} of {balance.parts} parts done
          </small>
        )}
      </dd>
    </div>
  );
}

/** In the unit of the leg; from text to keep what the gateway wrote where nothing is missing. */
function behindText(leg: LegRecord | undefined): string {
  if (leg === undefined) return '';
  return `${grouped(leg.filledQuantity)} of ${grouped(leg.scheduledQuantity)} ${leg.quantityIn} due`;
}

function Lateness() {
  const slices = report.value?.value.slices.filter(({ lateMs }) => lateMs !== null) ?? [];
  const last = slices.toSorted((a, b) => ((a.due ?? '') < (b.due ?? '') ? -1 : 1)).at(-1);
  const most = Math.max(0, ...slices.map(({ lateMs }) => lateMs ?? 0));
  return (
    <div>
      <dt>Lateness</dt>
      <dd>
        {last === undefined ? NO_FIGURE : `${figure(last.lateMs)} ms`}
        {last !== undefined && <small>of the latest slice; most {figure(most)} ms</small>}
      </dd>
    </div>
  );
}

/** News tells of every change: while it is live, what is shown is the latest, however long ago that was. */
function Age({ readMs, updatedMs }: { readonly readMs: number; readonly updatedMs: number }) {
  const isLive = link.value.kind === 'live';
  const age = ageText(tickMs.value - Math.max(readMs, heardMs.value));
  return (
    <p class={isLive ? 'age' : 'age bad'}>
      {isLive ? 'As of now' : `▲ As of ${age} ago`}; last change {timeText(updatedMs)} UTC
    </p>
  );
}
