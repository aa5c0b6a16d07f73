// Refusals with the venue's error codes and names (published code table, 2026). A limit follows the name;
// `data` names the invalid parameter, what is wrong with it and what is accepted.
import type { RoutedFault } from '../../values/order-terms.ts';
import type { RefusedAnswer } from '../exchange-command.ts';

export type Refusal = RefusedAnswer;

const refuse = (code: number, message: string, param: string, reason: string): Refusal => ({
  kind: 'refused',
  code,
  message,
  data: { param, reason },
});

export const qtyTooLow = (hint: string): Refusal =>
  refuse(10002, 'qty_too_low', 'amount', `is below the smallest amount; ${hint}`);
export const orderOverlap = (): Refusal =>
  refuse(
    10003,
    'order_overlap',
    'price',
    'would trade with an open order of the same account; accepted: a price that does not meet it',
  );
export const orderNotFound = (param: 'order_id' | 'label'): Refusal =>
  refuse(
    10004,
    'order_not_found',
    param,
    param === 'order_id'
      ? 'no order of this account has it; accepted: an id that an earlier answer gave'
      : 'no open order of the instrument has it; accepted: the label of an open order',
  );
export const priceTooLow = (limit: string): Refusal =>
  refuse(10005, `price_too_low ${limit}`, 'price', `is too low; accepted: at least ${limit}`);
export const priceTooHigh = (limit: string): Refusal =>
  refuse(10007, `price_too_high ${limit}`, 'price', `is too high; accepted: at most ${limit}`);
export const notEnoughFunds = (): Refusal =>
  refuse(
    10009,
    'not_enough_funds',
    'amount',
    'takes more margin than is available; accepted: a smaller amount, or after a deposit',
  );
export const priceNotAllowed = (reason: string): Refusal =>
  refuse(10011, 'price_not_allowed', 'price', reason);
export const lockedByAdmin = (): Refusal =>
  refuse(
    10019,
    'locked_by_admin',
    'instrument_name',
    'its book is locked; accepted: cancels, and orders after it is open again',
  );
export const invalidOrderId = (): Refusal =>
  refuse(10025, 'invalid_order_id', 'order_id', 'is empty; accepted: an id an earlier answer gave');
export const notOwnerOfOrder = (): Refusal =>
  refuse(
    10029,
    'not_owner_of_order',
    'order_id',
    'is an order of another account; accepted: an order of this account',
  );
export const invalidArgsForInstrument = (param: string, reason: string): Refusal =>
  refuse(10031, 'invalid_args_for_instrument', param, reason);
export const triggerPriceTooHigh = (limit: string): Refusal =>
  refuse(
    10034,
    `trigger_price_too_high ${limit}`,
    'trigger_price',
    `is too high; accepted: below ${limit}`,
  );
export const triggerPriceTooLow = (limit: string): Refusal =>
  refuse(
    10035,
    `trigger_price_too_low ${limit}`,
    'trigger_price',
    `is too low; accepted: at least ${limit}`,
  );
export const invalidMaxShowAmount = (reason: string): Refusal =>
  refuse(10036, 'invalid_max_show_amount', 'display_amount', reason);
export const notEnoughFundsIn = (currency: string): Refusal =>
  refuse(
    10039,
    `not_enough_funds_in_currency ${currency}`,
    'amount',
    `takes more ${currency} than is available; accepted: a smaller amount, or after a deposit`,
  );
/** The order is under way to the exchange that matches the pair. */
export const notConfirmed = (): Refusal =>
  refuse(10040, 'retry', 'order_id', 'is not confirmed yet; accepted: the same edit in a moment');
export const settlementInProgress = (): Refusal =>
  refuse(
    10041,
    'settlement_in_progress',
    'instrument_name',
    'is being settled; accepted: the same request in a few seconds',
  );
export const priceWrongTick = (hint: string): Refusal =>
  refuse(10043, 'price_wrong_tick', 'price', `is not a multiple of the tick; ${hint}`);
export const triggerPriceWrongTick = (hint: string): Refusal =>
  refuse(10044, 'trigger_price_wrong_tick', 'trigger_price', `is not on its grid; ${hint}`);
export const alreadyFilled = (filled: string): Refusal =>
  refuse(
    11008,
    'already_filled',
    'amount',
    `is not more than what is filled or placed already; accepted: a total above ${filled}`,
  );
export const noPriceToSlideTo = (): Refusal =>
  refuse(
    11021,
    'post_only_price_modification_not_possible',
    'post_only',
    'there is no price below the best offer to move to; accepted: postOnly false',
  );
export const otherReject = (name: string, param: string, reason: string): Refusal =>
  refuse(11030, `other_reject ${name}`, param, reason);
