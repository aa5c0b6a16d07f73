// Where the portfolio stands: its name, state and actions, which stay in view; below them the figures of now.

import type { ComponentChildren } from 'preact';
import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { atPlaces, grouped, placesOf } from '../../../values/text/written-figures.ts';
import { heardMs, link } from '../../link/news-socket.ts';
import { otherSize } from '../../model/blotter-figures.ts';
import { type BlotterRow, blotterRow, isOpen, type RowLeg } from '../../model/blotter-row.ts';
import {
  ageText,
  bpsText,
  dateTimeText,
  dollars,
  durationText,
  figure,
  NO_FIGURE,
  percent,
  significant,
  timeText,
} from '../../model/formatting.ts';
import { indexOf, tickOf, useReferenceData } from '../../model/instruments/reference-data.ts';
import { record, report } from '../../model/portfolio/followed-portfolio.ts';
import { showBlotter } from '../../model/portfolio/route.ts';
import { isBeside, isEnlarged, mayBeBeside } from '../../model/portfolio/side-panel.ts';
import { standingOf } from '../../model/standing.ts';
import { switches } from '../../model/state.ts';
import { Bars, STATE_SIGNS } from '../bars.tsx';
import { nowMs, tickMs } from '../page-clock.ts';
import { Actions } from './actions.tsx';
import { profitNow } from './charts.tsx';
import { bothText } from './package-panels.ts';

export function Head() {
  const read = record.value;
  if (read === undefined) return null;
  return <Standing of={read.value} readMs={read.readMs} />;
}

function Standing({ of, readMs }: { readonly of: PortfolioRecord; readonly readMs: number }) {
  const row = blotterRow(of);
  const standing = standingOf(row, switches.value ?? []);
  const { portfolioId, strategy, nickname, portfolioType, legs } = of;
  useReferenceData(
    legs.map(({ instrument }) => instrument),
    legs.slice(0, 1).map(({ forCcy }) => forCcy),
  );
  return (
    <>
      <header class="head-of">
        <button type="button" onClick={showBlotter}>
          {isBeside.value ? 'Close' : '← Blotter'}
        </button>
        {mayBeBeside.value && (
          <button
            type="button"
            onClick={() => {
              isEnlarged.value = isBeside.value;
            }}
          >
            {isBeside.value ? 'Enlarge' : 'Beside the blotter'}
          </button>
        )}
        <h1>{row.name}</h1>
        <p class={`word ${standing.kind}`}>
          <span aria-hidden="true">{STATE_SIGNS[standing.kind]}</span>{' '}
          <span role="status">{standing.text}</span>
          {standing.why !== '' && <small>{standing.why}</small>}
        </p>
        <Actions />
      </header>
      <p class="sub">
        {strategy !== undefined && `${strategy} · `}portfolio {portfolioId}, {portfolioType},
        account {row.account}, submitted by {nickname} at {dateTimeText(row.submittedMs)} UTC ·{' '}
        <Age readMs={readMs} updatedMs={row.updatedMs} />
      </p>
      <dl class="strip">
        <Filled row={row} legs={legs} />
        <Behind row={row} legs={legs} />
        <TimeLeft row={row} of={of} />
        <Arrival row={row} />
        <Cost />
        <Profit />
        <Delta coin={legs[0]?.forCcy ?? ''} />
        <Lateness />
      </dl>
    </>
  );
}

interface CellProps {
  readonly name: string;
  readonly tone?: string;
  readonly children: ComponentChildren;
}

function Cell({ name, tone = '', children }: CellProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={tone}>{children}</dd>
    </div>
  );
}

interface RowProps {
  readonly row: BlotterRow;
  readonly legs: readonly LegRecord[];
}

function Filled({ row, legs }: RowProps) {
  const [only] = row.legs;
  return (
    <Cell name="Filled">
      {percent(row.filled)} <Bars filled={row.filled} scheduled={row.scheduled} />
      <small>
        {only !== undefined && legs.length === 1 ? sizesText(only) : `mean of ${legs.length} legs`}
      </small>
    </Cell>
  );
}

/** Such as `4,000 of 12,000 USD ≈ 0.12 BTC`. */
function sizesText(leg: RowLeg): string {
  const other = otherSize(leg, indexOf);
  const own = `${grouped(leg.filled)} of ${grouped(leg.quantity)} ${leg.unit}`;
  if (other === undefined) return own;
  const { value, unit } = other;
  return `${own} ≈ ${unit === 'USD' ? dollars(value) : `${significant(value, 4)} ${unit}`}`;
}

const BEHIND = 0.01;

function Behind({ row: { behind }, legs }: RowProps) {
  const [only] = legs;
  return (
    <Cell name={behind < 0 ? 'Ahead' : 'Behind'} tone={behind > BEHIND ? 'bad' : ''}>
      {percent(Math.abs(behind))}
      <small>{only !== undefined && legs.length === 1 ? dueText(only) : 'mean of the legs'}</small>
    </Cell>
  );
}

