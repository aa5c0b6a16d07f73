// The params of buy, sell and edit, and their conversion to orders and changes. Sizes may be given in
// contracts; if both are given, they must agree.

import type { z } from 'zod';
import type { NewOrder, OrderChange, OrderTerms } from '../../../ports/trading-desk.ts';
import { equals, type Quantity, type Ratio, share, text } from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instrument, Side } from '../../../values/instrument.ts';
import type { FillCondition, TimeInForce } from '../../../values/order-terms.ts';
import {
  choiceField,
  instantField,
  priceField,
  quantityField,
  ratioField,
  switchField,
} from '../../wire/field-kinds.ts';
import { list, optional, optionalOr, record } from '../../wire/fields.ts';
import { instrumentField, labelField, orderIdField } from '../param-fields.ts';
import { invalidParam, type Refusal } from '../refusals.ts';

const OTHERS_MAX = 10;

const TIMES_IN_FORCE = {
  good_til_cancelled: 'good_til_cancelled',
  good_til_day: 'good_til_day',
  fill_or_kill: 'fill_or_kill',
  immediate_or_cancel: 'immediate_or_cancel',
} as const;

const timeInForce = optional(
  choiceField(TIMES_IN_FORCE, 'Time in force (default good_til_cancelled)'),
);

const size = {
  quantity: optional(
    quantityField({ description: 'Size: USD for inverse perpetuals and futures, otherwise coins' }),
  ),
  contracts: optional(
    ratioField({ description: 'Size in contracts; required if quantity is missing' }),
  ),
};

const side = choiceField({ buy: 'buy', sell: 'sell' } as const, 'Side');

/** Params that orders and linked orders share. */
const terms = {
  ...size,
  type: optionalOr(
    choiceField(
      {
        limit: 'limit',
        market: 'market',
        market_limit: 'market_limit',
        stop_limit: 'stop_limit',
        stop_market: 'stop_market',
        take_limit: 'take_limit',
        take_market: 'take_market',
        trailing_stop: 'trailing_stop',
      } as const,
      'Type of the order (default limit)',
    ),
    'limit',
  ),
  label: optionalOr(labelField('Label of the client, at most 64 characters'), ''),
  price: optional(
    priceField({
      description: 'Limit price; with advanced: USD per coin, or volatility in percent',
    }),
  ),
  timeInForce,
  timeInforce: timeInForce.describe('The same as timeInForce'),
  postOnly: optionalOr(
    switchField('Maker only: a price that would take is moved just outside the spread'),
    false,
  ),
  rejectPostOnly: optionalOr(
    switchField('With postOnly: reject instead of moving the price'),
    false,
  ),
  reduceOnly: optionalOr(switchField('Only reduce a position'), false),
  trigger: optional(
    choiceField(
      { index_price: 'index_price', mark_price: 'mark_price', last_price: 'last_price' } as const,
      'Price that triggers the order; required for stop, take and trailing orders',
    ),
  ),
  triggerPrice: optional(priceField({ description: 'Required for stop and take orders' })),
  triggerOffset: optional(priceField({ description: 'Required for trailing stops' })),
};

const advanced = optional(
  choiceField({ usd: 'usd', implv: 'implv' } as const, 'Options: unit the price is in'),
);
const displayAmount = optional(quantityField({ description: 'Icebergs: visible size' }));
const validUntil = optional(
  instantField('Deadline: from then on the request is refused with timed_out, Unix milliseconds'),
);

const otherOrder = record({ ...terms, side }, 'An order to place or to cancel with this one');

export const orderShape = {
  instrumentName: instrumentField,
  ...terms,
  displayAmount,
  advanced,
  mmp: optionalOr(switchField('Counts towards market-maker protection; limit orders only'), false),
  validUntil,
  linkedOrderType: optional(
    choiceField(
      {
        one_triggers_other: 'one_triggers_other',
        one_cancels_other: 'one_cancels_other',
        one_triggers_one_cancels_other: 'one_triggers_one_cancels_other',
      } as const,
      'How the orders of otocoConfig are linked to this order',
    ),
  ),
  triggerFillCondition: optional(
    choiceField<FillCondition, FillCondition>(
      { first_hit: 'first_hit', complete_fill: 'complete_fill', incremental: 'incremental' },
      'Linked orders: when a fill acts on the others (default first_hit)',
    ),
  ),
  otocoConfig: optional(
    list(otherOrder, {
      max: OTHERS_MAX,
      description: 'Orders that are placed or cancelled when this one fills',
      of: 'orders',
    }),
  ),
};

const changeShape = {
  ...size,
  price: terms.price,
  postOnly: optional(switchField('As in buy; unchanged when absent')),
  rejectPostOnly: optional(switchField('As in buy')),
  reduceOnly: optional(switchField('As in buy')),
  displayAmount,
  triggerPrice: optional(priceField({ description: 'New trigger price' })),
  triggerOffset: optional(priceField({ description: 'New distance of a trailing stop' })),
  advanced,
  mmp: optional(switchField('Cannot be changed; the same value is accepted')),
  validUntil,
};

