// The params of buy, sell and edit in Deribit's words, and their conversion to what both wires convert from.
//
// Decisions: `post_only` is false by default, as recorded orders are (the published schema says true). `max_show` is
// accepted as the name that `display_amount` had until 2025; `stop_price`, gone since 2024, is ignored as it is there.
import type { z } from 'zod';
import { LINKED_MAX, TERM_WORDS } from '../../order-api/orders/order-entry-enums.ts';
import type {
  RequestedChange,
  RequestedNames,
  RequestedOrder,
  RequestedTerms,
} from '../../order-api/orders/requested-order.ts';
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
  amount: optional(
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
  time_in_force: optional(choiceField(TERM_WORDS.timeInForce, 'Default good_til_cancelled')),
  post_only: optionalOr(flagParam('Maker only'), false),
  reject_post_only: optionalOr(flagParam('Only with post_only: refused instead of moved'), false),
  reduce_only: optionalOr(flagParam('Only reduces a position'), false),
  trigger: optional(choiceField(TERM_WORDS.trigger, 'Price that is watched')),
  trigger_price: optional(priceParam({ description: 'Of stop and take orders' })),
  trigger_offset: optional(priceParam({ description: 'Of trailing stops' })),
};

const shared = {
  display_amount: optional(amountParam({ description: 'Visible size of an iceberg' })),
  max_show: optional(amountParam({ description: 'Former name of display_amount' })),
  advanced: optional(choiceField(TERM_WORDS.advanced, 'Options: unit of the price')),
  valid_until: optional(instantParam('The request is refused from then on')),
};

const linkedOrder = objectParam(
  { ...terms, direction: choiceField(TERM_WORDS.side, 'Side') },
  'An order linked to this one',
);

export const placeShape = {
  instrument_name: instrumentParam,
  ...terms,
  ...shared,
  mmp: optionalOr(flagParam('Counts towards market-maker protection'), false),
  linked_order_type: optional(choiceField(TERM_WORDS.link, 'How otoco_config is linked')),
  trigger_fill_condition: optional(choiceField(TERM_WORDS.fillCondition, 'Default first_hit')),
  otoco_config: optional(
    listParam(linkedOrder, { max: LINKED_MAX, description: 'Linked orders', of: 'orders' }),
  ),
};

const changeShape = {
  ...size,
  ...shared,
  price: terms.price,
  post_only: optional(flagParam('Unchanged when absent')),
  reject_post_only: optional(flagParam('As in buy; the refusal of an edit cancels the order')),
  reduce_only: optional(flagParam('Unchanged when absent')),
  trigger_price: terms.trigger_price,
  trigger_offset: terms.trigger_offset,
  mmp: optional(flagParam('Cannot be changed')),
};

export const editByIdShape = { order_id: orderIdField, ...changeShape };
export const editLabelledShape = {
  label: labelField('Of exactly one open order of the instrument'),
  instrument_name: instrumentParam,
  ...changeShape,
};

type Place = z.output<z.ZodObject<typeof placeShape>>;
type Change = z.output<z.ZodObject<typeof changeShape>>;

const termsOf = (params: z.output<z.ZodObject<typeof terms>>): RequestedTerms => ({
  quantity: params.amount,
  contracts: params.contracts,
  type: params.type,
  label: params.label,
  price: params.price,
  timeInForce: params.time_in_force,
  postOnly: params.post_only,
  rejectPostOnly: params.reject_post_only,
  reduceOnly: params.reduce_only,
  trigger: params.trigger,
  triggerPrice: params.trigger_price,
  triggerOffset: params.trigger_offset,
});

export const orderWish = (params: Place): RequestedOrder => ({
  ...termsOf(params),
  displayAmount: params.display_amount ?? params.max_show,
  advanced: params.advanced,
  mmp: params.mmp,
  validUntil: params.valid_until,
  linkedOrderType: params.linked_order_type,
  triggerFillCondition: params.trigger_fill_condition,
  otocoConfig: params.otoco_config?.map((one) => ({ ...termsOf(one), side: one.direction })),
});

export const changeWish = (params: Change): RequestedChange => ({
  quantity: params.amount,
  contracts: params.contracts,
  price: params.price,
  postOnly: params.post_only,
  rejectPostOnly: params.reject_post_only,
  reduceOnly: params.reduce_only,
  displayAmount: params.display_amount ?? params.max_show,
  triggerPrice: params.trigger_price,
  triggerOffset: params.trigger_offset,
  advanced: params.advanced,
  mmp: params.mmp,
  validUntil: params.valid_until,
});
