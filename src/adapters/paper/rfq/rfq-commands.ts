// Maps Block RFQ requests of the port to commands of the exchange.
import type {
  AcceptRfqCommand,
  CreateRfqCommand,
  EditRfqQuoteCommand,
  QuoteRfqCommand,
} from '../../../exchange/rfq/rfq-command.ts';
import type { NewQuote, NewRfq, QuoteChange, RfqAccept } from '../../../ports/block-rfq.ts';
import type { Instant } from '../../../values/instant.ts';

export const createCommand = (rfq: NewRfq, now: Instant): CreateRfqCommand => ({
  ...rfq,
  kind: 'create_rfq',
  now,
  label: rfq.label ?? '',
});

export const acceptCommand = (accept: RfqAccept, now: Instant): AcceptRfqCommand => ({
  ...accept,
  kind: 'accept_rfq',
  now,
});

export const quoteCommand = (quote: NewQuote, now: Instant): QuoteRfqCommand => ({
  ...quote,
  kind: 'quote_rfq',
  now,
  label: quote.label ?? '',
});

export const editCommand = (change: QuoteChange, now: Instant): EditRfqQuoteCommand => ({
  ...change,
  kind: 'edit_rfq_quote',
  now,
});
