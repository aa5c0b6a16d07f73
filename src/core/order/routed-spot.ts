// Which orders a routed spot pair takes, by Deribit's page of August 2026: the pair is matched on another exchange, which has
// fewer kinds of orders. Refused here with the venue's codes, before anything is sent.
import type { OrderType, TimeInForce, TriggerSource } from '../../values/order-terms.ts';

export interface RoutedOrder {
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly trigger?: TriggerSource | undefined;
  readonly displayQuantity?: unknown;
  readonly link?: unknown;
}

export interface RoutedFault {
  readonly code: number;
  readonly param: string;
  readonly reason: string;
}

const INVALID_PARAMS = -32602;
const POST_ONLY_NOT_ALLOWED = 11055;
const ICEBERG_NOT_ALLOWED = 11059;
const NOT_SUPPORTED = 11060;
const NO_LINKED_ORDERS = 13922;

const TYPES: ReadonlySet<OrderType> = new Set(['limit', 'market', 'stop_limit']);
const WHERE = 'on a pair that is matched on another exchange';

/** The first thing about the order that a routed pair does not take. */
export function routedFault(order: RoutedOrder): RoutedFault | undefined {
  const { type, timeInForce, postOnly, rejectPostOnly, trigger } = order;
  const fault = (code: number, param: string, what: string, accepted: string): RoutedFault => ({
    code,
    param,
    reason: `${what} is not supported ${WHERE}; accepted: ${accepted}`,
  });
  if (timeInForce === 'good_til_day') {
    return fault(INVALID_PARAMS, 'timeInForce', timeInForce, 'good_til_cancelled');
  }
  if (order.link !== undefined) {
    return fault(NO_LINKED_ORDERS, 'linkedOrderType', 'a linked order', 'leave it out');
  }
  if (order.displayQuantity !== undefined) {
    return fault(ICEBERG_NOT_ALLOWED, 'displayAmount', 'an iceberg', 'leave it out');
  }
  if (!TYPES.has(type)) return fault(NOT_SUPPORTED, 'type', type, [...TYPES].join(', '));
  if (trigger !== undefined && trigger !== 'last_price') {
    return fault(NOT_SUPPORTED, 'trigger', trigger, 'last_price');
  }
  return postOnly && !rejectPostOnly
    ? fault(POST_ONLY_NOT_ALLOWED, 'postOnly', 'repricing', 'postOnly with rejectPostOnly true')
    : undefined;
}
