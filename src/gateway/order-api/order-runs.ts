// What the methods about orders and trades do, over one shape of params. Each wire reads the params and writes the
// answer with its own codec.
import type {
  CancelOrder,
  HistoryQuery,
  OrderFilter,
  OrderKey,
  Reply,
  TradesQuery,
  TradingDesk,
  Worked,
} from '../../ports/trading-desk.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import type { OrderType } from '../../values/order-terms.ts';
import { ifListed } from './find-instrument.ts';
import {
  orderChange,
  type RequestedChange,
  type RequestedNames,
} from './orders/requested-order.ts';
import type { Refusal } from './refusals.ts';

/** What of a call is needed to use the desk of its account. */
export interface DeskCall {
  readonly account: AccountId;
  readonly desk: TradingDesk;
  readonly now: () => Instant;
}

/** Which orders or trades are meant; without any, all are. */
export interface Selection {
  readonly currency?: { readonly code?: Currency | undefined } | undefined;
  readonly kind?: readonly InstrumentKind[] | undefined;
  readonly type?: { readonly types?: readonly OrderType[] | undefined } | undefined;
  readonly instrumentName?: InstrumentName | undefined;
  readonly label?: string | undefined;
}

const filterOf = (
  { account }: DeskCall,
  { currency, kind: kinds, type, instrumentName: instrument, label }: Selection,
): OrderFilter => ({
  account,
  currency: currency?.code,
  kinds,
  types: type?.types,
  instrument,
  label,
});

/** Refuses an instrument that the account's exchange does not list. */
export const ofListed = <T>(
  call: DeskCall,
  { instrumentName }: Selection,
  run: () => T,
): T | Refusal => (instrumentName === undefined ? run() : ifListed(call, instrumentName, run));

export interface OneOrder {
  readonly orderId: OrderId;
}

export const cancelOrder = (
  { account, desk }: DeskCall,
  { orderId, reason }: OneOrder & Pick<CancelOrder, 'reason'>,
) => desk.cancel({ account, of: { orderId }, reason });

export const cancelLabelled = (
  call: DeskCall,
  { reason, ...labelled }: Pick<Selection, 'label' | 'currency'> & Pick<CancelOrder, 'reason'>,
) => call.desk.cancelAll({ ...filterOf(call, labelled), reason });

export const openOrders = (call: DeskCall, wanted: Selection) =>
  ofListed(call, wanted, () => call.desk.openOrders(filterOf(call, wanted)));

export const orderState = ({ account, desk }: DeskCall, { orderId }: OneOrder) =>
  desk.order(account, orderId);

export const ordersLabelled = (
  call: DeskCall,
  { label, currency }: Selection & { readonly label: string },
) => call.desk.ordersLabelled({ ...filterOf(call, { currency }), label });

type HistoryParams = Selection & Omit<HistoryQuery, keyof OrderFilter>;

export const orderHistory = (call: DeskCall, wanted: HistoryParams) =>
  ofListed(call, wanted, () => {
    const { count, offset, continuation, includeOld, includeUnfilled, historical } = wanted;
    const page = { count, offset, continuation, includeOld, includeUnfilled, historical };
    return call.desk.orderHistory({ ...filterOf(call, wanted), ...page });
  });

/** Upper bound of the fills of one order. */
const FILLS_MAX = 2_000;

export const tradesOfOrder = (
  { account, desk }: DeskCall,
  { orderId, sorting, historical }: OneOrder & Pick<TradesQuery, 'sorting' | 'historical'>,
) => desk.trades({ account, orderId, sorting, historical, count: FILLS_MAX });

interface TradesParams
  extends Omit<Selection, 'type' | 'label'>,
    Omit<TradesQuery, keyof OrderFilter | 'from' | 'until' | 'orderId'> {
  readonly startTimestamp?: Instant | undefined;
  readonly endTimestamp?: Instant | undefined;
}

export function userTrades({ account, desk }: DeskCall, wanted: TradesParams) {
  const { currency, kind: kinds, instrumentName: instrument } = wanted;
  const { startTimestamp: from, endTimestamp: until, startId, endId, startSeq, endSeq } = wanted;
  const { count, sorting, historical } = wanted;
  const which = { account, currency: currency?.code, kinds, instrument };
  const span = { from, until, startId, endId, startSeq, endSeq };
  return desk.trades({ ...which, ...span, count, sorting, historical });
}

interface Edit {
  readonly of: OrderKey;
  readonly change: RequestedChange;
  readonly names: RequestedNames;
}

/** A size in contracts needs the instrument, which is known once the order has been found. */
export function editOrder(call: DeskCall, edit: Edit): Refusal | Promise<Reply<Worked>> {
  const { of, change } = edit;
  return 'orderId' in of && change.contracts !== undefined
    ? editInContracts(call, of.orderId, edit)
    : changed(call, edit, of.instrument);
}

async function editInContracts(
  call: DeskCall,
  orderId: OrderId,
  edit: Edit,
): Promise<Reply<Worked>> {
  const found = await call.desk.order(call.account, orderId);
  if (found.kind !== 'done') return found;
  const { instrument } = found.value;
  return await changed(call, { ...edit, of: { orderId, instrument } }, instrument);
}

function changed(
  { account, desk }: DeskCall,
  { of, change, names }: Edit,
  name: InstrumentName | undefined,
): Refusal | Promise<Reply<Worked>> {
  const instrument = name === undefined ? undefined : desk.instrument(name);
  const asked = orderChange(change, { account, of }, { instrument, names });
  return 'refusal' in asked ? asked.refusal : desk.edit(asked.value);
}
