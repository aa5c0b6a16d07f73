// Open orders and fills of every account of the key: read once a subscription has begun, then kept by what is published. An
// older record never replaces a newer one.
import { computed } from '@preact/signals';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { type ChannelListener, followChannel } from '../../link/channel-socket.ts';
import { callMethod } from '../../link/page-session.ts';
import { FollowedList } from '../followed-list.ts';
import { tradingAccounts } from '../trading-accounts.ts';
import { painted } from './painted.ts';

type Known<T> = T & { readonly account: string };
export type OwnOrder = Known<MethodResults['private/get_open_orders'][number]>;
export type OwnFill = Known<MethodResults['private/get_user_trades_by_currency']['trades'][number]>;

const FILLS_SHOWN = 50;
/** States in which an order may still trade. */
const WORKING: ReadonlySet<string> = new Set(['open', 'untriggered']);

const orders = new Map<string, OwnOrder>();
const fills = new Map<string, OwnFill>();

const latestOrders = painted((): readonly OwnOrder[] => [...orders.values()]);
const latestFills = painted((): readonly OwnFill[] => newest(fills));

/** Every order that was heard of since the page was opened, and every open one. */
export const knownOrders = latestOrders.shown;

export const isWorking = ({ orderState }: OwnOrder): boolean => WORKING.has(orderState);

const ordersRead = new FollowedList();
const fillsRead = new FollowedList();

export const workingOrders = computed(() =>
  ordersRead.shown(latestOrders.shown.value.filter(isWorking)),
);
export const fillsShown = computed(() => fillsRead.shown(latestFills.shown.value));

/** Follows them until the returned function is called. */
export function followOwnOrders(): () => void {
  const leaves = tradingAccounts().flatMap((account) => [
    followChannel({ channel: 'user.orders.any.any.raw', account }, orderListener(account)),
    followChannel({ channel: 'user.trades.any.any.100ms', account }, fillListener(account)),
  ]);
  return () => {
    for (const leave of leaves) leave();
    ordersRead.left();
    fillsRead.left();
  };
}

const orderListener = (account: string): ChannelListener => ({
  hear: (data) => keepOrder({ ...(data as OwnOrder), account }),
  begin: () => {
    ordersRead.begin(account);
    void readOrders(account);
  },
});

const fillListener = (account: string): ChannelListener => ({
  hear: (data) => {
    for (const fill of data as readonly OwnFill[]) keepFill({ ...fill, account });
  },
  begin: () => {
    fillsRead.begin(account);
    void readFills(account);
  },
});

export function keepOrder(order: OwnOrder): void {
  const before = orders.get(order.orderId);
  if (before !== undefined && before.lastUpdatedAt > order.lastUpdatedAt) return;
  orders.set(order.orderId, order);
  latestOrders.mark();
}

function keepFill(fill: OwnFill): void {
  fills.set(`${fill.account}/${fill.instrumentName}/${fill.tradeId}`, fill);
  latestFills.mark();
}

/** Orders that are no longer open are read one by one, so that what became of them is known. */
async function readOrders(account: string): Promise<void> {
  const answer = await callMethod('private/get_open_orders', { accountId: account });
  if (answer.kind !== 'done') return ordersRead.retry(account, answer, () => readOrders(account));
  const open = new Set(answer.value.map(({ orderId }) => orderId));
  for (const order of answer.value) keepOrder({ ...order, account });
  for (const order of [...orders.values()]) {
    if (order.account !== account || !isWorking(order) || open.has(order.orderId)) continue;
    await readOrder(account, order.orderId);
  }
  ordersRead.read(account);
}

export async function readOrder(account: string, orderId: string): Promise<void> {
  const answer = await callMethod('private/get_order_state', { accountId: account, orderId });
  if (answer.kind === 'done') keepOrder({ ...answer.value, account });
}

async function readFills(account: string): Promise<void> {
  const params = { accountId: account, currency: 'any', count: FILLS_SHOWN };
  const answer = await callMethod('private/get_user_trades_by_currency', params);
  if (answer.kind !== 'done') return fillsRead.retry(account, answer, () => readFills(account));
  for (const fill of answer.value.trades) keepFill({ ...fill, account });
  fillsRead.read(account);
}

function newest(known: ReadonlyMap<string, OwnFill>): readonly OwnFill[] {
  return [...known.values()]
    .sort((a, b) => b.timestamp - a.timestamp || b.tradeSeq - a.tradeSeq)
    .slice(0, FILLS_SHOWN);
}
