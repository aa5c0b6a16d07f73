// Converts new orders, changes and filters to params of the venue's methods.

import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type {
  HistoryQuery,
  NewOrder,
  OrderChange,
  OrderFilter,
  OrderTerms,
} from '../../ports/trading-desk.ts';
import { type Price, type Quantity, text } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instrument, InstrumentKind } from '../../values/instrument.ts';
import type { OrderType } from '../../values/order-terms.ts';
import type { Params } from './outcome.ts';

const shown = (amount: Price | Quantity | undefined): string | undefined =>
  amount === undefined ? undefined : text(amount);

const termsParams = (terms: OrderTerms): Params => ({
  type: terms.type,
  quantity: text(terms.quantity),
  price: shown(terms.price),
  timeInForce: terms.timeInForce,
  postOnly: terms.postOnly,
  rejectPostOnly: terms.rejectPostOnly,
  reduceOnly: terms.reduceOnly,
  // An empty label is omitted.
  label: terms.label || undefined,
  trigger: terms.trigger,
  triggerPrice: shown(terms.triggerPrice),
  triggerOffset: shown(terms.triggerOffset),
});

export const newOrderParams = (order: NewOrder): Params => ({
  instrumentName: order.instrument,
  ...termsParams(order),
  displayAmount: shown(order.displayQuantity),
  advanced: order.advanced,
  mmp: order.mmp,
  validUntil: order.validUntil,
  linkedOrderType: order.link?.kind,
  triggerFillCondition: order.link?.fillCondition,
  otocoConfig: order.link?.others.map((other) => ({ ...termsParams(other), side: other.side })),
});

export const changeParams = (change: OrderChange): Params => ({
  ...('orderId' in change.of
    ? { orderId: change.of.orderId }
    : { label: change.of.label, instrumentName: change.of.instrument }),
  quantity: shown(change.quantity),
  price: shown(change.price),
  postOnly: change.postOnly,
  rejectPostOnly: change.rejectPostOnly,
  reduceOnly: change.reduceOnly,
  displayAmount: shown(change.displayQuantity),
  triggerPrice: shown(change.triggerPrice),
  triggerOffset: shown(change.triggerOffset),
  advanced: change.advanced,
  mmp: change.mmp,
  validUntil: change.validUntil,
});

export const pageParams = (query: HistoryQuery): Params => ({
  count: query.count,
  offset: query.offset,
  includeOld: query.includeOld,
  includeUnfilled: query.includeUnfilled,
  historical: query.historical,
  withContinuation: true,
  continuation: query.continuation,
});

/** The venue's name for a choice; `undefined` if it has none. */
type Name = string | undefined;

const KINDS: Readonly<Record<string, readonly InstrumentKind[]>> = {
  any: ['perpetual', 'future', 'option', 'spot'],
  future: ['perpetual', 'future'],
  option: ['option'],
  spot: ['spot'],
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

function nameOf<T>(choices: Readonly<Record<string, readonly T[]>>, wanted: readonly T[]): Name {
  const set = new Set(wanted);
  const isSame = (one: readonly T[]): boolean =>
    one.length === set.size && one.every((each) => set.has(each));
  return Object.keys(choices).find((name) => isSame(choices[name] ?? []));
}

export const kindName = (kinds: readonly InstrumentKind[] | undefined): Name =>
  kinds === undefined ? 'any' : nameOf(KINDS, kinds);

export const cancelTypeName = (types: readonly OrderType[] | undefined): Name =>
  types === undefined ? 'all' : nameOf(CANCEL_TYPES, types);

/** Looks up an instrument that has, or had, orders. */
export type TermsOf = (name: InstrumentName) => Instrument | undefined;

/** Filters by instrument, kind and settlement currency. */
export function isMarketWanted(
  filter: Pick<OrderFilter, 'instrument' | 'currency' | 'kinds'>,
  name: InstrumentName,
  termsOf: TermsOf,
): boolean {
  if (filter.instrument !== undefined && filter.instrument !== name) return false;
  if (filter.currency === undefined && filter.kinds === undefined) return true;
  const terms = termsOf(name);
  if (terms === undefined) return false;
  if (filter.currency !== undefined && terms.settlement !== filter.currency) return false;
  return filter.kinds === undefined || filter.kinds.includes(terms.kind);
}

export const isOrderWanted = (
  filter: OrderFilter,
  order: Omit<OrderRecord, 'account'>,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === order.label) &&
  (filter.types === undefined || filter.types.includes(order.originalType ?? order.type)) &&
  isMarketWanted(filter, order.instrument, termsOf);

export const isTradeWanted = (
  filter: Omit<OrderFilter, 'types'>,
  trade: Omit<TradeRecord, 'account'>,
  termsOf: TermsOf,
): boolean =>
  (filter.label === undefined || filter.label === trade.label) &&
  isMarketWanted(filter, trade.instrument, termsOf);
