// What a client wishes to order or to change, as either wire has read it, and its conversion to orders and changes. Sizes
// may be given in contracts; if both are given, they must agree.
import type { NewOrder, OrderChange } from '../../../ports/trading-desk.ts';
import { equals, type Quantity, type Ratio, share, text } from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instrument, Side } from '../../../values/instrument.ts';
import type {
  FillCondition,
  LinkKind,
  OrderTerms,
  TimeInForce,
} from '../../../values/order-terms.ts';
import { invalidParam, type Refusal } from '../refusals.ts';

interface SizeWish {
  readonly quantity?: Quantity | undefined;
  readonly contracts?: Ratio | undefined;
}

export interface RequestedTerms
  extends SizeWish,
    Omit<OrderTerms, 'quantity' | 'side' | 'timeInForce'> {
  readonly timeInForce?: TimeInForce | undefined;
  /** Another spelling of the same, which must agree. */
  readonly timeInforce?: TimeInForce | undefined;
}

export interface RequestedOrder
  extends RequestedTerms,
    Pick<NewOrder, 'advanced' | 'mmp' | 'validUntil'> {
  readonly displayAmount?: Quantity | undefined;
  readonly linkedOrderType?: LinkKind | undefined;
  readonly triggerFillCondition?: FillCondition | undefined;
  readonly otocoConfig?: readonly (RequestedTerms & { readonly side: Side })[] | undefined;
}

export interface RequestedChange
  extends SizeWish,
    Omit<OrderChange, 'account' | 'of' | 'quantity' | 'displayQuantity'> {
  readonly displayAmount?: Quantity | undefined;
}

/** What the params are called on a wire, for its refusals. */
export interface RequestedNames {
  readonly quantity: string;
  readonly linkedOrderType: string;
  readonly otocoConfig: string;
  readonly triggerFillCondition: string;
  readonly postOnly: string;
  readonly rejectPostOnly: string;
}

export const OWN_NAMES: RequestedNames = {
  quantity: 'quantity',
  linkedOrderType: 'linkedOrderType',
  otocoConfig: 'otocoConfig',
  triggerFillCondition: 'triggerFillCondition',
  postOnly: 'postOnly',
  rejectPostOnly: 'rejectPostOnly',
};

/** The requested value, or the refusal of a param. */
export type Asked<T> = { readonly value: T } | { readonly refusal: Refusal };

export interface Placing {
  readonly account: AccountId;
  readonly side: Side;
  readonly instrument: Instrument;
  readonly names: RequestedNames;
}

export function newOrder(params: RequestedOrder, placing: Placing): Asked<NewOrder> {
  const { account, side: ownSide, instrument } = placing;
  const own = orderTerms({ ...params, side: ownSide }, placing, '');
  if ('refusal' in own) return own;
  const link = linkOf(params, own.value, placing);
  if ('refusal' in link) return link;
  return {
    value: {
      ...own.value,
      account,
      instrument: instrument.name,
      displayQuantity: params.displayAmount,
      advanced: params.advanced,
      mmp: params.mmp,
      validUntil: params.validUntil,
      link: link.value,
    },
  };
}

/**
 * Converts the params of an edit. Sizes in contracts need the instrument; if the size does not change, it is
 * not looked up.
 */
export function orderChange(
  params: RequestedChange,
  of: Pick<OrderChange, 'account' | 'of'>,
  sizing: Sizing,
): Asked<OrderChange> {
  const stray = strayReject(params, sizing.names, '');
  if (stray !== undefined) return { refusal: stray };
  const sized = sizeOf(params, sizing, '');
  if ('refusal' in sized) return sized;
  const { displayAmount: displayQuantity, contracts: _, ...rest } = params;
  return { value: { ...rest, ...of, displayQuantity, quantity: sized.value } };
}

interface Sizing {
  readonly instrument: Instrument | undefined;
  readonly names: RequestedNames;
}

