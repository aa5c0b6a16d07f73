// Order and trade records, and how requests ended, in the words of the venue port.
import { answerClass } from '../../core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { VenueOrder, VenueOrderState, VenueTrade } from '../../core/order/venue-report.ts';
import type { OrderAnswer } from '../../ports/venue.ts';
import type { Outcome } from './outcome.ts';

/** Of a record, with or without its account. */
type Order = Omit<OrderRecord, 'account'>;
type Trade = Omit<TradeRecord, 'account'>;

/** A triggered order is closed without a fill: the order that came of it has an id of its own. */
const stateOf = (state: Order['state']): VenueOrderState =>
  state === 'triggered' ? 'cancelled' : state;

export const venueOrder = (order: Order): VenueOrder => ({
  orderId: order.orderId,
  label: order.label,
  instrument: order.instrument,
  side: order.side,
  state: stateOf(order.state),
  price: (order.originalType ?? order.type) === 'market' ? undefined : order.price,
  quantity: order.quantity,
  filledQuantity: order.filledQuantity,
  cancelReason: order.state === 'triggered' ? 'triggered' : order.cancelReason,
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});

export const venueTrade = (trade: Trade): VenueTrade => ({
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

/** A request that had no result, as an answer. What never left may be tried again. */
export function noResult(outcome: Exclude<Outcome, { readonly kind: 'result' }>): OrderAnswer {
  if (outcome.kind === 'unknown') return outcome;
  if (outcome.kind === 'unsent') return notSent(outcome.reason);
  const { code, message, details } = outcome;
  return refusal(code, details === undefined ? message : refusalText(message, details));
}

export const notSent = (why: string): OrderAnswer => ({
  kind: 'refused',
  code: 0,
  message: `not sent: ${why}`,
  class: 'later',
});

/** A refusal by its code; codes that do not prove that nothing happened are unknown outcomes. */
export function refusal(code: number, message: string): OrderAnswer {
  const known = answerClass(code);
  return known === 'unknown'
    ? { kind: 'unknown', reason: `${code} ${message}` }
    : { kind: 'refused', code, message, class: known };
}

const refusalText = (
  message: string,
  { param, reason }: { readonly param: string; readonly reason: string },
): string => `${message}: ${param} ${reason}`;
