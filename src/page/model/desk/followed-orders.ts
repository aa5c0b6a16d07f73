// Open orders and fills of every account of the key: read once a subscription has begun, then kept by what is published. An
// older record never replaces a newer one.
import type { MethodResults } from '../../../gateway/client/client.ts';
import { type ChannelListener, followChannel } from '../../link/channel-socket.ts';
import { access, callMethod } from '../../link/page-session.ts';
import { painted } from './painted.ts';

type Known<T> = T & { readonly account: string };
export type OwnOrder = Known<MethodResults['private/get_open_orders'][number]>;
export type OwnFill = Known<MethodResults['private/get_user_trades_by_currency']['trades'][number]>;

const FILLS_SHOWN = 50;
const RETRY_MS = 2_000;
/** States in which an order may still trade. */
const WORKING: ReadonlySet<string> = new Set(['open', 'untriggered']);

const orders = new Map<string, OwnOrder>();
const fills = new Map<string, OwnFill>();

const latestOrders = painted((): readonly OwnOrder[] => [...orders.values()]);
const latestFills = painted((): readonly OwnFill[] => newest(fills));

/** Every order that was heard of since the page was opened, and every open one. */
export const knownOrders = latestOrders.shown;
/** The newest first. */
export const ownFills = latestFills.shown;

export const isWorking = ({ orderState }: OwnOrder): boolean => WORKING.has(orderState);

/** Of the accounts of the key; those without an exchange refuse what is asked of them. */
export const accounts = (): readonly string[] =>
  access.value.kind === 'open' ? access.value.hello.accounts.map(({ id }) => id) : [];

/** Follows them until the returned function is called. */
export function followOwnOrders(): () => void {
  const leaves = accounts().flatMap((account) => [
    followChannel({ channel: 'user.orders.any.any.raw', account }, orderListener(account)),
    followChannel({ channel: 'user.trades.any.any.100ms', account }, fillListener(account)),
  ]);
  return () => {
    for (const leave of leaves) leave();
  };
}

const orderListener = (account: string): ChannelListener => ({
  hear: (data) => keepOrder({ ...(data as OwnOrder), account }),
  begin: () => void readOrders(account),
});

const fillListener = (account: string): ChannelListener => ({
  hear: (data) => {
    for (const fill of data as readonly OwnFill[]) keepFill({ ...fill, account });
  },
  begin: () => void readFills(account),
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
  if (answer.kind === 'unknown') return void setTimeout(() => void readOrders(account), RETRY_MS);
  if (answer.kind === 'refused') return;
  const open = new Set(answer.value.map(({ orderId }) => orderId));
  for (const order of answer.value) keepOrder({ ...order, account });
  for (const order of [...orders.values()]) {
    if (order.account !== account || !isWorking(order) || open.has(order.orderId)) continue;
    await readOrder(account, order.orderId);
  }
}

export async function readOrder(account: string, orderId: string): Promise<void> {
  const answer = await callMethod('private/get_order_state', { accountId: account, orderId });
  if (answer.kind === 'done') keepOrder({ ...answer.value, account });
}

async function readFills(account: string): Promise<void> {
  const params = { accountId: account, currency: 'any', count: FILLS_SHOWN };
  const answer = await callMethod('private/get_user_trades_by_currency', params);
  if (answer.kind === 'unknown') return void setTimeout(() => void readFills(account), RETRY_MS);
  if (answer.kind === 'done')
    for (const fill of answer.value.trades) keepFill({ ...fill, account });
}

function newest(known: ReadonlyMap<string, OwnFill>): readonly OwnFill[] {
  return [...known.values()]
    .sort((a, b) => b.timestamp - a.timestamp || b.tradeSeq - a.tradeSeq)
    .slice(0, FILLS_SHOWN);
}
