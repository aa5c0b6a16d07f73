// An order on Deribit's wire. Fields that do not apply are absent. Our own orders and those of strangers on the account (its web
// page, FIX) are read alike, and tolerantly: a word that is not known never makes an order look closed, because that would place
// it again.
//
// Decisions where recordings and schema differ. Written: `average_price` and `filled_amount` are there before the first fill (an
// untriggered order may leave them out on the real wire); `triggered` stands on trigger orders only; a market order that
// rests is a limit order at the band with `original_order_type`; spot orders have `is_rebalance` and lack `reduce_only`
// and `is_liquidation`; `max_show` stands alongside `display_amount`, because clients of before 2025 read it. Read, although not in
// the published schema: `speed_bumped` as a state, the text `market_price` as a price, orders without `filled_amount` or
// `amount`, filled amounts with the noise of floats.
import type { OrderRecord } from '../../core/order/order-record.ts';
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
} from '../../values/amounts.ts';
import { type AccountId, type InstrumentName, instrumentName, orderId } from '../../values/ids.ts';
import type { Instrument, TermsOf } from '../../values/instrument.ts';
import {
  ADVANCED_KINDS,
  FILL_CONDITIONS,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  TRIGGER_SOURCES,
} from '../../values/order-terms.ts';
import {
  FLAG,
  FLAG_IF,
  INSTANT,
  INSTRUMENT,
  ORDER_ID,
  ORDER_ID_IF,
  PRICE_IF,
  QUANTITY_IF,
  SIDE,
  TEXT_IF,
  wordIfOf,
  wordOf,
} from './field-forms.ts';
import { averageNumber, decimalNumber, integerOfText, numberIf, ZERO } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, recordTable, sparse } from './record-table.ts';

/** What reading an order needs beyond its message. */
export interface OrderReading {
  readonly account: AccountId;
  readonly terms: Instrument | undefined;
}

const STATES = [
  'open',
  'filled',
  'rejected',
  'cancelled',
  'untriggered',
  'triggered',
  'speed_bumped',
] as const;

/** What a resting order without a limit price has for a price. */
const NO_PRICE = 'market_price';
/** The noise of a sum of floats is far below this share of a lot. */
const NOISE_SHARE = ratioOf(0.001);

/** Spot has the only names without a dash: BTC_USDC. */
const isSpot = (name: InstrumentName): boolean => !name.includes('-');

const trigger = recordTable<Omit<NonNullable<OrderRecord['trigger']>, 'source'>>();
const TRIGGER_ROWS = [
  trigger.field('trigger_price', 'price', PRICE_IF),
  trigger.field('trigger_offset', 'offset', PRICE_IF),
  trigger.field('trigger_reference_price', 'reference', PRICE_IF),
];
const readTrigger = trigger.reader(TRIGGER_ROWS);

const { field, written, derived, part, writer, reader } = recordTable<
  OrderRecord,
  unknown,
  OrderReading
>();

