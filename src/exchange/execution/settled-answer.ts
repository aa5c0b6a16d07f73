// The answer to a command that concerns one order, as the consequences of the command left it: an order is answered in a state
// that its events have too.
import type { ExchangeAnswer } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import type { OutboxMark } from '../model/outbox.ts';
import type { ReleasedOrder } from '../model/speed-bumps.ts';
import type { ExchangeTrade } from '../order.ts';

/** `mark`: of the moment at which the answer was given. */
export function settledAnswer(
  state: ExchangeState,
  answer: ExchangeAnswer,
  mark: OutboxMark,
): ExchangeAnswer {
  if (answer.kind !== 'order' || !state.outbox.hasTouchedOrders(mark)) return answer;
  const order = state.orders.byId(answer.order.orderId);
  if (order === undefined) return answer;
  return { kind: 'order', ...settledOrder(state, { order, trades: answer.trades }, mark) };
}

interface Worked {
  readonly order: LiveOrder;
  /** Its own, up to the mark. */
  readonly trades: readonly ExchangeTrade[];
}

export function settledOrder(
  { outbox }: ExchangeState,
  { order, trades }: Worked,
  mark: OutboxMark,
): ReleasedOrder {
  return { order: viewOf(order), trades: [...trades, ...outbox.tradesOf(order.orderId, mark)] };
}
