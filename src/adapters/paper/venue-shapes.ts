// The exchange's orders, trades and answers in the words of the venue port.
import { answerClass } from '../../core/order/answer-class.ts';
import type { VenueOrder, VenueOrderState, VenueTrade } from '../../core/order/venue-report.ts';
import type { ExchangeAnswer } from '../../exchange/command.ts';
import type { ExchangePosition } from '../../exchange/event.ts';
import type { ExchangeOrder, ExchangeTrade, OrderState } from '../../exchange/order.ts';
import type { OrderAnswer, Position } from '../../ports/venue.ts';
import { unreachable } from '../../values/assert.ts';

/** A triggered order is closed without a fill: the order that came of it has an id of its own. */
const stateOf = (state: OrderState): VenueOrderState =>
  state === 'triggered' ? 'cancelled' : state;

export const venueOrder = (order: ExchangeOrder): VenueOrder => ({
  orderId: order.orderId,
  label: order.label,
  instrument: order.instrument,
  side: order.side,
  state: stateOf(order.state),
  price: order.originalType === 'market' ? undefined : order.price,
  quantity: order.quantity,
  filledQuantity: order.filledQuantity,
  cancelReason: order.state === 'triggered' ? 'triggered' : order.cancelReason,
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});

export const venueTrade = (trade: ExchangeTrade): VenueTrade => ({
  tradeId: trade.tradeId,
  orderId: trade.orderId,
  label: trade.label,
  instrument: trade.instrument,
  side: trade.side,
  price: trade.price,
  quantity: trade.quantity,
  fee: trade.fee,
  feeCurrency: trade.feeCurrency,
  liquidity: trade.liquidity,
  indexPrice: trade.indexPrice,
  markPrice: trade.markPrice,
  at: trade.at,
});

export const venuePosition = (position: ExchangePosition): Position => ({
  instrument: position.instrument,
  quantity: position.quantity,
  averagePrice: position.averagePrice,
});

/** The answer to a command that concerns one order. */
export function orderAnswer(answer: ExchangeAnswer): OrderAnswer {
  switch (answer.kind) {
    case 'order':
      return {
        kind: 'accepted',
        order: venueOrder(answer.order),
        trades: answer.trades.map(venueTrade),
      };
    case 'refused':
      return refusal(answer.code, refusalText(answer));
    case 'count':
    case 'done':
      return unreachable(answer as never);
  }
}

function refusalText(answer: Extract<ExchangeAnswer, { kind: 'refused' }>): string {
  const { message, data } = answer;
  return data === undefined ? message : `${message}: ${data.param} ${data.reason}`;
}

/** A refusal by its code; codes that do not prove that nothing happened are unknown outcomes. */
export function refusal(code: number, message: string): OrderAnswer {
  const known = answerClass(code);
  return known === 'unknown'
    ? { kind: 'unknown', reason: `${code} ${message}` }
    : { kind: 'refused', code, message, class: known };
}
