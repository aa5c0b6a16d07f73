// Params of the order methods. Every place and edit has an end of its validity on the venue's clock, amounts and prices
// are JSON numbers of exact text, `post_only` is said either way, nothing is null.
import { refusal } from '../../../core/order/answer-class.ts';
import type { NewOrder, OrderChange } from '../../../ports/trading-desk.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';
import type { OrderTerms, OrderType } from '../../../values/order-terms.ts';
import type { Params } from '../outcome.ts';
import { numberIf, numberOf, tooPrecise } from '../wire/amount-numbers.ts';

/** `isSpot`: spot orders reduce nothing, and are refused with the member. */
const termsParams = (terms: OrderTerms, isSpot: boolean): Params => ({
  type: terms.type,
  amount: numberOf(terms.quantity),
  price: numberIf(terms.price),
  time_in_force: terms.timeInForce,
  post_only: terms.postOnly,
  // Alone it has no meaning.
  reject_post_only: terms.postOnly ? terms.rejectPostOnly : undefined,
  reduce_only: isSpot && !terms.reduceOnly ? undefined : terms.reduceOnly,
  label: terms.label || undefined,
  trigger: terms.trigger,
  trigger_price: numberIf(terms.triggerPrice),
  trigger_offset: numberIf(terms.triggerOffset),
});

export function newOrderParams(
  order: NewOrder,
  terms: Instrument | undefined,
  validUntil: Instant,
): Params {
  const isSpot = terms?.kind === 'spot';
  return {
    instrument_name: order.instrument,
    ...termsParams(order, isSpot),
    display_amount: numberIf(order.displayQuantity),
    advanced: order.advanced,
    mmp: order.mmp || undefined,
    valid_until: order.validUntil ?? validUntil,
    linked_order_type: order.link?.kind,
    trigger_fill_condition: order.link?.fillCondition,
    otoco_config: order.link?.others.map((other) => ({
      ...termsParams(other, isSpot),
      direction: other.side,
    })),
  };
}

export const changeParams = (change: OrderChange, validUntil: Instant): Params => ({
  ...('orderId' in change.of
    ? { order_id: change.of.orderId }
    : { label: change.of.label, instrument_name: change.of.instrument }),
  amount: numberIf(change.quantity),
  price: numberIf(change.price),
  post_only: change.postOnly,
  reject_post_only: change.postOnly === false ? undefined : change.rejectPostOnly,
  reduce_only: change.reduceOnly,
  display_amount: numberIf(change.displayQuantity),
  trigger_price: numberIf(change.triggerPrice),
  trigger_offset: numberIf(change.triggerOffset),
  advanced: change.advanced,
  mmp: change.mmp,
  valid_until: change.validUntil ?? validUntil,
});

/** What the venue could not read as it is meant; nothing is sent then. */
export function unsendable(of: NewOrder | OrderChange) {
  const found = tooPrecise({
    quantity: of.quantity,
    price: of.price,
    displayQuantity: of.displayQuantity,
    triggerPrice: of.triggerPrice,
    triggerOffset: of.triggerOffset,
  });
  return found && refusal(PRECISION_EXCEEDED, found);
}

const PRECISION_EXCEEDED = 10026;

/** The venue's word for a choice; `undefined` if it has none. */
type Word = string | undefined;

const KINDS: Readonly<Record<string, readonly InstrumentKind[]>> = {
  any: ['perpetual', 'future', 'option', 'spot', 'future_combo', 'option_combo'],
  future: ['perpetual', 'future'],
  option: ['option'],
  spot: ['spot'],
  future_combo: ['future_combo'],
  option_combo: ['option_combo'],
  combo: ['future_combo', 'option_combo'],
};

const STOP: readonly OrderType[] = ['stop_limit', 'stop_market'];
const TAKE: readonly OrderType[] = ['take_limit', 'take_market'];
const CANCEL_TYPES: Readonly<Record<string, readonly OrderType[]>> = {
  limit: ['limit', 'market', 'market_limit'],
  stop: STOP,
  take: TAKE,
  trailing_stop: ['trailing_stop'],
  trigger_all: [...STOP, ...TAKE, 'trailing_stop'],
};

function wordFor<T>(choices: Readonly<Record<string, readonly T[]>>, wanted: readonly T[]): Word {
  const set = new Set(wanted);
  const isSame = (one: readonly T[]): boolean =>
    one.length === set.size && one.every((each) => set.has(each));
  return Object.keys(choices).find((name) => isSame(choices[name] ?? []));
}

export const kindWord = (kinds: readonly InstrumentKind[] | undefined): Word =>
  kinds === undefined ? 'any' : wordFor(KINDS, kinds);

export const cancelTypeWord = (types: readonly OrderType[] | undefined): Word =>
  types === undefined ? 'all' : wordFor(CANCEL_TYPES, types);