export const editShape = { orderId: orderIdField, ...changeShape };
export const editByLabelShape = {
  label: labelField('Label; exactly one open order of the instrument must have it'),
  instrumentName: instrumentField,
  ...changeShape,
};

type OrderParams = z.output<z.ZodObject<typeof orderShape>>;
type ChangeParams = z.output<z.ZodObject<typeof changeShape>>;
type TermsParams = z.output<z.ZodObject<typeof terms>>;

/** The requested value, or the refusal of a param. */
export type Asked<T> = { readonly value: T } | { readonly refusal: Refusal };

export interface Placing {
  readonly account: AccountId;
  readonly side: Side;
  readonly instrument: Instrument;
}

export function newOrder(params: OrderParams, placing: Placing): Asked<NewOrder> {
  const { account, side: ownSide, instrument } = placing;
  const own = orderTerms({ ...params, side: ownSide }, instrument, '');
  if ('refusal' in own) return own;
  const link = linkOf(params, own.value, instrument);
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
  params: ChangeParams,
  of: Pick<OrderChange, 'account' | 'of'>,
  instrument: Instrument | undefined,
): Asked<OrderChange> {
  const sized = sizeOf(params, instrument, '');
  if ('refusal' in sized) return sized;
  const { displayAmount: displayQuantity, contracts: _, ...rest } = params;
  return { value: { ...rest, ...of, displayQuantity, quantity: sized.value } };
}

function orderTerms(
  params: TermsParams & { readonly side: Side },
  instrument: Instrument,
  path: string,
  standIn?: Quantity,
): Asked<OrderTerms> {
  const time = timeInForceOf(params, path);
  if ('refusal' in time) return time;
  const sized = sizeOf(params, instrument, path);
  if ('refusal' in sized) return sized;
  const quantity = sized.value ?? standIn;
  if (quantity === undefined) {
    const reason = 'is missing; accepted: quantity, contracts, or both if they agree';
    return { refusal: invalidParam(`${path}quantity`, reason) };
  }
  const { contracts: _, timeInforce: __, ...rest } = params;
  return { value: { ...rest, quantity, timeInForce: time.value } };
}

/** A linked order without a size gets the size of its primary order. */
function linkOf(
  { linkedOrderType, triggerFillCondition, otocoConfig = [] }: OrderParams,
  own: OrderTerms,
  instrument: Instrument,
): Asked<NewOrder['link']> {
  if (linkedOrderType === undefined) {
    const param = otocoConfig.length > 0 ? 'otocoConfig' : 'triggerFillCondition';
    if (otocoConfig.length === 0 && triggerFillCondition === undefined) return { value: undefined };
    return {
      refusal: invalidParam(
        param,
        'is given without linkedOrderType; accepted: only together with it',
      ),
    };
  }
  const others: OrderTerms[] = [];
  for (const [index, params] of otocoConfig.entries()) {
    const other = orderTerms(params, instrument, `otocoConfig[${index}].`, own.quantity);
    if ('refusal' in other) return other;
    others.push(other.value);
  }
  if (others.length === 0) {
    const reason = 'is missing; accepted: at least one order if linkedOrderType is given';
    return { refusal: invalidParam('otocoConfig', reason) };
  }
  const fillCondition = triggerFillCondition ?? 'first_hit';
  return { value: { kind: linkedOrderType, fillCondition, others } };
}

function timeInForceOf(params: TermsParams, path: string): Asked<TimeInForce> {
  const { timeInForce: one, timeInforce: other } = params;
  if (one !== undefined && other !== undefined && one !== other) {
    const reason = `is ${other} but timeInForce is ${one}; accepted: one of them, or the same value in both`;
    return { refusal: invalidParam(`${path}timeInforce`, reason) };
  }
  return { value: one ?? other ?? 'good_til_cancelled' };
}

function sizeOf(
  params: { readonly quantity?: Quantity | undefined; readonly contracts?: Ratio | undefined },
  instrument: Instrument | undefined,
  path: string,
): Asked<Quantity | undefined> {
  const { quantity, contracts } = params;
  if (contracts === undefined) return { value: quantity };
  if (instrument === undefined) {
    const reason = 'cannot be converted because the order is not known; accepted: quantity';
    return { refusal: invalidParam(`${path}contracts`, reason) };
  }
  const counted = share(instrument.contractSize, contracts);
  if (quantity === undefined || equals(quantity, counted)) return { value: counted };
  const reason =
    `is ${text(contracts)}, which is a quantity of ${text(counted)}, but quantity is ` +
    `${text(quantity)}; accepted: one of them, or both if they agree`;
  return { refusal: invalidParam(`${path}contracts`, reason) };
}
