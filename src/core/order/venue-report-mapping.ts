// Reduces the full record of an order or a trade to what a slice needs: every adapter reports to the engine in these
// terms.
import type { OrderType } from '../../values/order-terms.ts';
import { answerClass } from './answer-class.ts';
import type { VenueOrder, VenueOrderState, VenueTrade } from './venue-report.ts';

/** What a record contains beyond {@link VenueOrder}. */
interface WholeOrder extends Omit<VenueOrder, 'state'> {
  readonly state: VenueOrderState | 'triggered';
  /** The requested type, if it differs from the current one. */
  readonly originalType?: OrderType | undefined;
  readonly type?: OrderType | undefined;
}

/** A triggered order is closed without a fill: the order it created has an id of its own. */
export const venueOrder = (order: WholeOrder): VenueOrder => ({
  orderId: order.orderId,
  label: order.label,
  instrument: order.instrument,
  side: order.side,
  state: order.state === 'triggered' ? 'cancelled' : order.state,
  price: (order.originalType ?? order.type) === 'market' ? undefined : order.price,
  quantity: order.quantity,
  filledQuantity: order.filledQuantity,
  cancelReason: order.state === 'triggered' ? 'triggered' : order.cancelReason,
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});

export const venueTrade = (trade: VenueTrade): VenueTrade => ({
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

type CodeAnswer =
  | { readonly kind: 'unknown'; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      readonly class: Exclude<ReturnType<typeof answerClass>, 'unknown'>;
    };

/** Classifies a refusal by its code; a code that does not prove that nothing happened is an unknown outcome. */
export function answerOfCode(code: number, message: string): CodeAnswer {
  const known = answerClass(code);
  return known === 'unknown'
    ? { kind: 'unknown', reason: `${code} ${message}` }
    : { kind: 'refused', code, message, class: known };
}

/** The text of a refusal, with its details about a parameter. */
export const refusalText = (
  message: string,
  details: { readonly param: string; readonly reason: string } | undefined,
): string => (details === undefined ? message : `${message}: ${details.param} ${details.reason}`);
