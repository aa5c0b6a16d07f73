// Refusals of Block RFQ requests: the venue's error codes and names (published code table, 2026), each with
// the invalid parameter and what is accepted. 13908 is a choice of ours: the table lists 13907 twice.
import type { Refusal } from '../model/refusal.ts';

const refuse =
  (code: number, message: string) =>
  (param: string, reason: string): Refusal => ({
    kind: 'refused',
    code,
    message,
    data: { param, reason },
  });

export const invalid = refuse(-32602, 'Invalid params');
export const qtyTooLow = refuse(10002, 'qty_too_low');
export const priceTooLow = refuse(10005, 'price_too_low');
export const priceTooHigh = refuse(10007, 'price_too_high');
export const notEnoughFunds = refuse(10009, 'not_enough_funds');
export const alreadyClosed = refuse(10010, 'already_closed');
export const priceNotAllowed = refuse(10011, 'price_not_allowed');
export const bookClosed = refuse(10012, 'book_closed');
export const unknownInstrument = refuse(10020, 'invalid_or_unsupported_instrument');
export const invalidAmount = refuse(10021, 'invalid_amount');
export const invalidPrice = refuse(10023, 'invalid_price');
export const wrongTick = refuse(10043, 'price_wrong_tick');
export const otherReject = refuse(11030, 'other_reject');
export const notOnRouted = refuse(11060, 'not_supported_for_coinbase_routed_spot');
export const unsupported = refuse(11047, 'unsupported_arg_combination');
export const notFound = refuse(13020, 'not_found');
export const forbidden = refuse(13021, 'forbidden');
export const ambiguousLabel = refuse(13032, 'non_unique_order_label');
export const tooManyQuotes = refuse(13905, 'too_many_quotes_per_block_rfq');
export const tooManyQuotesOfSide = refuse(13906, 'too_many_quotes_per_block_rfq_side');
export const notFullyFilled = refuse(13907, 'not_fully_filled');
export const tooManyOpenRfqs = refuse(13908, 'too_many_open_block_rfqs');
export const quoteCrossed = refuse(13910, 'quote_crossed');
