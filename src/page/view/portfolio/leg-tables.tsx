// The legs, and the children that rest or may rest at the venue.

import type { LegRecord } from '../../../gateway/portfolios/record-schema.ts';
import { atPlaces, grouped, placesOf } from '../../../values/text/written-figures.ts';
import { ageText, figure, NO_FIGURE, timeText } from '../../model/formatting.ts';
import { tickOf } from '../../model/instruments/reference-data.ts';
import type { LegCourse } from '../../model/portfolio/course-data.ts';
import {
  course,
  courseShown,
  record,
  recordShown,
} from '../../model/portfolio/followed-portfolio.ts';
import { waitText } from '../../model/portfolio/sentences.ts';
import { SideWord } from '../bars.tsx';
import { nowMs, tickMs } from '../page-clock.ts';
import { Table } from './table.tsx';

export function LegTable() {
  const legs = record.value?.value.legs ?? [];
  return (
    <Table
      title="Legs"
      shown={recordShown.value}
      columns={[
        'Leg',
        '#Filled',
        '#Due',
        '#Average',
        '#At the venue',
        '#Slices',
        'Waits or refused',
      ]}
      rows={legs.map((leg) => ({
        key: leg.legId,
        cells: [
          <>
            <SideWord side={leg.side === 1 ? 'buy' : 'sell'} /> {leg.instrument}
          </>,
          leg.hedge
            ? `${grouped(leg.filledQuantity)} ${leg.quantityIn}, hedge`
            : `${grouped(leg.filledQuantity)} of ${grouped(leg.placeQuantity)} ${leg.quantityIn}`,
          grouped(leg.scheduledQuantity),
          averageText(leg),
          grouped(leg.outstandingQuantity),
          `${figure(leg.slicesPlaced)} sent, ${figure(leg.slicesMissed)} not, of ${figure(leg.slicesPlanned)}`,
          troubleText(leg),
        ],
      }))}
    />
  );
}

/** To the tick. */
function averageText({ filledAvgPrice, instrument, markCcy }: LegRecord): string {
  if (filledAvgPrice === '0') return NO_FIGURE;
  return `${priceAtTick(filledAvgPrice, instrument)} ${markCcy}`;
}

function priceAtTick(price: string, instrument: string): string {
  const tick = tickOf(instrument);
  return atPlaces(price, tick === undefined ? undefined : placesOf(tick));
}

function troubleText({ waiting, refusal }: LegRecord): string {
  const told = [
    ...(waiting === undefined ? [] : [waitText(waiting)]),
    ...(refusal === undefined
      ? []
      : [`${timeText(Number(refusal.timestamp))}: ${refusal.message} (${refusal.code})`]),
  ];
  return told.join('; ');
}

type Child = LegCourse['children'][number];

const STATES: Readonly<Partial<Record<Child['state'], string>>> = {
  sending: 'being sent',
  live: 'rests',
  cancelling: 'rests, its cancel was sent',
  unknown: '▲ unknown: the venue has not answered',
};

export function ChildTable() {
  const read = course.value;
  const open = (read?.value.legs ?? []).flatMap(({ instrument, side, children }) =>
    children
      .filter(({ closedAt }) => closedAt === null)
      .map((child) => ({ instrument, side, child })),
  );
  return (
    <Table
      title="Orders at the venue"
      note={readText(read?.readMs)}
      shown={courseShown.value}
      none="No order of this portfolio is at the venue."
      columns={['Order', '#Price', '#Filled', 'State', '#Since']}
      rows={open.map(({ instrument, side, child }) => ({
        key: child.label,
        cells: [
          <>
            <SideWord side={side} /> {instrument}, slice {child.slice + 1}
          </>,
          priceAtTick(child.prices.at(-1)?.price ?? '', instrument),
          `${grouped(child.filled)} of ${grouped(child.quantity)}`,
          STATES[child.state] ?? child.state,
          ageText(nowMs.value - (child.prices[0]?.at ?? nowMs.value)),
        ],
      }))}
    />
  );
}

/** How old something is that is read every few seconds. */
export const readText = (readMs: number | undefined): string =>
  readMs === undefined ? '' : `read ${ageText(tickMs.value - readMs)} ago`;
