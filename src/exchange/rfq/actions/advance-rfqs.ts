// Makes what the clock ends, end: the grace, quotes with a time of their own, RFQs. In the order of their
// instants, and as of these, however late the exchange comes to it.
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
    assertProgress(next === undefined || next > at, `what is due of Block RFQs at ${at}`);
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
