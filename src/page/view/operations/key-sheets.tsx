// The keys in force and the open sessions of the page: who may do what, and where from.
import { request } from '../../link/page-session.ts';
import { keys, sessions } from '../../model/operations/readings.ts';
import { openQuestion } from './ask-dialog.tsx';
import { Sheet, Time } from './sheet.tsx';

export function KeySheet() {
  return (
    <Sheet
      title="Keys"
      shown={keys.shown.value}
      none="No key."
      keyOf={({ keyId }) => keyId}
      columns={[
        { head: 'Key', cell: ({ keyId }) => keyId },
        { head: 'Holder', cell: ({ nickname, uid }) => `${nickname} (${uid})` },
        { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
        { head: 'Accounts', cell: ({ accounts }) => accounts.join(', ') },
        {
          head: 'Accepted from',
          cell: ({ isLimitedToAddresses: is }) => (is ? 'some addresses' : 'anywhere'),
        },
        { head: 'Ends', cell: ({ expiresTimestamp: ms }) => <Time ms={ms} /> },
      ]}
    />
  );
}

export function SessionSheet() {
  const end = (id: string): void =>
    openQuestion({
      title: 'End a session',
      effect: 'What it shows is closed within a second. Nothing else is changed.',
      act: 'End it',
      hasReason: false,
      needsCode: false,
      send: () => request('api/page-session-end', { body: { id } }),
      reread: sessions.read,
    });
  return (
    <Sheet
      title="Sessions of the page"
      shown={sessions.shown.value}
      none="No session."
      keyOf={({ id }) => id}
      columns={[
        { head: 'Key', cell: ({ keyId }) => keyId },
        {
          head: 'End',
          cell: ({ id, keyId }) => (
            <button
              type="button"
              aria-label={`End the session of ${keyId}`}
              onClick={() => end(id)}
            >
              End…
            </button>
          ),
        },
        { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
        { head: 'From', cell: ({ address }) => address },
        { head: 'Signed in by a proxy as', cell: ({ person = '' }) => person },
        { head: 'Browser', cell: ({ agent }) => agent },
        { head: 'Opened', cell: ({ openedAt }) => <Time ms={openedAt} /> },
        { head: 'Last used', cell: ({ usedAt }) => <Time ms={usedAt} /> },
      ]}
    />
  );
}
