// Params of the Block RFQ methods. Ids of digits are JSON integers; the hedge is an object, as in the published examples,
// although the schema calls it text.
//
// To be measured (docs/deribit.md): an edit of a quote takes `execution_instruction`, which only its example has, and
// `expires_at`, which neither has. Both are sent: an edit must not turn a quote for all into one for any part.

import { refusal } from '../../../core/order/answer-class.ts';
import type {
  NewQuote,
  NewRfq,
  QuoteChange,
  QuoteName,
  RfqAccept,
} from '../../../ports/block-rfq.ts';
import { idJson } from '../../../ports/deribit-wire/json-number.ts';
import type {
  PricedRfqLeg,
  RfqHedge,
  RfqLeg,
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import type { RawNumber } from '../../../values/text/raw-number.ts';
import type { Params } from '../outcome.ts';
import { numberIf, numberOf, tooPrecise } from '../wire/amount-numbers.ts';

export const idIf = (id: string | undefined): RawNumber | string | undefined =>
  id === undefined ? undefined : idJson(id);

const hedgeParams = (hedge: RfqHedge | undefined): Params | undefined =>
  hedge && {
    instrument_name: hedge.instrument,
    amount: numberOf(hedge.quantity),
    direction: hedge.side,
    price: numberOf(hedge.price),
  };

const ratioLegParams = ({ instrument, ratio, side }: RfqLeg): Params => ({
  instrument_name: instrument,
  ratio: numberOf(ratio),
  direction: side,
});

const pricedLegParams = (leg: PricedRfqLeg): Params => ({
  ...ratioLegParams(leg),
  price: numberOf(leg.price),
});

const allocationParams = ({ quantity, userId, client }: TradeAllocation): Params => ({
  amount: numberOf(quantity),
  user_id: userId,
  client_info: client && { client_id: client.clientId, client_link_id: client.clientLinkId },
});

export const newRfqParams = (rfq: NewRfq): Params => ({
  legs: rfq.legs.map(({ instrument, quantity, side }) => ({
    instrument_name: instrument,
    amount: numberOf(quantity),
    direction: side,
  })),
  hedge: hedgeParams(rfq.hedge),
  // Nobody named is everybody.
  makers: rfq.makers.length === 0 ? undefined : rfq.makers,
  disclosed: rfq.disclosed,
  label: rfq.label || undefined,
  trade_allocations:
    rfq.allocations.length === 0 ? undefined : rfq.allocations.map(allocationParams),
});

/** The venue must be given the structure; `structure` is that of the RFQ. */
export const acceptParams = (
  accept: RfqAccept,
  structure: { readonly legs: readonly RfqLeg[]; readonly hedge?: RfqHedge | undefined },
): Params => ({
  block_rfq_id: idJson(accept.rfqId),
  direction: accept.side,
  amount: numberOf(accept.quantity),
  price: numberOf(accept.price),
  time_in_force: accept.timeInForce,
  legs: (accept.legs ?? structure.legs).map(ratioLegParams),
  hedge: hedgeParams(accept.hedge ?? structure.hedge),
});

const termsParams = (terms: Omit<QuoteChange, 'of'>): Params => ({
  amount: numberOf(terms.quantity),
  legs: terms.legs.map(pricedLegParams),
  hedge: hedgeParams(terms.hedge),
  execution_instruction: terms.executionInstruction,
  price: numberIf(terms.price),
  expires_at: terms.expiresAt,
});

export const newQuoteParams = (quote: NewQuote): Params => ({
  block_rfq_id: idJson(quote.rfqId),
  direction: quote.side,
  label: quote.label || undefined,
  ...termsParams(quote),
});

export const quoteNameParams = (of: QuoteName): Params =>
  'quoteId' in of
    ? { block_rfq_quote_id: idJson(of.quoteId) }
    : { block_rfq_id: idJson(of.rfqId), label: of.label };

export const quoteChangeParams = (change: QuoteChange): Params => ({
  ...quoteNameParams(change.of),
  ...termsParams(change),
});

const PRECISION_EXCEEDED = 10026;

interface Sized {
  readonly quantity?: RfqHedge['quantity'];
  readonly price?: RfqHedge['price'] | undefined;
}

/** What the venue could not read as it is meant; nothing is sent then. */
export function unsendableRfq(
  of: Sized & { readonly hedge?: Sized | undefined; readonly legs?: readonly Sized[] | undefined },
) {
  const found =
    tooPrecise({ quantity: of.quantity, price: of.price }) ??
    tooPrecise({ hedge: of.hedge?.quantity }) ??
    tooPrecise({ hedge: of.hedge?.price }) ??
    of.legs
      ?.map(({ quantity, price }) => tooPrecise({ legs: quantity }) ?? tooPrecise({ legs: price }))
      .find((one) => one !== undefined);
  return found && refusal(PRECISION_EXCEEDED, found);
}
