// Converts requests about Block RFQs to params of the venue's methods.

import type {
  NewQuote,
  NewRfq,
  QuoteChange,
  QuoteName,
  RfqAccept,
} from '../../../ports/block-rfq.ts';
import { text } from '../../../values/amounts.ts';
import type {
  PricedRfqLeg,
  RfqHedge,
  RfqLeg,
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import type { Params } from '../outcome.ts';

const hedgeParams = (hedge: RfqHedge | undefined): Params | undefined =>
  hedge && {
    instrumentName: hedge.instrument,
    quantity: text(hedge.quantity),
    side: hedge.side,
    price: text(hedge.price),
  };

const ratioLegParams = ({ instrument, ratio, side }: RfqLeg): Params => ({
  instrumentName: instrument,
  ratio: text(ratio),
  side,
});

const pricedLegParams = (leg: PricedRfqLeg): Params => ({
  ...ratioLegParams(leg),
  price: text(leg.price),
});

const allocationParams = ({ quantity, userId, client }: TradeAllocation): Params => ({
  amount: text(quantity),
  userId,
  clientInfo: client && { clientId: client.clientId, clientLinkId: client.clientLinkId },
});

export const newRfqParams = (rfq: NewRfq): Params => ({
  legs: rfq.legs.map(({ instrument, quantity, side }) => ({
    instrumentName: instrument,
    quantity: text(quantity),
    side,
  })),
  hedge: hedgeParams(rfq.hedge),
  makers: rfq.makers,
  disclosed: rfq.disclosed,
  label: rfq.label || undefined,
  tradeAllocations:
    rfq.allocations.length === 0 ? undefined : rfq.allocations.map(allocationParams),
});

export const acceptParams = (accept: RfqAccept): Params => ({
  blockRfqId: accept.rfqId,
  side: accept.side,
  quantity: text(accept.quantity),
  price: text(accept.price),
  timeInForce: accept.timeInForce,
  legs: accept.legs?.map(ratioLegParams),
  hedge: hedgeParams(accept.hedge),
});

const termsParams = (terms: Omit<QuoteChange, 'of'>): Params => ({
  quantity: text(terms.quantity),
  legs: terms.legs.map(pricedLegParams),
  hedge: hedgeParams(terms.hedge),
  executionInstruction: terms.executionInstruction,
  price: terms.price && text(terms.price),
  expiresAt: terms.expiresAt,
  mmpGroup: terms.mmpGroup || undefined,
});

export const newQuoteParams = (quote: NewQuote): Params => ({
  blockRfqId: quote.rfqId,
  side: quote.side,
  label: quote.label || undefined,
  ...termsParams(quote),
});

export const nameParams = (of: QuoteName): Params =>
  'quoteId' in of ? { quoteId: of.quoteId } : { blockRfqId: of.rfqId, label: of.label };

export const quoteChangeParams = (change: QuoteChange): Params => ({
  ...nameParams(change.of),
  ...termsParams(change),
});
