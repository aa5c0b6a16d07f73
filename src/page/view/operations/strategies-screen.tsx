// Strategies: what is wrong with their files, when each is due next, what it submitted last, and switching it on and off.

import type { StrategiesRecord } from '../../../gateway/client/client.ts';
import { request } from '../../link/page-session.ts';
import { useReadings } from '../../model/operations/reading.ts';
import { strategies } from '../../model/operations/readings.ts';
import { mapShown, UNREAD } from '../../model/panel-state.ts';
import { heldBy } from '../../model/standing.ts';
import { switches } from '../../model/state.ts';
import { openQuestion } from './ask-dialog.tsx';
import { mayOversee } from './session-rights.ts';
import { type Column, Sheet, Time } from './sheet.tsx';

type Strategy = StrategiesRecord['strategies'][number];

const READINGS = [strategies];
const STATUS: Readonly<Record<number, string>> = {
  1: 'active',
  2: 'filled',
  3: 'cancelled',
  4: 'cancelling',
};

export function StrategiesScreen() {
  useReadings(READINGS);
  const known = strategies.value.value;
  return (
    <div class="screen">
      <h1>Strategies</h1>
      {known?.areRead === false && (
        <p role="status">The daemon is recovering and has not read them yet.</p>
      )}
      {known !== undefined && known.faults.length > 0 && (
        <Sheet
          title="Faults of files"
          shown={mapShown(strategies.shown.value, ({ faults }) => faults)}
          none=""
          keyOf={({ file, line, column, field }) => `${file}/${line}/${column}/${field}`}
          columns={[
            {
              head: 'Where',
              cell: ({ file, line, column }) =>
                line === null ? file : `${file}:${line}:${column ?? 1}`,
            },
            { head: 'Field', cell: ({ field }) => field },
            { head: 'What is wrong', cell: ({ message }) => <span class="bad">{message}</span> },
          ]}
        >
          <p class="count">The last version of a file without faults stays in force.</p>
        </Sheet>
      )}
      <Sheet
        title="In force"
        shown={
          known?.areRead === false
            ? UNREAD
            : mapShown(strategies.shown.value, (one) => one.strategies)
        }
        none="No strategy of these accounts is in force."
        keyOf={({ strategy }) => strategy}
        columns={[...NAMES, ...(mayOversee() ? [SWITCH_COLUMN] : []), ...RUNS]}
      />
    </div>
  );
}

const NAMES: readonly Column<Strategy>[] = [
  {
    head: 'Strategy',
    cell: ({ strategy, description }) => (
      <>
        <strong>{strategy}</strong>
        <small>{description}</small>
      </>
    ),
  },
  { head: 'State', cell: (row) => <State row={row} /> },
];

const RUNS: readonly Column<Strategy>[] = [
  { head: 'Due', cell: ({ schedule }) => schedule ?? 'when submitted by people' },
  {
    head: 'Next run (UTC)',
    cell: ({ nextTimestamp: ms }) => (ms === null ? 'none' : <Time ms={ms} />),
  },
  { head: 'Last runs (UTC)', cell: (row) => <Runs row={row} /> },
  { head: 'Account', cell: ({ accountId }) => accountId },
  { head: 'File', cell: ({ file }) => file },
];

const SWITCH_COLUMN: Column<Strategy> = { head: 'Switch', cell: (row) => <Switch row={row} /> };

function State({ row }: { readonly row: Strategy }) {
  const { accountId, strategy, isOn, isEnabledInFile, switch: set } = row;
  const word = isOn ? '● on' : '■ off';
  const held = isOn ? heldBy(switches.value ?? [], { accountId, strategy, id: '' }) : undefined;
  const isSwitched = set !== null && set.state !== 'file';
  return (
    <>
      <span class={isOn ? 'good' : 'warn'}>{word}</span>
      {held !== undefined && (
        <span class="bad" title={held.why}>
          , ■ {held.text}
        </span>
      )}
      <small>
        {isSwitched
          ? `by ${set.nickname}: ${set.reason}; its file says ${isEnabledInFile ? 'on' : 'off'}`
          : 'as its file says'}
      </small>
    </>
  );
}

function Runs({ row: { runs } }: { readonly row: Strategy }) {
  if (runs.length === 0) return <>none</>;
  return (
    <ul class="runs">
      {runs.map(({ portfolioId, portfolioStatus, submitTimestamp }) => (
        <li key={portfolioId}>
          <Time ms={submitTimestamp} /> {STATUS[portfolioStatus] ?? ''}{' '}
          <a href={`#portfolio=${portfolioId}`}>{portfolioId}</a>
        </li>
      ))}
    </ul>
  );
}

function Switch({ row }: { readonly row: Strategy }) {
  const { strategy, isOn, schedule, switch: set } = row;
  if (schedule === null) return <>never due</>;
  const open = (state: 'on' | 'off' | 'file', how: { title: string; effect: string }): void =>
    openQuestion({
      ...how,
      act: how.title,
      hasReason: true,
      needsCode: state !== 'off',
      send: ({ reason, headers }) =>
        request('api/strategy-switch', { body: { strategy, state, reason }, headers }),
      reread: strategies.read,
    });
  const off = {
    title: `Switch ${strategy} off`,
    effect: 'It submits no more until it is switched on. What it submitted before goes on.',
  };
  const on = {
    title: `Switch ${strategy} on`,
    effect: `It submits when it is due (${schedule}), whatever its file says. What was due while it was off is not made up for.`,
  };
  const file = {
    title: `Let the file of ${strategy} decide`,
    effect: `Its file says ${row.isEnabledInFile ? 'on' : 'off'}, and decides from now on, also when it changes.`,
  };
  return (
    <span class="acts">
      {isOn ? (
        <button type="button" aria-label={off.title} onClick={() => open('off', off)}>
          Off…
        </button>
      ) : (
        <button type="button" aria-label={on.title} onClick={() => open('on', on)}>
          On…
        </button>
      )}
      {set !== null && set.state !== 'file' && (
        <button type="button" aria-label={file.title} onClick={() => open('file', file)}>
          As file…
        </button>
      )}
    </span>
  );
}
