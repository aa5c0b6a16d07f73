// The params of buy, sell and edit in Deribit's words, and their conversion to what both wires convert from.
//
// Decisions: `post_only` is false by default, as recorded orders are (the published schema says true). `max_show` is
// accepted as the name that `display_amount` had until 2025; `stop_price`, gone since 2024, is ignored as it is there.
import type { Quantity } from '../../../values/amounts.ts';
import { LINKED_MAX, TERM_WORDS } from '../../order-api/orders/order-entry-enums.ts';
import type { RequestedNames } from '../../order-api/orders/requested-order.ts';
import { LABEL_LENGTH_MAX, labelField, orderIdField } from '../../order-api/param-fields.ts';
import { choiceField, textField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import { amountParam, flagParam, instantParam, priceParam } from '../method/deribit-params.ts';
import { instrumentParam } from '../method/instrument-params.ts';
import { listParam, objectParam, ratioParam } from '../method/nested-params.ts';

export const DERIBIT_NAMES: RequestedNames = {
  quantity: 'amount',
  linkedOrderType: 'linked_order_type',
  otocoConfig: 'otoco_config',
  triggerFillCondition: 'trigger_fill_condition',
  postOnly: 'post_only',
  rejectPostOnly: 'reject_post_only',
};

const size = {
  quantity: optional(
    amountParam({ description: 'USD for inverse perpetuals and futures, otherwise coins' }),
  ),
  contracts: optional(ratioParam({ description: 'The size in contracts, if amount is absent' })),
};

const terms = {
  ...size,
  type: optionalOr(choiceField(TERM_WORDS.type, 'Default limit'), 'limit'),
  label: optionalOr(
    textField({ min: 0, max: LABEL_LENGTH_MAX, description: 'Label of the client' }),
    '',
  ),
  price: optional(priceParam({ description: 'Limit price, in the unit of advanced' })),
  timeInForce: optional(choiceField(TERM_WORDS.timeInForce, 'Default good_til_cancelled')),
  postOnly: optionalOr(flagParam('Maker only'), false),
  rejectPostOnly: optionalOr(flagParam('Only with post_only: refused instead of moved'), false),
  reduceOnly: optionalOr(flagParam('Only reduces a position'), false),
  trigger: optional(choiceField(TERM_WORDS.trigger, 'Price that is watched')),
  triggerPrice: optional(priceParam({ description: 'Of stop and take orders' })),
  triggerOffset: optional(priceParam({ description: 'Of trailing stops' })),
};

const shared = {
  displayAmount: optional(amountParam({ description: 'Visible size of an iceberg' })),
  maxShow: optional(amountParam({ description: 'Former name of display_amount' })),
  advanced: optional(choiceField(TERM_WORDS.advanced, 'Options: unit of the price')),
  validUntil: optional(instantParam('The request is refused from then on')),
};

const linkedOrder = objectParam(
  { ...terms, side: choiceField(TERM_WORDS.side, 'Side') },
  'An order linked to this one',
);

export const placeShape = {
  instrumentName: instrumentParam,
  ...terms,
  ...shared,
  mmp: optionalOr(flagParam('Counts towards market-maker protection'), false),
  linkedOrderType: optional(choiceField(TERM_WORDS.link, 'How otoco_config is linked')),
  triggerFillCondition: optional(choiceField(TERM_WORDS.fillCondition, 'Default first_hit')),
  otocoConfig: optional(
    listParam(linkedOrder, { max: LINKED_MAX, description: 'Linked orders', of: 'orders' }),
  ),
};

const changeShape = {
  ...size,
  ...shared,
  price: terms.price,
  postOnly: optional(flagParam('Unchanged when absent')),
  rejectPostOnly: optional(flagParam('As in buy; the refusal of an edit cancels the order')),
  reduceOnly: optional(flagParam('Unchanged when absent')),
  triggerPrice: terms.triggerPrice,
  triggerOffset: terms.triggerOffset,
  mmp: optional(flagParam('Cannot be changed')),
};

export const editByIdShape = { orderId: orderIdField, ...changeShape };
export const editLabelledShape = {
  label: labelField('Of exactly one open order of the instrument'),
  instrumentName: instrumentParam,
  ...changeShape,
};

/** The terms of an order or a change, with the former name of the visible size put right. */
export function wishOf<T extends ShownSize>({ maxShow, displayAmount = maxShow, ...wish }: T) {
  return { ...wish, displayAmount };
}

interface ShownSize {
  readonly displayAmount?: Quantity | undefined;
  readonly maxShow?: Quantity | undefined;
}
