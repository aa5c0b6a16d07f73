// The params of buy, sell and edit.
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
import { LINKED_MAX, TERM_WORDS } from './order-entry-enums.ts';

const timeInForce = optional(
  choiceField(TERM_WORDS.timeInForce, 'Time in force (default good_til_cancelled)'),
);

const size = {
  quantity: optional(
    quantityField({ description: 'Size: USD for inverse perpetuals and futures, otherwise coins' }),
  ),
  contracts: optional(
    ratioField({ description: 'Size in contracts; required if quantity is missing' }),
  ),
};

const side = choiceField(TERM_WORDS.side, 'Side');

/** Params that orders and linked orders share. */
const terms = {
  ...size,
  type: optionalOr(choiceField(TERM_WORDS.type, 'Type of the order (default limit)'), 'limit'),
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
    switchField('Only together with postOnly true: reject instead of moving the price'),
    false,
  ),
  reduceOnly: optionalOr(switchField('Only reduce a position'), false),
  trigger: optional(
    choiceField(
      TERM_WORDS.trigger,
      'Price that triggers the order; required for stop, take and trailing orders',
    ),
  ),
  triggerPrice: optional(priceField({ description: 'Required for stop and take orders' })),
  triggerOffset: optional(priceField({ description: 'Required for trailing stops' })),
};

const advanced = optional(choiceField(TERM_WORDS.advanced, 'Options: unit the price is in'));
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
    choiceField(TERM_WORDS.link, 'How the orders of otocoConfig are linked to this order'),
  ),
  triggerFillCondition: optional(
    choiceField(
      TERM_WORDS.fillCondition,
      'Linked orders: when a fill acts on the others (default first_hit)',
    ),
  ),
  otocoConfig: optional(
    list(otherOrder, {
      max: LINKED_MAX,
      description: 'Orders that are placed or cancelled when this one fills',
      of: 'orders',
    }),
  ),
};

const changeShape = {
  ...size,
  price: terms.price,
  postOnly: optional(switchField('As in buy; unchanged when absent')),
  rejectPostOnly: optional(
    switchField('As in buy; with the refusal (11054) of an edit the order is cancelled'),
  ),
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