function orderTerms(
  params: RequestedTerms & { readonly side: Side },
  sizing: Sizing,
  path: string,
  standIn?: Quantity,
): Asked<OrderTerms> {
  const time = timeInForceOf(params, path);
  if ('refusal' in time) return time;
  const stray = strayReject(params, sizing.names, path);
  if (stray !== undefined) return { refusal: stray };
  const sized = sizeOf(params, sizing, path);
  if ('refusal' in sized) return sized;
  const quantity = sized.value ?? standIn;
  if (quantity === undefined) {
    const name = sizing.names.quantity;
    const reason = `is missing; accepted: ${name}, contracts, or both if they agree`;
    return { refusal: invalidParam(`${path}${name}`, reason) };
  }
  const { contracts: _, timeInforce: __, ...rest } = params;
  return { value: { ...rest, quantity, timeInForce: time.value } };
}

/** A linked order without a size gets the size of its primary order. */
function linkOf(
  { linkedOrderType, triggerFillCondition, otocoConfig = [] }: RequestedOrder,
  own: OrderTerms,
  placing: Placing,
): Asked<NewOrder['link']> {
  const { names } = placing;
  if (linkedOrderType === undefined) {
    const param = otocoConfig.length > 0 ? names.otocoConfig : names.triggerFillCondition;
    if (otocoConfig.length === 0 && triggerFillCondition === undefined) return { value: undefined };
    const reason = `is given without ${names.linkedOrderType}; accepted: only together with it`;
    return { refusal: invalidParam(param, reason) };
  }
  const others: OrderTerms[] = [];
  for (const [index, params] of otocoConfig.entries()) {
    const other = orderTerms(params, placing, `${names.otocoConfig}[${index}].`, own.quantity);
    if ('refusal' in other) return other;
    others.push(other.value);
  }
  if (others.length === 0) {
    const reason = `is missing; accepted: at least one order if ${names.linkedOrderType} is given`;
    return { refusal: invalidParam(names.otocoConfig, reason) };
  }
  const fillCondition = triggerFillCondition ?? 'first_hit';
  return { value: { kind: linkedOrderType, fillCondition, others } };
}

function timeInForceOf(params: RequestedTerms, path: string): Asked<TimeInForce> {
  const { timeInForce: one, timeInforce: other } = params;
  if (one !== undefined && other !== undefined && one !== other) {
    const reason = `is ${other} but timeInForce is ${one}; accepted: one of them, or the same value in both`;
    return { refusal: invalidParam(`${path}timeInforce`, reason) };
  }
  return { value: one ?? other ?? 'good_til_cancelled' };
}

/** Alone it would be ignored, and an order that its client expects to be refused would take. */
function strayReject(
  { postOnly, rejectPostOnly }: Pick<RequestedChange, 'postOnly' | 'rejectPostOnly'>,
  names: RequestedNames,
  path: string,
): Refusal | undefined {
  if (rejectPostOnly !== true || postOnly === true) return undefined;
  const reason = `is given without ${names.postOnly}; accepted: only together with ${names.postOnly} true`;
  return invalidParam(`${path}${names.rejectPostOnly}`, reason);
}

function sizeOf(
  { quantity, contracts }: SizeWish,
  { instrument, names }: Sizing,
  path: string,
): Asked<Quantity | undefined> {
  if (contracts === undefined) return { value: quantity };
  if (instrument === undefined) {
    const reason = `cannot be converted because the order is not known; accepted: ${names.quantity}`;
    return { refusal: invalidParam(`${path}contracts`, reason) };
  }
  const counted = share(instrument.contractSize, contracts);
  if (quantity === undefined || equals(quantity, counted)) return { value: counted };
  const reason =
    `is ${text(contracts)}, which is a ${names.quantity} of ${text(counted)}, but ${names.quantity} is ` +
    `${text(quantity)}; accepted: one of them, or both if they agree`;
  return { refusal: invalidParam(`${path}contracts`, reason) };
}
