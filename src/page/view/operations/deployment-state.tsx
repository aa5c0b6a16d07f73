// How the deployment is: its alarms, its state in figures, and its venues.

import type { SummaryRecord } from '../../../gateway/client/client.ts';
import { ageText, figure, NOT_KNOWN, percent, timeText } from '../../model/formatting.ts';
import { type Alarm, alarmsOf, runbookOf } from '../../model/operations/alarms.ts';
import { summary } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { nowMs } from '../page-clock.ts';
import { Sheet, Time } from './sheet.tsx';

export function AlarmList() {
  const known = summary.value.value;
  const alarms = known === undefined ? undefined : alarmsOf(known);
  return (
    <section class="sheet" aria-labelledby="alarms">
      <h2 id="alarms">Alarms</h2>
      {summary.fault.value !== '' && <p class="bad">Not read: {summary.fault.value}</p>}
      {alarms?.length === 0 && <p class="good">● Nothing is wrong.</p>}
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
}

export function StateSheet() {
  return (
    <Sheet
      title="State"
      shown={mapShown(summary.shown.value, factsOf)}
      none=""
      keyOf={({ name }) => name}
      columns={[
        { head: 'What', cell: ({ name }) => name },
        { head: 'Is', cell: ({ text }) => text },
      ]}
    />
  );
}

function factsOf(known: SummaryRecord): readonly Fact[] {
  const { slices, undecided, mmp, loopLagSec, audit } = known;
  const recovering = known.reasons.filter((reason) => reason.startsWith('recovering'));
  const late = slices.lateShare === null ? '' : `, ${percent(slices.lateShare, 2)} late`;
  const lag = (sec: number | null): string =>
    sec === null ? NOT_KNOWN : `${figure(sec * 1_000)} ms`;
  return [
    { name: 'Ready', text: known.ready ? 'yes' : known.reasons.join('; ') },
    { name: 'Recovery', text: recovering.length === 0 ? 'ended' : recovering.join('; ') },
    { name: 'Slices since the start', text: `${figure(slices.sent)} sent${late}` },
    { name: 'Orders of unknown outcome', text: String(undecided.children) },
    { name: 'MMP groups', text: `${mmp.frozen} frozen, ${mmp.waiting} waiting for a reset` },
    {
      name: 'Delay of timers (p99)',
      text: `engine ${lag(loopLagSec.engine)}, gateway ${lag(loopLagSec.gateway)}`,
    },
    {
      name: 'Checks of the books',
      text: `${audit.breaches} contradictions, last ${audit.lastTimestamp === null ? 'never' : `${timeText(Number(audit.lastTimestamp))} UTC`}`,
    },
    { name: 'New portfolios', text: known.isOverloaded ? 'refused: overloaded' : 'accepted' },
  ];
}

export function VenueSheet() {
  const known = summary.value.value;
  const troubleOf = (exchange: string): string =>
    known?.reasons.filter((reason) => reason.startsWith(`venue ${exchange}:`)).join('; ') ?? '';
  return (
    <Sheet
      title="Venues"
      shown={mapShown(summary.shown.value, ({ venues }) => venues)}
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
