// Block RFQs in snapshots and state hashes. Records are plain data already; only the makers are not stored
// and are set again when the exchange is opened.
import type { ExchangeState } from '../exchange-state.ts';
import type { BlockTrade } from './blocks/block-trade.ts';
import type { RfqQuote } from './maker-quote.ts';
import type { Rfq } from './rfq.ts';
import type { RfqBook, RfqCounters } from './rfq-book.ts';
import type { RfqEvent } from './rfq-event.ts';

/** Absent in snapshots written before there were Block RFQs. */
export interface RfqContent {
  readonly rfqs: readonly Rfq[];
  readonly quotes: readonly RfqQuote[];
  readonly blockTrades: readonly BlockTrade[];
  readonly last: RfqCounters;
}

export const rfqContent = (book: RfqBook): RfqContent => ({
  rfqs: book.all(),
  quotes: book.all().flatMap(({ number }) => book.quotes(number)),
  blockTrades: [...book.trades()],
  last: book.counters,
});

export function restoreRfqs(book: RfqBook, content: RfqContent | undefined): void {
  if (content === undefined) return;
  for (const rfq of content.rfqs) book.put(rfq);
  for (const quote of content.quotes) book.putQuote(quote);
  for (const trade of content.blockTrades) book.putTrade(trade);
  book.resume(content.last);
}

export function applyRfqEvent({ rfqs }: ExchangeState, event: RfqEvent): void {
  switch (event.kind) {
    case 'rfq_changed':
      rfqs.put(event.rfq);
      break;
    case 'rfq_quote_changed':
      rfqs.putQuote(event.quote);
      break;
    case 'block_traded':
      rfqs.putTrade(event.trade);
      break;
  }
}

/** For comparing two exchanges. */
export function rfqLines(book: RfqBook): string[] {
  const { rfqs, quotes, blockTrades, last } = rfqContent(book);
  if (last.rfqs === 0) return [];
  return [...rfqs, ...quotes, ...blockTrades, last].map((record) => `r ${JSON.stringify(record)}`);
}