export const noMoreTriggers = (limit: number): Refusal =>
  refuse(
    11035,
    `no_more_triggers ${limit}`,
    'type',
    `the account may have at most ${limit} trigger orders; accepted: after one is cancelled`,
  );
export const invalidTriggerPrice = (param: string, reason: string): Refusal =>
  refuse(11036, 'invalid_trigger_price', param, reason);
export const outdatedForVolatility = (): Refusal =>
  refuse(
    11037,
    'outdated_instrument_for_IV_order',
    'instrument_name',
    'has expired; accepted: a listed option',
  );
export const noAdvancedForFutures = (): Refusal =>
  refuse(11038, 'no_adv_for_futures', 'advanced', 'is for options only; accepted: leave it out');
export const noAdvancedPostOnly = (): Refusal =>
  refuse(11039, 'no_adv_postonly', 'post_only', 'does not go with advanced; accepted: false');
export const notAdvancedOrder = (): Refusal =>
  refuse(
    11041,
    'not_adv_order',
    'advanced',
    'the order is not priced in usd or implv; accepted: leave it out, or enter a new order',
  );
export const notOpenOrder = (state: string): Refusal =>
  refuse(
    11044,
    'not_open_order',
    'order_id',
    `is an order that is ${state}; accepted: an order that is open or waits for its trigger`,
  );
export const outdatedInstrument = (): Refusal =>
  refuse(
    11046,
    'outdated_instrument',
    'instrument_name',
    'expires within 15 minutes; accepted with advanced: an option that expires later',
  );
export const unsupportedCombination = (param: string, reason: string): Refusal =>
  refuse(11047, 'unsupported_arg_combination', param, reason);
export const wrongMaxShowForOption = (): Refusal =>
  refuse(
    11048,
    'wrong_max_show_for_option',
    'display_amount',
    'options have no icebergs; accepted: leave it out',
  );
/** With the refusal of an edit the order itself ends. */
export const postOnlyReject = (limit: string, isEdit = false): Refusal => {
  const outcome = isEdit
    ? ', and the order is cancelled (edit_post_only_reject); accepted: a new order at a price that rests, or an edit with rejectPostOnly false'
    : '; accepted: a price that rests, or rejectPostOnly false';
  const reason = `would trade at once against the best price ${limit}${outcome}`;
  return refuse(11054, 'post_only_reject', 'price', reason);
};
export const postOnlyNotAllowed = (): Refusal =>
  refuse(
    11055,
    'post_only_not_allowed',
    'post_only',
    'an order without a limit never rests; accepted: false, or type limit',
  );
export const accountLocked = (currency: string): Refusal =>
  refuse(
    11098,
    'account_locked',
    'account',
    `is being liquidated in ${currency}; accepted: cancels, and orders once its margin balance covers the maintenance margin`,
  );
export const unauthorized = (): Refusal =>
  refuse(13009, 'unauthorized', 'account', 'is not an account of this exchange');
export const bookClosed = (): Refusal =>
  refuse(
    13019,
    'orderbook_closed',
    'instrument_name',
    'its book is closed; accepted: a listed one',
  );
export const nonUniqueLabel = (): Refusal =>
  refuse(
    13032,
    'non_unique_order_label',
    'label',
    'several open orders of the instrument have it; accepted: private/edit with an order id',
  );
export const comboLimitReached = (limit: number): Refusal =>
  refuse(
    13035,
    'active_combo_limit_reached',
    'trades',
    `${limit} combos are active and in use, which is the most; accepted: one of them, or later`,
  );
/** What is not possible in the book of a combo. */
export const unavailableForCombos = (param: string, reason: string): Refusal =>
  refuse(13036, 'unavailable_for_combo_books', param, reason);
export const noMoreOtoOrders = (limit: number): Refusal =>
  refuse(
    13901,
    'no_more_oto_orders',
    'otoco_config',
    `the account may have at most ${limit} linked orders that wait; accepted: after one is cancelled`,
  );
export const timedOut = (): Refusal =>
  refuse(
    13888,
    'timed_out',
    'valid_until',
    'has passed; accepted: a time after the clock of the exchange, see public/get_time',
  );

const ROUTED_NAMES: Readonly<Record<number, string>> = {
  11055: 'post_only_not_allowed',
  11059: 'iceberg_not_allowed',
  11060: 'not_supported_for_coinbase_routed_spot',
  13922: 'linked_order_type_not_supported_for_csr_spot',
};

/** What a pair that is matched on another exchange does not take. */
export const notOnRouted = ({ code, param, reason }: RoutedFault): Refusal =>
  refuse(code, ROUTED_NAMES[code] ?? 'Invalid params', param, reason);

/** An invalid parameter and the reason. */
export const invalidParam = (param: string, reason: string): Refusal =>
  refuse(-32602, 'Invalid params', param, reason);
