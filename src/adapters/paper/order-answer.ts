// Maps the exchange's positions and answers to the types of the venue port.
import {
  answerOfCode,
  refusalText,
  venueOrder,
  venueTrade,
} from '../../core/order/venue-report-mapping.ts';
import type { OrderReply } from '../../exchange/exchange-command.ts';
import type { ExchangePosition } from '../../exchange/exchange-event.ts';
import type { OrderAnswer, Position } from '../../ports/venue.ts';
import { unreachable } from '../../values/assert.ts';
import { refusedReply } from './desk-shapes.ts';

export const venuePosition = (position: ExchangePosition): Position => ({
  instrument: position.instrument,
  quantity: position.quantity,
  averagePrice: position.averagePrice,
});

/** The reply to a command on one order. */
export function orderAnswer(answer: OrderReply): OrderAnswer {
  switch (answer.kind) {
    case 'order':
      return {
        kind: 'accepted',
        order: venueOrder(answer.order),
        trades: answer.trades.map(venueTrade),
      };
    case 'refused': {
      const { code, message, details } = refusedReply(answer);
      return answerOfCode(code, refusalText(message, details));
    }
    default:
      return unreachable(answer);
  }
}