export const ORDER_ROWS = [
  field('order_id', 'orderId', ORDER_ID),
  field('order_state', 'state', {
    read: (of, name) => {
      const state = of.word(name, STATES, 'open' as const);
      return state === 'speed_bumped' ? 'open' : state;
    },
  }),
  sparse(
    derived('isSpeedBumped', (of) => (of.raw('order_state') === 'speed_bumped' ? true : undefined)),
  ),
  field('order_type', 'type', wordOf(ORDER_TYPES, 'limit')),
  field('original_order_type', 'originalType', wordIfOf(ORDER_TYPES)),
  field('time_in_force', 'timeInForce', wordOf(TIMES_IN_FORCE, 'good_til_cancelled')),
  field('instrument_name', 'instrument', INSTRUMENT),
  derived('account', (_, { account }) => account),
  field('creation_timestamp', 'createdAt', INSTANT),
  field('last_update_timestamp', 'updatedAt', INSTANT),
  field('direction', 'side', SIDE),
  field('price', 'price', {
    write: (price) => (price === undefined ? NO_PRICE : decimalNumber(price)),
    read: (of, name) => (of.raw(name) === NO_PRICE ? undefined : of.priceIf(name)),
  }),
  field('label', 'label', { read: (of, name) => of.textIf(name) ?? '' }),
  field('post_only', 'postOnly', FLAG),
  field('reject_post_only', 'rejectPostOnly', {
    write: (isRejected, { postOnly }) => (postOnly ? isRejected : undefined),
    read: FLAG.read,
  }),
  written('is_rebalance', ({ instrument }) => (isSpot(instrument) ? false : undefined)),
  field('reduce_only', 'reduceOnly', {
    write: (isReducing, { instrument }) => (isSpot(instrument) ? undefined : isReducing),
    read: FLAG.read,
  }),
  sparse(
    field('is_liquidation', 'isLiquidation', {
      write: (isForced, { instrument }) => (isSpot(instrument) ? undefined : (isForced ?? false)),
      read: (of, name) => of.flag(name) || undefined,
    }),
  ),
  written('api', () => true),
  written('web', () => false),
  written('user_id', ({ account }) => integerOfText(account)),
  field('display_amount', 'displayQuantity', {
    write: numberIf,
    read: (of, name) => of.quantityIf(name) ?? of.quantityIf('max_show'),
  }),
  written('max_show', ({ displayQuantity }) => numberIf(displayQuantity)),
  field('refresh_amount', 'refreshQuantity', QUANTITY_IF),
  field('amount', 'quantity', { write: decimalNumber, read: amountIn }),
  field('contracts', 'contracts', QUANTITY_IF),
  field('filled_amount', 'filledQuantity', {
    write: decimalNumber,
    read: (of, name, { terms }) => onLot(of.quantityIf(name) ?? ZERO_QUANTITY, terms),
  }),
  field('average_price', 'averagePrice', {
    write: (average) => (average === undefined ? ZERO : averageNumber(average)),
    read: (of, name) => {
      const average = of.priceIf(name);
      return average === undefined || isZero(average) ? undefined : average;
    },
  }),
  field('advanced', 'advanced', { write: (advanced) => advanced?.kind, read: advancedIn }),
  ...ADVANCED_KINDS.map((unit) =>
    written(unit, ({ advanced }) =>
      advanced?.kind === unit ? decimalNumber(advanced.value) : undefined,
    ),
  ),
  field('trigger', 'trigger', { write: (terms) => terms?.source, read: triggerIn }),
  ...part((order) => order.trigger, TRIGGER_ROWS),
  field('triggered', 'triggered', FLAG_IF),
  field('trigger_order_id', 'triggerOrderId', ORDER_ID_IF),
  field('replaced', 'replaced', FLAG),
  field('auto_replaced', 'autoReplaced', FLAG_IF),
  field('mmp', 'mmp', FLAG),
  field('mmp_cancelled', 'mmpCancelled', FLAG_IF),
  written('risk_reducing', () => false),
  field('cancel_reason', 'cancelReason', TEXT_IF),
  field('trigger_fill_condition', 'fillCondition', wordIfOf(FILL_CONDITIONS)),
  field('oto_order_ids', 'otoOrderIds', {
    read: (of, name) => of.textsIf(name)?.map(orderId),
  }),
  field('is_secondary_oto', 'isSecondaryOto', FLAG_IF),
  field('is_primary_otoco', 'isPrimaryOtoco', FLAG_IF),
  field('primary_order_id', 'primaryOrderId', ORDER_ID_IF),
  field('oco_ref', 'ocoRef', TEXT_IF),
];

const write = writer(ORDER_ROWS);
const read = reader(ORDER_ROWS);

export const orderJson = (order: OrderRecord): JsonObject => write(order, undefined);

export const ordersJson = (orders: readonly OrderRecord[]): readonly JsonObject[] =>
  orders.map(orderJson);

/** Of open orders: only their lists show which are in their speed bump. */
export const openOrdersJson = (orders: readonly OrderRecord[]): readonly JsonObject[] =>
  orders.map((order) =>
    order.isSpeedBumped === true
      ? { ...orderJson(order), order_state: 'speed_bumped' }
      : orderJson(order),
  );

/** @throws MalformedMessage */
export const orderIn = (of: Fields, account: AccountId, termsOf: TermsOf): OrderRecord =>
  read(of, { account, terms: termsOf(instrumentName(of.text('instrument_name'))) });

/** On the lot grid, where only the noise of floats has moved it off. */
export function onLot(amount: Quantity, terms: Instrument | undefined): Quantity {
  if (terms === undefined) return amount;
  const snapped = onStep(amount, terms.amountStep, 'half_even');
  const isNoise = isLess(absolute(minus(amount, snapped)), share(terms.amountStep, NOISE_SHARE));
  return isNoise ? snapped : amount;
}

/** A stranger's order may leave out its amount; it is then not counted. */
function amountIn(of: Fields, name: string, { terms }: OrderReading): Quantity {
  const amount = of.quantityIf(name);
  if (amount !== undefined) return onLot(amount, terms);
  of.tally.count(`an order: ${name} is missing`);
  return of.quantityIf('filled_amount') ?? ZERO_QUANTITY;
}

function advancedIn(of: Fields, name: string): OrderRecord['advanced'] {
  const kind = of.wordIf(name, ADVANCED_KINDS, undefined);
  const value = kind === undefined ? undefined : of.priceIf(kind);
  return kind === undefined || value === undefined ? undefined : { kind, value };
}

function triggerIn(of: Fields, name: string): OrderRecord['trigger'] {
  const source = of.wordIf(name, TRIGGER_SOURCES, undefined);
  return source && { source, ...readTrigger(of, undefined) };
}
