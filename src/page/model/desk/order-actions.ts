// Placing, editing and cancelling orders: the actions with what they will do, and what the records say of them afterwards.
import { callMethod } from '../../link/page-session.ts';
import { exactSum, isGreater } from '../exact-sum.ts';
import { isWorking, knownOrders, type OwnOrder } from './followed-orders.ts';
import { type Market, orderEffects, orderText, type RequestedOrder } from './order-effect.ts';
import { openAction } from './sending.ts';

interface Placed {
  readonly order: Omit<OwnOrder, 'account'>;
}

export function askOrder(wish: RequestedOrder, market: Market): void {
  const { account, side, price, postOnly, reduceOnly, instrumentName, quantity } = wish;
  const text = orderText(wish, market.listed?.quantityUnit);
  openAction({
    title: text,
    effects: orderEffects(wish, market),
    further: () => marginEffects(wish, market),
    act: text,
    send: ({ key, headers }) =>
      callMethod(
        side === 'buy' ? 'private/buy' : 'private/sell',
        {
          accountId: account,
          instrumentName,
          quantity,
          idempotencyKey: key,
          ...(price === undefined ? { type: 'market' } : { type: 'limit', price }),
          ...(postOnly && { postOnly }),
          ...(reduceOnly && { reduceOnly }),
        },
        headers,
      ),
    outcome: (value) => stateOf((value as Placed).order.orderId),
  });
}

export function askEdit(
  order: OwnOrder,
  next: { readonly quantity: string; readonly price: string },
): void {
  openAction({
    title: `Edit order ${order.orderId}`,
    effects: [
      `${order.instrumentName}, account ${order.account}: ${order.side} ${order.quantity} at ${order.price}.`,
      `It becomes ${next.quantity} at ${next.price}; ${order.filledQuantity} of it is filled.`,
      'A larger size or another price loses its place in the queue of its price.',
    ],
    act: 'Edit now',
    send: ({ headers }) =>
      callMethod(
        'private/edit',
        { accountId: order.account, orderId: order.orderId, ...next },
        headers,
      ),
    outcome: (value) => {
      const { quantity, price } = (value as Placed).order;
      const known = knownOrders.value.find(({ orderId }) => orderId === order.orderId);
      if (known === undefined) return undefined;
      const isSame = known.quantity === quantity && known.price === price;
      return isSame || !isWorking(known) ? stateOf(order.orderId) : undefined;
    },
  });
}

export function askCancel(order: OwnOrder): void {
  openAction({
    title: `Cancel order ${order.orderId}`,
    act: 'Cancel it now',
    isStop: true,
    effects: [
      `${order.instrumentName}, account ${order.account}: ${order.side} ${order.quantity} at ${order.price}, ${order.filledQuantity} filled.`,
      'The unfilled quantity is cancelled. If the order belongs to a portfolio, the portfolio may place another.',
    ],
    send: () => callMethod('private/cancel', { accountId: order.account, orderId: order.orderId }),
    outcome: () => stateOf(order.orderId, true),
  });
}

export function askCancelAll(account: string, open: readonly OwnOrder[]): void {
  const own = open.filter((one) => one.account === account);
  openAction({
    title: `Cancel every order of ${account}`,
    act: 'Cancel all now',
    isStop: true,
    effects: [
      `Takes back every open order of account ${account}: ${own.length} are known to this page, those of portfolios among them.`,
      'Portfolios go on and may place others. To stop them, pause or halt.',
    ],
    send: () => callMethod('private/cancel_all', { accountId: account }),
    outcome: (value) => {
      const left = own.filter(({ orderId }) =>
        knownOrders.value.some((one) => one.orderId === orderId && isWorking(one)),
      );
      return left.length === 0 ? `${String(value)} orders were cancelled.` : undefined;
    },
  });
}

const WORDS: Readonly<Record<string, string>> = {
  open: 'Open',
  untriggered: 'Waiting for its trigger',
  triggered: 'Triggered',
  filled: 'Filled',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};

export const stateWord = ({ orderState }: OwnOrder): string => WORDS[orderState] ?? orderState;

/** In words; `undefined` while nothing was published of it. */
function stateOf(orderId: string, mustEnd = false): string | undefined {
  const order = knownOrders.value.find((one) => one.orderId === orderId);
  if (order === undefined || (mustEnd && isWorking(order))) return undefined;
  const { quantity, filledQuantity, averagePrice, cancelReason, price } = order;
  const filled = `${filledQuantity} of ${quantity} filled`;
  const at = Number(filledQuantity) > 0 ? ` at ${averagePrice} on average` : '';
  const why = cancelReason === undefined ? '' : `: ${cancelReason}`;
  const resting = isWorking(order) ? ` at ${price}` : '';
  return `${stateWord(order)}${resting}${why}. Order ${orderId}, ${filled}${at}.`;
}

// What an order would do to the margin of its account, in a sentence, by what the daemon says of both.

/** Of the order by itself: one that reduces a position needs less, so that it is said as the most. */
async function marginEffects(
  { account, side, quantity, price, instrumentName }: RequestedOrder,
  { book, ticker }: Market,
): Promise<readonly string[]> {
  const touch = (side === 'buy' ? book?.asks : book?.bids)?.[0]?.[0];
  const at = price ?? touch ?? ticker?.markPrice;
  if (at === undefined) return ['Its margin is not known: there is no price to go by.'];
  const accountId = account;
  const needs = await callMethod('private/get_margins', {
    accountId,
    instrumentName,
    quantity,
    price: at,
  });
  if (needs.kind !== 'done') return [`Its margin is not known: ${needs.message}.`];
  const { margin, currency } = needs.value[side];
  const held = await callMethod('private/get_account_summary', { accountId, currency });
  if (held.kind !== 'done') return [`It needs at most ${margin} ${currency} of margin.`];
  const { initialMargin, availableFunds } = held.value;
  const after = exactSum(initialMargin, margin) ?? '(not known)';
  const sentences = [
    `Initial margin of ${account} in ${currency}: ${initialMargin} now, at most ${after} with this order; ${availableFunds} is available.`,
  ];
  return isGreater(margin, availableFunds)
    ? [...sentences, 'That is more than is available: it is refused unless it reduces a position.']
    : sentences;
}
