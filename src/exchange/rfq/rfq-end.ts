// Ends quotes and RFQs: when an RFQ ends, all its quotes and waiting accepts end too.
import type { Instant } from '../../values/instant.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { QuoteEndReason, RfqQuote, RfqQuoteStatus } from './maker-quote.ts';
import type { Rfq, RfqClosedReason, RfqStatus, RfqTrigger } from './rfq.ts';
import { countsForRating } from './taker-rating.ts';

interface QuoteEnd {
  readonly status: Exclude<RfqQuoteStatus, 'open'>;
  readonly reason: QuoteEndReason;
  readonly at: Instant;
}

export function endQuote(state: ExchangeState, quote: RfqQuote, end: QuoteEnd): void {
  const { status, reason, at: updatedAt } = end;
  state.rfqs.changeQuote({ ...quote, status, reason, updatedAt });
}

type Ended = Exclude<RfqStatus, 'created' | 'open'>;

const REASONS: Readonly<Record<Ended, readonly [RfqClosedReason, QuoteEndReason]>> = {
  filled: ['filled', 'rfq_filled'],
  cancelled: ['taker_cancelled', 'rfq_cancelled'],
  expired: ['expired', 'rfq_expired'],
  failed: ['execution_failed', 'rfq_failed'],
};

/** `change` holds the fields that the end adds to the record. */
export function endRfq(
  state: ExchangeState,
  rfq: Rfq,
  end: { readonly status: Ended; readonly at: Instant; readonly change?: Partial<Rfq> },
): void {
  const { status, at } = end;
  const [closedReason, reason] = REASONS[status];
  for (const quote of state.rfqs.openQuotes(rfq.number)) {
    endQuote(state, quote, { status: 'cancelled', reason, at });
  }
  const triggers = rfq.triggers.map((trigger) => cancelled(trigger, reason));
  const isRated = countsForRating(rfq, at);
  state.rfqs.change({
    ...rfq,
    triggers,
    ...end.change,
    status,
    closedReason,
    isRated,
    updatedAt: at,
  });
}

export const cancelled = (trigger: RfqTrigger, cancelReason: string): RfqTrigger =>
  trigger.state === 'untriggered' ? { ...trigger, state: 'cancelled', cancelReason } : trigger;
