// Who did what last, from the audit trail: newest first, and page by page into the past.
import { signal } from '@preact/signals';
import type { ActionsRecord } from '../../../gateway/client/client.ts';
import { type Answer, request } from '../../link/page-session.ts';
import { actions } from '../../model/operations/readings.ts';
import { current, mapShown } from '../../model/panel-state.ts';
import { PanelFreshness } from '../panel-freshness.tsx';
import { Sheet, Time } from './sheet.tsx';

/** An older page, which stays until one goes back to the newest; absent: the newest is shown. */
const older = signal<ActionsRecord | undefined>(undefined);
const fault = signal('');

async function showBefore(before: string): Promise<void> {
  const query = new URLSearchParams({ before, limit: '20' });
  const answer: Answer<ActionsRecord> = await request(`api/actions?${query}`);
  fault.value = answer.kind === 'done' ? '' : answer.message;
  if (answer.kind === 'done') older.value = answer.value;
}

export function ActionSheet() {
  const newest = actions.shown.value;
  const page = older.value ?? actions.value.value;
  const next = page?.next ?? null;
  // A page of the past does not change.
  const read = older.value === undefined ? newest : current(older.value);
  return (
    <Sheet
      title="Actions"
      shown={mapShown(read, (one) => one.actions)}
      none="Nothing was changed on these accounts."
      keyOf={({ timestamp, keyId, operation, id }) => `${timestamp}/${keyId}/${operation}/${id}`}
      columns={[
        { head: 'When (UTC)', cell: ({ timestamp }) => <Time ms={timestamp} /> },
        { head: 'Who', cell: ({ nickname, uid }) => (nickname === '' ? uid : nickname) },
        { head: 'Key', cell: ({ keyId }) => keyId },
        { head: 'What', cell: ({ operation }) => operation },
        { head: 'Account', cell: ({ accountId }) => (accountId === '' ? 'none' : accountId) },
        {
          head: 'Of',
          cell: ({ instrumentName, id }) => [instrumentName, id].filter(Boolean).join(' '),
        },
        {
          head: 'Outcome',
          cell: ({ outcome }) => <span class={outcome === 'done' ? '' : 'warn'}>{outcome}</span>,
        },
        { head: 'From', cell: ({ address }) => address },
      ]}
    >
      {fault.value !== '' && <PanelFreshness shown={{ kind: 'unread', fault: fault.value }} />}
      <div class="choose">
        {older.value !== undefined && (
          <button
            type="button"
            onClick={() => {
              older.value = undefined;
            }}
          >
            Newest
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => void showBefore(next)}>
            Older
          </button>
        )}
      </div>
    </Sheet>
  );
}
