// Orders and trades that a restored ledger does not know, by account and leg, and what to do about them.
import type { UnaccountedRecord } from '../../../gateway/client/client.ts';
import { grouped } from '../../../values/text/written-figures.ts';
import { unaccounted } from '../../model/operations/readings.ts';
import { mapShown } from '../../model/panel-state.ts';
import { SideWord } from '../bars.tsx';
import { type Column, Sheet, Time } from './sheet.tsx';

type Account = UnaccountedRecord['accounts'][number];
type Row = Account['legs'][number] & Pick<Account, 'accountId'>;

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Account', cell: ({ accountId }) => accountId },
  { head: 'Portfolio', cell: ({ portfolioId }) => portfolioId },
  {
    head: 'In the ledger',
    cell: ({ isInLedger }) => (isInLedger ? 'yes' : <span class="warn">no: it is gone</span>),
  },
  { head: 'Leg', cell: ({ leg }) => (leg === undefined ? 'Block RFQ' : leg + 1) },
  { head: 'Instrument', cell: ({ instrumentName }) => instrumentName },
  { head: 'Side', cell: ({ side }) => <SideWord side={side} /> },
  { head: 'Open', isNumber: true, cell: ({ open, orders }) => `${grouped(open)} in ${orders}` },
  {
    head: 'Filled',
    isNumber: true,
    cell: ({ filled, trades }) => `${grouped(filled)} in ${trades}`,
  },
  { head: 'First trade (UTC)', cell: (row) => <Traded ms={row.firstTimestamp} /> },
  { head: 'Last trade (UTC)', cell: (row) => <Traded ms={row.lastTimestamp} /> },
];

/** Whether there is something to deal with. */
export const hasUnaccounted = (): boolean =>
  unaccounted.value.value !== undefined && rowsOf(unaccounted.value.value).length > 0;

const rowsOf = ({ accounts }: UnaccountedRecord): readonly Row[] =>
  accounts.flatMap(({ accountId, legs }) => legs.map((leg): Row => ({ accountId, ...leg })));

export function UnaccountedSheet() {
  const found = unaccounted.value.value;
  const shown = mapShown(unaccounted.shown.value, rowsOf);
  return (
    <Sheet
      title="Not in the ledger"
      shown={shown}
      none="The latest start found no order and no trade of these accounts that the ledger does not know."
      keyOf={({ accountId, portfolioId, leg, instrumentName, side }) =>
        `${accountId}/${portfolioId}/${leg}/${instrumentName}/${side}`
      }
      columns={COLUMNS}
    >
      {found !== undefined && hasUnaccounted() && <Next found={found} />}
    </Sheet>
  );
}

/** In the order of the runbook. */
function Next({ found }: { readonly found: UnaccountedRecord }) {
  const { orders, accounts } = found;
  const concerned = accounts.filter(({ legs }) => legs.length > 0).map((one) => one.accountId);
  return (
    <>
      <p>
        The ledger is older than these. Their accounts were halted at the start; once these were
        dealt with they stay listed.
      </p>
      <ol>
        <li>
          Portfolios in the ledger that are at work would order again what they have filled: cancel
          them, or lower their quantity.
        </li>
        <li>
          Open orders of portfolios that are gone are{' '}
          {orders === 'leave' ? 'left open' : 'cancelled by the daemon'}; to change that:{' '}
          <code>twapd ledger unaccounted --orders {orders === 'leave' ? 'cancel' : 'leave'}</code>
        </li>
        {concerned.map((account) => (
          <li key={account}>
            Compare account {account} with your books: <code>twapd reconcile -a {account}</code>; to
            accept its positions as they are: <code>twapd audit --agree {account}</code>
          </li>
        ))}
        {concerned.map((account) => (
          <li key={account}>
            Let account {account} trade again:{' '}
            <code>twapd switch activate --account {account} --reason TEXT</code>, or under Switches
          </li>
        ))}
      </ol>
    </>
  );
}

function Traded({ ms }: { readonly ms: string | undefined }) {
  return ms === undefined ? <>–</> : <Time ms={ms} />;
}
