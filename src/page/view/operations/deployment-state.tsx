// How the deployment is: its alarms, its state in figures, and its venues.

import type { SummaryRecord } from '../../../gateway/client/client.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { ageText, figure, NOT_KNOWN, percent, timeText } from '../../model/formatting.ts';
import { type Alarm, alarmsOf, runbookOf } from '../../model/operations/alarms.ts';
import { limits, summary } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { nowMs } from '../page-clock.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { Sheet, Time } from './sheet.tsx';

export function AlarmList() {
  const shown = summary.shown.value;
  const known = shown.kind === 'unread' ? undefined : shown.value;
  const alarms = known && alarmsOf(known, limits.value.value);
  return (
    <section class={shown.kind === 'stale' ? 'sheet stale' : 'sheet'} aria-labelledby="alarms">
      <h2 id="alarms">
        What is wrong {alarms !== undefined && <small>{countText(alarms)}</small>}
      </h2>
      <PanelFreshness shown={shown} />
      {alarms?.length === 0 && shown.kind === 'read' && <p class="good">● Nothing is wrong.</p>}
      {alarms?.length === 0 && <None shown={shown}>nothing was wrong.</None>}
      {known !== undefined && alarms !== undefined && alarms.length > 0 && (
        <ul class="alarms">
          {alarms.map((alarm) => (
            <li key={alarm.alert + alarm.text} class={alarm.isUrgent ? 'bad' : 'warn'}>
              <AlarmText alarm={alarm} known={known} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function countText(alarms: readonly Alarm[]): string {
  const urgent = alarms.filter(({ isUrgent }) => isUrgent).length;
  return alarms.length === 0 ? '' : `${urgent} urgent, ${alarms.length - urgent} to look at`;
}

function AlarmText({ alarm, known }: { readonly alarm: Alarm; readonly known: SummaryRecord }) {
  const link = runbookOf(alarm, known);
  const { sinceMs } = alarm;
  return (
    <>
      <span aria-hidden="true">{alarm.isUrgent ? '▲' : '△'} </span>
      {alarm.text}
      {sinceMs !== undefined &&
        `, since ${timeText(sinceMs)} UTC (${ageText(nowMs.value - sinceMs)})`}{' '}
      {link === undefined ? (
        <span class="count">docs/operations.md, {alarm.alert}</span>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          Runbook: {alarm.alert}
        </a>
      )}
    </>
  );
}

interface Fact {
  readonly name: string;
  readonly text: string;
  readonly tone?: 'warn' | 'bad' | undefined;
}

export function StateSheet() {
  const shown = summary.shown.value;
  return (
    <section class={shown.kind === 'stale' ? 'sheet stale' : 'sheet'} aria-labelledby="state">
      <h2 id="state">State</h2>
      <PanelFreshness shown={shown} />
      {shown.kind !== 'unread' && (
        <dl class="strip facts">
          {factsOf(shown.value).map(({ name, text, tone = '' }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class={tone}>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function factsOf(known: SummaryRecord): readonly Fact[] {
  const { ready, slices, undecided, mmp, loopLagSec, audit, isOverloaded } = known;
  const recovering = known.reasons.filter((reason) => reason.startsWith('recovering'));
  const late = slices.lateShare === null ? '' : `, ${percent(slices.lateShare, 2)} late`;
  const lag = (sec: number | null): string =>
    sec === null ? NOT_KNOWN : `${figure(sec * 1_000)} ms`;
  const last =
    audit.lastTimestamp === null ? 'never' : `${timeText(Number(audit.lastTimestamp))} UTC`;
  const toneIf = (is: boolean, tone: 'warn' | 'bad') => (is ? tone : undefined);
  return [
    {
      name: 'Ready',
      text: ready ? 'yes' : known.reasons.join('; '),
      tone: toneIf(!ready, 'bad'),
    },
    {
      name: 'Recovery',
      text: recovering.length === 0 ? 'ended' : recovering.join('; '),
      tone: toneIf(recovering.length > 0, 'warn'),
    },
    { name: 'Slices since the start', text: `${figure(slices.sent)} sent${late}` },
    {
      name: 'Orders of unknown outcome',
      text: figure(undecided.children),
      tone: toneIf(undecided.children > 0, 'warn'),
    },
    {
      name: 'MMP groups',
      text: `${mmp.frozen} frozen, ${mmp.waiting} waiting for a reset`,
      tone: toneIf(mmp.frozen + mmp.waiting > 0, 'warn'),
    },
    {
      name: 'Delay of timers (p99)',
      text: `engine ${lag(loopLagSec.engine)}, gateway ${lag(loopLagSec.gateway)}`,
    },
    {
      name: 'Checks of the books',
      text: `${counted(audit.breaches, 'contradiction')}, last ${last}`,
      tone: toneIf(audit.breaches > 0, 'bad'),
    },
    {
      name: 'New portfolios',
      text: isOverloaded ? 'refused: overloaded' : 'accepted',
      tone: toneIf(isOverloaded, 'bad'),
    },
  ];
}

const downFirst = (venues: SummaryRecord['venues']): SummaryRecord['venues'] =>
  venues.toSorted((a, b) => Number(a.isUp) - Number(b.isUp));

export function VenueSheet() {
  const known = summary.value.value;
  const troubleOf = (exchange: string): string =>
    known?.reasons.filter((reason) => reason.startsWith(`venue ${exchange}:`)).join('; ') ?? '';
  return (
    <Sheet
      title="Venues"
      shown={mapShown(summary.shown.value, ({ venues }) => downFirst(venues))}
      none="No venue."
      keyOf={({ exchange }) => exchange}
      columns={[
        { head: 'Venue', cell: ({ exchange }) => exchange },
        {
          head: 'Connection',
          cell: ({ isUp }) => <span class={isUp ? 'good' : 'bad'}>{isUp ? '● up' : '■ down'}</span>,
        },
        {
          head: 'Clock',
          isNumber: true,
          cell: ({ clockOffsetSec: sec }) => (sec === null ? NOT_KNOWN : `${figure(sec, 3)} s`),
        },
        {
          head: 'Rate limit left',
          isNumber: true,
          cell: ({ rateLeft }) =>
            rateLeft === null ? 'no limit' : percent(Math.floor(rateLeft * 100) / 100, 0),
        },
        { head: 'Quotes missing', isNumber: true, cell: ({ quotesMissing }) => quotesMissing },
        {
          head: 'Oldest quote',
          isNumber: true,
          cell: ({ quoteAgeSecMax: sec }) => (sec === null ? NOT_KNOWN : `${figure(sec, 1)} s`),
        },
        { head: 'Trouble', cell: ({ exchange }) => troubleOf(exchange) || 'none' },
      ]}
    >
      {known !== undefined && (
        <p class="count">
          As of <Time ms={known.timestamp} /> UTC
        </p>
      )}
    </Sheet>
  );
}
