// What the columns of the blotter show of a portfolio.
import type { FunctionComponent } from 'preact';
import { atPlaces, placesOf } from '../../../values/text/written-figures.ts';
import { otherSize } from '../../model/blotter-figures.ts';
import {
  type BlotterRow,
  type Filter,
  isOpen,
  type RowLeg,
  type SortColumn,
  sizeBefore,
  sizeText,
} from '../../model/blotter-row.ts';
import {
  dateTimeText,
  dollars,
  durationText,
  isoText,
  minuteText,
  NO_FIGURE,
  percent,
  significant,
} from '../../model/formatting.ts';
import { indexOf, tickOf } from '../../model/instruments/reference-data.ts';
import { portfolioAddress } from '../../model/portfolio/route.ts';
import { standingOf } from '../../model/standing.ts';
import { switches } from '../../model/state.ts';
import { Bars, SideWord, STATE_SIGNS } from '../bars.tsx';
import { nowMs } from '../page-clock.ts';

interface CellProps {
  readonly row: BlotterRow;
}

export interface BlotterColumn {
  readonly by: Exclude<SortColumn, 'submitted'>;
  readonly title: string;
  /** Of a table of ended portfolios only; absent: the same. */
  readonly endedTitle?: string;
  readonly width: string;
  readonly isNumber: boolean;
  /** Says something of portfolios that have ended. */
  readonly isOfEnded: boolean;
  readonly cell: FunctionComponent<CellProps>;
}

/** Legs that a row has place for. */
const LEGS_SHOWN = 2;
const BEHIND = 0.01;

export const COLUMNS: readonly BlotterColumn[] = [
  {
    by: 'name',
    title: 'Portfolio',
    width: 'minmax(0, 2.9fr)',
    isNumber: false,
    isOfEnded: true,
    cell: Name,
  },
  {
    by: 'account',
    title: 'Account',
    width: 'minmax(0, 1.2fr)',
    isNumber: false,
    isOfEnded: true,
    cell: ({ row }) => <>{row.account}</>,
  },
  {
    by: 'product',
    title: 'Product',
    width: 'minmax(0, 2.6fr)',
    isNumber: false,
    isOfEnded: true,
    cell: Product,
  },
  {
    by: 'state',
    title: 'State',
    width: 'minmax(0, 1.5fr)',
    isNumber: false,
    isOfEnded: true,
    cell: State,
  },
  {
    by: 'filled',
    title: 'Filled',
    width: 'minmax(0, 1.5fr)',
    isNumber: false,
    isOfEnded: true,
    cell: Filled,
  },
  {
    by: 'behind',
    title: 'Behind',
    width: '6.2em',
    isNumber: true,
    isOfEnded: false,
    cell: Behind,
  },
  {
    by: 'average',
    title: 'Average',
    width: '7em',
    isNumber: true,
    isOfEnded: true,
    cell: Average,
  },
  {
    by: 'left',
    title: 'Time left',
    endedTitle: 'Ended (UTC)',
    width: '7.2em',
    isNumber: true,
    isOfEnded: true,
    cell: Left,
  },
];

export const titleOf = ({ title, endedTitle }: BlotterColumn, which: Filter['which']): string =>
  which === 'ended' ? (endedTitle ?? title) : title;

function Name({ row }: CellProps) {
  return (
    <>
      <a href={portfolioAddress(row.id)} title={`portfolio ${row.id}`}>
        <strong>{row.name}</strong>
      </a>
      <small>
        {row.strategy}
        <span class="label">
          {row.strategy !== '' && ' · '}
          {row.account}
        </span>
      </small>
    </>
  );
}

/** One leg with its size in coin and dollars below it, or one line for each of two. */
function Product({ row: { legs } }: CellProps) {
  const [only] = legs;
  const shown = legs.length > LEGS_SHOWN ? legs.slice(0, 1) : legs;
  const hidden = legs.length - shown.length;
  const title = legs.map((leg) => `${leg.side} ${sizeText(leg)} ${leg.instrument}`).join('\n');
  return (
    <span title={title}>
      {shown.map((leg, index) => (
        <span class="leg" key={index}>
          <SideWord side={leg.side} />
          {legs.length > 1 && <span class="size">{sizeBefore(leg)} </span>}
          {leg.instrument}
        </span>
      ))}
      {legs.length === 1 && only !== undefined && <small>{bothSizes(only)}</small>}
      {hidden > 0 && <small>and {hidden} more legs</small>}
    </span>
  );
}

/** Such as `25,000 USD ≈ 0.25 BTC`. */
function bothSizes(leg: RowLeg): string {
  const other = otherSize(leg, indexOf);
  if (other === undefined) return sizeText(leg);
  const { value, unit } = other;
  return `${sizeText(leg)} ≈ ${unit === 'USD' ? dollars(value) : `${significant(value, 4)} ${unit}`}`;
}

function State({ row }: CellProps) {
  const { kind, text, why } = standingOf(row, switches.value ?? []);
  return (
    <span class={`word ${kind}`} title={`${text}${why === '' ? '' : `, ${why}`}`}>
      <span aria-hidden="true">{STATE_SIGNS[kind]}</span> {text}
      {why !== '' && <small>{why}</small>}
    </span>
  );
}

function Filled({ row: { filled, scheduled, state } }: CellProps) {
  const due = state === 'filled' ? filled : scheduled;
  return (
    <>
      <Bars filled={filled} scheduled={due} />
      <span class="number">{percent(filled)}</span>
    </>
  );
}

function Behind({ row }: CellProps) {
  const { behind } = row;
  if (!isOpen(row)) return null;
  return (
    <span class={behind > BEHIND ? 'bad' : ''}>
      <span class="label">behind </span>
      {behind < 0 ? `${percent(-behind)} ahead` : percent(behind)}
    </span>
  );
}

/** To the tick; exact where it is hovered over. */
function Average({ row: { legs } }: CellProps) {
  const shown = legs.length > LEGS_SHOWN ? legs.slice(0, 1) : legs;
  return (
    <>
      {shown.map((leg, index) => (
        <span class="leg" key={index} title={leg.average}>
          {averageText(leg)}
        </span>
      ))}
      {legs.length === 1 && legs[0]?.average !== '' && <small>{legs[0]?.priceIn}</small>}
    </>
  );
}

function averageText({ average, instrument }: RowLeg): string {
  const tick = tickOf(instrument);
  if (average === '') return NO_FIGURE;
  return atPlaces(average, tick === undefined ? undefined : placesOf(tick));
}

function Left({ row }: CellProps) {
  const { endMs, updatedMs } = row;
  if (isOpen(row)) {
    if (endMs === undefined) return null;
    return (
      <>
        {durationText(endMs - nowMs.value)}
        <small>
          <span class="label">until </span>
          {minuteText(endMs)}
        </small>
      </>
    );
  }
  const [date = '', time = ''] = dateTimeText(updatedMs).split(' ');
  return (
    <time dateTime={isoText(updatedMs)}>
      {date}
      <small>{time}</small>
    </time>
  );
}
