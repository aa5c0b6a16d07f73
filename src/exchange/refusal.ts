// The venue's error numbers and names (published code table, 2026), as answers. A limit stands behind
// the name, parameters and reasons in `data`.
import type { RefusedAnswer } from './command.ts';

export type Refusal = RefusedAnswer;

const refuse = (code: number, message: string): Refusal => ({ kind: 'refused', code, message });

export const qtyTooLow = (): Refusal => refuse(10002, 'qty_too_low');
export const orderOverlap = (): Refusal => refuse(10003, 'order_overlap');
export const orderNotFound = (): Refusal => refuse(10004, 'order_not_found');
export const priceTooLow = (limit: string): Refusal => refuse(10005, `price_too_low ${limit}`);
export const priceTooHigh = (limit: string): Refusal => refuse(10007, `price_too_high ${limit}`);
export const notEnoughFunds = (): Refusal => refuse(10009, 'not_enough_funds');
export const priceNotAllowed = (): Refusal => refuse(10011, 'price_not_allowed');
export const lockedByAdmin = (): Refusal => refuse(10019, 'locked_by_admin');
export const invalidOrderId = (): Refusal => refuse(10025, 'invalid_order_id');
export const notOwnerOfOrder = (): Refusal => refuse(10029, 'not_owner_of_order');
export const invalidArgsForInstrument = (): Refusal => refuse(10031, 'invalid_args_for_instrument');
export const triggerPriceTooHigh = (limit: string): Refusal =>
  refuse(10034, `trigger_price_too_high ${limit}`);
export const triggerPriceTooLow = (limit: string): Refusal =>
  refuse(10035, `trigger_price_too_low ${limit}`);
export const notEnoughFundsIn = (currency: string): Refusal =>
  refuse(10039, `not_enough_funds_in_currency ${currency}`);
export const settlementInProgress = (): Refusal => refuse(10041, 'settlement_in_progress');
export const invalidMaxShowAmount = (): Refusal => refuse(10036, 'invalid_max_show_amount');
export const priceWrongTick = (): Refusal => refuse(10043, 'price_wrong_tick');
export const triggerPriceWrongTick = (): Refusal => refuse(10044, 'trigger_price_wrong_tick');
export const alreadyFilled = (): Refusal => refuse(11008, 'already_filled');
export const noPriceToSlideTo = (): Refusal =>
  refuse(11021, 'post_only_price_modification_not_possible');
export const outdatedForVolatility = (): Refusal =>
  refuse(11037, 'outdated_instrument_for_IV_order');
export const otherReject = (reason: string): Refusal => refuse(11030, `other_reject ${reason}`);
export const noMoreTriggers = (limit: number): Refusal =>
  refuse(11035, `no_more_triggers ${limit}`);
export const invalidTriggerPrice = (): Refusal => refuse(11036, 'invalid_trigger_price');
export const noAdvancedForFutures = (): Refusal => refuse(11038, 'no_adv_for_futures');
export const noAdvancedPostOnly = (): Refusal => refuse(11039, 'no_adv_postonly');
export const notAdvancedOrder = (): Refusal => refuse(11041, 'not_adv_order');
export const notOpenOrder = (): Refusal => refuse(11044, 'not_open_order');
export const outdatedInstrument = (): Refusal => refuse(11046, 'outdated_instrument');
export const unsupportedCombination = (): Refusal => refuse(11047, 'unsupported_arg_combination');
export const wrongMaxShowForOption = (): Refusal => refuse(11048, 'wrong_max_show_for_option');
export const postOnlyReject = (): Refusal => refuse(11054, 'post_only_reject');
export const postOnlyNotAllowed = (): Refusal => refuse(11055, 'post_only_not_allowed');
export const unauthorized = (): Refusal => refuse(13009, 'unauthorized');
export const bookClosed = (): Refusal => refuse(13019, 'orderbook_closed');
export const nonUniqueLabel = (): Refusal => refuse(13032, 'non_unique_order_label');
export const noMoreOtoOrders = (): Refusal => refuse(13901, 'no_more_oto_orders');
export const timedOut = (): Refusal => refuse(13888, 'timed_out');

/** What was wrong with which parameter. */
export const invalidParam = (param: string, reason: string): Refusal => ({
  kind: 'refused',
  code: -32602,
  message: 'Invalid params',
  data: { param, reason },
});
