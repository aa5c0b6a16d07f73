// Switches: what is not active and by whom, halting an account, a strategy or a portfolio, activating it again, and every
// setting of late.

import { signal } from '@preact/signals';
import type { SwitchRecord } from '../../../gateway/client/client.ts';
import { access } from '../../link/page-session.ts';
import { switchHistory } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { switchesShown } from '../../model/state.ts';
import { limitedText } from '../limited-text.ts';
import { askSwitch, type SwitchTarget, targetText } from '../switch-dialog.tsx';
import { mayOversee } from './session-rights.ts';
import { type Column, Sheet, Time } from './sheet.tsx';

const SIGNS = { active: '●', reducing: '◐', halted: '■' } as const;
const HISTORY_SHOWN = 20;

const chosen = signal<SwitchTarget['scope']>('account');
const named = signal('');

const SCOPES = ['account', 'strategy', 'portfolio'] as const;

const COLUMNS: readonly Column<SwitchRecord>[] = [
  { head: 'Of', cell: targetText },
  {
    head: 'State',
    cell: ({ state }) => (
      <span class={`state ${state}`}>
        <span aria-hidden="true">{SIGNS[state]} </span>
        {state}
      </span>
    ),
  },
  { head: 'Since (UTC)', cell: ({ timestamp }) => <Time ms={timestamp} /> },
  { head: 'By', cell: ({ nickname, uid }) => (nickname === '' ? uid : nickname) },
  { head: 'Reason', cell: ({ reason }) => reason },
];

/** Next to the state, so that it is in reach on a phone. */
const SET: Column<SwitchRecord> = { head: 'Set', cell: (row) => <Acts row={row} /> };

export function SwitchSheet() {
  const inForce = mapShown(switchesShown.value, (all) =>
    all.toSorted((a, b) => Number(a.state === 'active') - Number(b.state === 'active')),
  );
  const columns = mayOversee() ? [...COLUMNS.slice(0, 2), SET, ...COLUMNS.slice(2)] : COLUMNS;
  return (
    <Sheet
      title="Switches"
      shown={inForce}
      none="No switch was ever set: everything is active."
      keyOf={({ scope, of }) => `${scope}/${of}`}
      columns={columns}
    >
      {mayOversee() && <HaltForm />}
    </Sheet>
  );
}

export function SwitchHistorySheet() {
  return (
    <Sheet
      title="Settings of switches"
      shown={mapShown(switchHistory.shown.value, (all) => all.slice(0, HISTORY_SHOWN))}
      none="No switch was ever set."
      keyOf={({ scope, of, timestamp, state }) => `${scope}/${of}/${timestamp}/${state}`}
      columns={COLUMNS}
    />
  );
}

function Acts({ row }: { readonly row: SwitchRecord }) {
  const name = targetText(row);
  return (
    <span class="acts">
      {row.state !== 'halted' && (
        <button
          type="button"
          class="halt"
          aria-label={`Halt ${name}`}
          onClick={() => askSwitch('halted', row)}
        >
          Halt…
        </button>
      )}
      {row.state !== 'reducing' && (
        <button
          type="button"
          aria-label={`Reduce ${name}`}
          onClick={() => askSwitch('reducing', row)}
        >
          Reduce…
        </button>
      )}
      {row.state !== 'active' && (
        <button
          type="button"
          aria-label={`Activate ${name}`}
          onClick={() => askSwitch('active', row)}
        >
          Activate…
        </button>
      )}
    </span>
  );
}

/** Halts what has no switch yet. */
function HaltForm() {
  const accounts = access.value.kind === 'open' ? access.value.hello.accounts : [];
  const scope = chosen.value;
  const of = scope === 'account' && named.value === '' ? (accounts[0]?.id ?? '') : named.value;
  return (
    <form
      class="choose"
      onSubmit={(event) => {
        event.preventDefault();
        if (of.trim() !== '') askSwitch('halted', { scope, of: of.trim() });
      }}
    >
      <select
        aria-label="What to halt"
        value={scope}
        onChange={(event) => {
          chosen.value = event.currentTarget.value as SwitchTarget['scope'];
          named.value = '';
        }}
      >
        {SCOPES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <input
        aria-label={`Which ${scope}`}
        list="own-accounts"
        value={of}
        onInput={(event) => {
          named.value = limitedText(event.currentTarget, 64);
        }}
      />
      <datalist id="own-accounts">
        {scope === 'account' &&
          accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </datalist>
      <button type="submit" class="halt" disabled={of.trim() === ''}>
        Halt this {scope}…
      </button>
    </form>
  );
}