/** In the unit of the leg; from text to keep what the gateway wrote where nothing is missing. */
const dueText = ({ filledQuantity, scheduledQuantity, quantityIn }: LegRecord): string =>
  `${grouped(filledQuantity)} of ${grouped(scheduledQuantity)} ${quantityIn} due`;

function TimeLeft({ row, of }: { readonly row: BlotterRow; readonly of: PortfolioRecord }) {
  const { twapTrade, balanceTrade } = of;
  const left = row.endMs === undefined || !isOpen(row) ? undefined : row.endMs - nowMs.value;
  const then = twapTrade?.endAction ?? (balanceTrade?.totalEndAction === 2 ? 'market' : 'cancel');
  const parts = balanceTrade && `${balanceTrade.partsDone} of ${balanceTrade.parts} parts done; `;
  const until = row.endMs === undefined ? 'at its end' : `until ${timeText(row.endMs)} UTC`;
  return (
    <Cell name="Time left">
      {left === undefined ? NO_FIGURE : durationText(left)}
      <small title={row.endMs === undefined ? '' : `${dateTimeText(row.endMs)} UTC`}>
        {parts}
        {until}, then {then}
      </small>
    </Cell>
  );
}

/** Of one leg in basis points with its average, of several in dollars. */
function Arrival({ row: { legs } }: { readonly row: BlotterRow }) {
  const costs = report.value?.value;
  const [only] = legs;
  if (only === undefined || legs.length > 1) {
    const usd = costs?.package.slippage.arrivalUsd;
    return (
      <Cell name="Against arrival">
        {usd === null || usd === undefined ? NO_FIGURE : dollars(usd)}
        <small>in all; more than 0 is a cost</small>
      </Cell>
    );
  }
  const tick = tickOf(only.instrument);
  const average = atPlaces(only.average, tick === undefined ? undefined : placesOf(tick));
  return (
    <Cell name="Average">
      {only.average === '' ? NO_FIGURE : average}
      <small>{bpsText(costs?.legs[0]?.slippage.arrivalBps)} against arrival</small>
    </Cell>
  );
}

function Cost() {
  const costs = report.value?.value;
  const expected = costs?.legs.length === 1 ? costs.legs[0]?.expected?.bps : undefined;
  return (
    <Cell name="Cost so far">
      {costs === undefined ? NO_FIGURE : dollars(costs.package.usd)}
      <small>
        {costs?.legs.length === 1
          ? `${bpsText(costs.legs[0]?.shortfall?.bps)}; expected ${bpsText(expected)}`
          : 'of all legs'}
      </small>
    </Cell>
  );
}

function Profit() {
  const now = profitNow.value;
  return (
    <Cell name="P&L at the mid">
      <Both text={now} />
    </Cell>
  );
}

function Delta({ coin }: { readonly coin: string }) {
  const costs = report.value?.value;
  const isUnfilled = costs?.fills.length === 0;
  const delta = costs?.package.delta?.final ?? (isUnfilled ? 0 : null);
  return (
    <Cell name="Net delta">
      {costs === undefined ? NO_FIGURE : <Both text={bothText(delta, coin, indexOf(coin))} />}
    </Cell>
  );
}

/** Of an amount such as `+0.04 BTC ≈ +4,000 USD`, unit and dollars go below. */
function Both({ text }: { readonly text: string }) {
  const [, own = text, unit = ''] = /^([-+]?[\d.,]+) (.*)$/.exec(text) ?? [];
  return (
    <>
      {own}
      <small>{unit}</small>
    </>
  );
}

function Lateness() {
  const slices = report.value?.value.slices.filter(({ lateMs }) => lateMs !== null) ?? [];
  const last = slices.toSorted((a, b) => ((a.due ?? '') < (b.due ?? '') ? -1 : 1)).at(-1);
  const most = slices.reduce((latest, { lateMs }) => Math.max(latest, lateMs ?? 0), 0);
  return (
    <Cell name="Latest slice">
      {last === undefined ? NO_FIGURE : `${figure(last.lateMs)} ms late`}
      <small>{last !== undefined && `at most ${figure(most)} ms`}</small>
    </Cell>
  );
}

/** News tells of every change: while it is live, what is shown is the latest, however long ago that was. */
function Age({ readMs, updatedMs }: { readonly readMs: number; readonly updatedMs: number }) {
  const isLive = link.value.kind === 'live';
  const age = ageText(tickMs.value - Math.max(readMs, heardMs.value));
  return (
    <span class={isLive ? '' : 'bad'}>
      {isLive ? 'As of now' : `▲ As of ${age} ago`}; last change {timeText(updatedMs)} UTC
    </span>
  );
}
