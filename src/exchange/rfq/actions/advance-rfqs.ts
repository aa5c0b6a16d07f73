// Applies what is due by the clock: the ends of grace periods, of quotes with their own expiry, and of RFQs.
// They are applied in chronological order and as of their due instants, however late the exchange processes
// them.
import type { Instant } from '../../../values/instant.ts';
import { assertProgress } from '../../../values/progress.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Rfq } from '../rfq.ts';
import { endQuote, endRfq } from '../rfq-end.ts';

export function advanceRfqs(state: ExchangeState): void {
  const { rfqs } = state;
  for (;;) {
    const at = rfqs.dueAt();
    if (at === undefined || at > state.now) return;
    for (const rfq of rfqs.live()) advance(state, rfq, at);
    const next = rfqs.dueAt();
    assertProgress(next === undefined || next > at, `the Block RFQ expiries due at ${at}`);
  }
}

function advance(state: ExchangeState, rfq: Rfq, at: Instant): void {
  for (const quote of state.rfqs.openQuotes(rfq.number)) {
    if (quote.expiresAt !== undefined && quote.expiresAt <= at) {
      endQuote(state, quote, { status: 'expired', reason: 'quote_expired', at });
    }
  }
  if (rfq.expiresAt <= at) endRfq(state, rfq, { status: 'expired', at });
  else if (rfq.status === 'created' && rfq.opensAt <= at) {
    state.rfqs.change({ ...rfq, status: 'open', updatedAt: at });
  }
}
