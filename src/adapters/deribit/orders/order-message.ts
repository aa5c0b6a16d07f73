// An order as Deribit reports it. Our own orders and those of strangers on the account (its web page, FIX) are read alike,
// and tolerantly: a word that is not known never makes an order look closed, because that would place it again.
//
// Not in the published schema, but documented, seen or open: `speed_bumped` as a state, the text `market_price` as a price, orders
// without `filled_amount` or `amount`, filled amounts with the noise of floats.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import {
  absolute,
  isLess,
  isZero,
  minus,
  onStep,
  type Quantity,
  ratioOf,
  share,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import {
  type AccountId,
  type InstrumentName,
  instrumentName,
  orderId,
} from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import {
  ADVANCED_KINDS,
  FILL_CONDITIONS,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  TRIGGER_SOURCES,
} from '../../../values/order-terms.ts';
import type { Fields } from '../wire/message-fields.ts';

/** An instrument that has, or had, orders; `undefined` for one that is not known here. */
export type TermsOf = (name: InstrumentName) => Instrument | undefined;

const STATES = [
  'open',
  'filled',
  'rejected',
  'cancelled',
  'untriggered',
  'triggered',
  'speed_bumped',
] as const;
export const SIDES = ['buy', 'sell'] as const;

/** What a resting order without a limit price has for a price. */
const NO_PRICE = 'market_price';
/** The noise of a sum of floats is far below this share of a lot. */
const NOISE_SHARE = ratioOf(0.001);

/** @throws MalformedMessage */
export function orderIn(of: Fields, account: AccountId, termsOf: TermsOf): OrderRecord {
  const instrument = instrumentName(of.text('instrument_name'));
  const terms = termsOf(instrument);
  const average = of.priceIf('average_price');
  const originalType = of.wordIf('original_order_type', ORDER_TYPES, undefined);
  const type = of.word('order_type', ORDER_TYPES, 'limit' as const);
  const state = of.word('order_state', STATES, 'open' as const);
  return {
    orderId: orderId(of.text('order_id')),
    account,
    instrument,
    side: sideIn(of),
    type,
    originalType,
    state: state === 'speed_bumped' ? 'open' : state,
    ...(state === 'speed_bumped' && { isSpeedBumped: true }),
    price: of.raw('price') === NO_PRICE ? undefined : of.priceIf('price'),
    quantity: amountIn(of, terms),
    contracts: of.quantityIf('contracts'),
    filledQuantity: onLot(of.quantityIf('filled_amount') ?? ZERO_QUANTITY, terms),
    averagePrice: average === undefined || isZero(average) ? undefined : average,
    timeInForce: of.word('time_in_force', TIMES_IN_FORCE, 'good_til_cancelled' as const),
    postOnly: of.flag('post_only'),
    rejectPostOnly: of.flag('reject_post_only'),
    reduceOnly: of.flag('reduce_only'),
    ...(of.flag('is_liquidation') && { isLiquidation: true }),
    label: of.textIf('label') ?? '',
    createdAt: of.instant('creation_timestamp'),
    updatedAt: of.instant('last_update_timestamp'),
    cancelReason: of.textIf('cancel_reason'),
    replaced: of.flag('replaced'),
    autoReplaced: of.flagIf('auto_replaced'),
    advanced: advancedIn(of),
    displayQuantity: of.quantityIf('display_amount') ?? of.quantityIf('max_show'),
    refreshQuantity: of.quantityIf('refresh_amount'),
    trigger: triggerIn(of),
    triggered: of.flagIf('triggered'),
    triggerOrderId: optionalId(of, 'trigger_order_id'),
    fillCondition: of.wordIf('trigger_fill_condition', FILL_CONDITIONS, undefined),
    otoOrderIds: of.textsIf('oto_order_ids')?.map(orderId),
    isSecondaryOto: of.flagIf('is_secondary_oto'),
    isPrimaryOtoco: of.flagIf('is_primary_otoco'),
    primaryOrderId: optionalId(of, 'primary_order_id'),
    ocoRef: of.textIf('oco_ref'),
    mmp: of.flag('mmp'),
    mmpCancelled: of.flagIf('mmp_cancelled'),
  };
}

/** @throws MalformedMessage: a side is never guessed. */
export function sideIn(of: Fields) {
  const side = of.text('direction');
  for (const known of SIDES) if (side === known) return known;
  throw of.malformed('direction', 'buy or sell');
}

/** On the lot grid, where only the noise of floats has moved it off. */
export function onLot(amount: Quantity, terms: Instrument | undefined): Quantity {
  if (terms === undefined) return amount;
  const snapped = onStep(amount, terms.amountStep, 'half_even');
  const isNoise = isLess(absolute(minus(amount, snapped)), share(terms.amountStep, NOISE_SHARE));
  return isNoise ? snapped : amount;
}

/** A stranger's order may leave out its amount; it is then not counted. */
function amountIn(of: Fields, terms: Instrument | undefined): Quantity {
  const amount = of.quantityIf('amount');
  if (amount !== undefined) return onLot(amount, terms);
  of.tally.count('an order: amount is missing');
  return of.quantityIf('filled_amount') ?? ZERO_QUANTITY;
}

function advancedIn(of: Fields): OrderRecord['advanced'] {
  const kind = of.wordIf('advanced', ADVANCED_KINDS, undefined);
  const value = kind === undefined ? undefined : of.priceIf(kind);
  return kind === undefined || value === undefined ? undefined : { kind, value };
}

function triggerIn(of: Fields): OrderRecord['trigger'] {
  const source = of.wordIf('trigger', TRIGGER_SOURCES, undefined);
  if (source === undefined) return undefined;
  return {
    source,
    price: of.priceIf('trigger_price'),
    offset: of.priceIf('trigger_offset'),
    reference: of.priceIf('trigger_reference_price'),
  };
}

function optionalId(of: Fields, name: string): OrderRecord['triggerOrderId'] {
  const text = of.textIf(name);
  return text === undefined ? undefined : orderId(text);
}
