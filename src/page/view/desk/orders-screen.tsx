// One instrument with its book, own orders in it and last trades; the form of an order; and the open orders and fills of every
// account.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { grouped } from '../../../values/text/written-figures.ts';
import { areChannelsLive } from '../../link/channel-socket.ts';
import {
  fillsShown,
  followOwnOrders,
  isWorking,
  knownOrders,
  type OwnFill,
  type OwnOrder,
  workingOrders,
} from '../../model/desk/followed-orders.ts';
import { positions } from '../../model/desk/held-positions.ts';
import {
  followLadder,
  instrumentName,
  ladder,
  ladderAddress,
  names,
} from '../../model/desk/ladder.ts';
import { askCancel, askCancelAll, stateWord } from '../../model/desk/order-actions.ts';
import { NOT_KNOWN } from '../../model/formatting.ts';
import type { Ticker } from '../../model/instruments/option-chain.ts';
import { useReadings } from '../../model/operations/reading.ts';
import { current } from '../../model/panel-state.ts';
import { tradingAccounts } from '../../model/trading-accounts.ts';
import { SideWord } from '../bars.tsx';
import { mayTrade } from '../operations/session-rights.ts';
import { type Column, Sheet, Time } from '../operations/sheet.tsx';
import { EditDialog, editing } from './edit-dialog.tsx';
import { LadderTable } from './ladder-table.tsx';
import { OrderForm } from './order-form.tsx';

const HELD = [positions];
const LISTED = [names];
const LISTED_EVERY_MS = 60_000;
const ENDED_SHOWN = 10;

const wanted = signal('');

export function OrdersScreen() {
  useReadings(HELD);
  useReadings(LISTED, LISTED_EVERY_MS);
  useEffect(() => followOwnOrders(), []);
  const name = instrumentName.value;
  useEffect(() => followLadder(name), [name]);
  const shown = workingOrders.value;
  const working = shown.kind === 'unread' ? [] : shown.value;
  const ended = knownOrders.value
    .filter((one) => !isWorking(one))
    .sort((a, b) => b.lastUpdatedAt - a.lastUpdatedAt)
    .slice(0, ENDED_SHOWN);
  return (
    <div class="screen desk">
      <h1>Ladder and orders</h1>
      <Choose name={name} />
      <div class="pair">
        <LadderTable name={name} orders={working} />
        {mayTrade() ? (
          <OrderForm name={name} />
        ) : (
          <p>Orders need a session with the scope trade.</p>
        )}
      </div>
      <Sheet
        title="Open orders"
        shown={shown}
        none="No open orders."
        keyOf={({ account, orderId }) => `${account}/${orderId}`}
        columns={mayTrade() ? [...ORDERS, ACTIONS] : ORDERS}
      >
        {mayTrade() && <CancelAll open={working} />}
      </Sheet>
      {ended.length > 0 && (
        <Sheet
          title="Ended since the page was opened"
          shown={current(ended)}
          none=""
          keyOf={({ account, orderId }) => `${account}/${orderId}`}
          columns={ORDERS}
        />
      )}
      <Sheet
        title="Fills"
        shown={fillsShown.value}
        none="No fills in the last 24 hours."
        keyOf={({ account, instrumentName: of, tradeId }) => `${account}/${of}/${tradeId}`}
        columns={FILLS}
      />
      {editing.value !== undefined && <EditDialog order={editing.value} />}
    </div>
  );
}

function Choose({ name }: { readonly name: string }) {
  const listed = names.value.value ?? [];
  const go = (): void => {
    const to = wanted.value.trim().toUpperCase();
    if (to !== '') location.hash = ladderAddress(to);
    wanted.value = '';
  };
  return (
    <form
      class="choose"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <strong>{name}</strong>
      <label>
        Instrument{' '}
        <input
          list="desk-instruments"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      </label>
      <datalist id="desk-instruments">
        {listed.map(({ instrumentName: one }) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit">Show</button>
      <Touch />
    </form>
  );
}

function Touch() {
  const { ticker } = ladder.value;
  return (
    <span class="count">
      {ticker !== undefined &&
        `${lastText(ticker)}, mark ${ticker.markPrice === undefined ? NOT_KNOWN : grouped(ticker.markPrice)}`}
      {!areChannelsLive.value && <span class="bad"> ▲ prices and orders are not live</span>}
    </span>
  );
}

const lastText = ({ lastPrice }: Ticker): string =>
  lastPrice === null ? 'no trade yet' : `last ${grouped(lastPrice)}`;

const ORDERS: readonly Column<OwnOrder>[] = [
  { head: 'Account', cell: ({ account }) => account },
  {
    head: 'Instrument',
    cell: (one) => <a href={ladderAddress(one.instrumentName)}>{one.instrumentName}</a>,
  },
  { head: 'Side', cell: ({ side }) => <SideWord side={side} /> },
  { head: 'State', cell: stateWord },
  { head: 'Size', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
  { head: 'Filled', isNumber: true, cell: ({ filledQuantity }) => grouped(filledQuantity) },
  { head: 'Price', isNumber: true, cell: ({ price }) => grouped(price) },
  {
    head: 'Type',
    cell: ({ orderType, postOnly }) => `${orderType}${postOnly ? ', post only' : ''}`,
  },
  { head: 'Label', cell: ({ label }) => label },
  { head: 'Changed', cell: ({ lastUpdatedAt }) => <Time ms={lastUpdatedAt} /> },
];

const ACTIONS: Column<OwnOrder> = {
  head: 'Act',
  cell: (order) => (
    <span class="acts">
      {order.orderType === 'limit' && (
        <button
          type="button"
          aria-label={`Edit order ${order.orderId}`}
          onClick={() => {
            editing.value = order;
          }}
        >
          Edit…
        </button>
      )}
      <button
        type="button"
        aria-label={`Cancel order ${order.orderId}`}
        onClick={() => askCancel(order)}
      >
        Cancel…
      </button>
    </span>
  ),
};

const FILLS: readonly Column<OwnFill>[] = [
  { head: 'Time', cell: ({ timestamp }) => <Time ms={timestamp} /> },
  { head: 'Account', cell: ({ account }) => account },
  { head: 'Instrument', cell: ({ instrumentName: of }) => of },
  { head: 'Side', cell: ({ side }) => <SideWord side={side} /> },
  { head: 'Size', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
  { head: 'Price', isNumber: true, cell: ({ price }) => grouped(price) },
  { head: 'Fee', isNumber: true, cell: ({ fee, feeCurrency }) => `${fee} ${feeCurrency}` },
  { head: 'Role', cell: ({ liquidity }) => (liquidity === 'M' ? 'maker' : 'taker') },
  { head: 'Order', cell: ({ orderId }) => orderId },
];

function CancelAll({ open }: { readonly open: readonly OwnOrder[] }) {
  return (
    <p class="acts">
      {tradingAccounts().map((account) => (
        <button key={account} type="button" onClick={() => askCancelAll(account, open)}>
          Cancel all of {account}…
        </button>
      ))}
    </p>
  );
}
