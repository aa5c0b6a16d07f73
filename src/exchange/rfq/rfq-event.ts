// Block RFQ events: records in their new state, so that applying an event twice changes nothing. The trades,
// positions and balances of a block are separate events that precede them.
import type { Instant } from '../../values/instant.ts';
import type { BlockTrade } from './blocks/block-trade.ts';
import type { RfqQuote } from './maker-quote.ts';
import type { Rfq } from './rfq.ts';

export interface RfqChanged {
  readonly kind: 'rfq_changed';
  readonly at: Instant;
  readonly rfq: Rfq;
}

export interface RfqQuoteChanged {
  readonly kind: 'rfq_quote_changed';
  readonly at: Instant;
  readonly quote: RfqQuote;
}

export interface BlockTraded {
  readonly kind: 'block_traded';
  readonly at: Instant;
  readonly trade: BlockTrade;
}

export type RfqEvent = RfqChanged | RfqQuoteChanged | BlockTraded;
