// Fields shared by Block RFQs, quotes and block trades: legs, the hedge, allocations, currencies and ids.

import { z } from 'zod';
import {
  text as decimalText,
  type Money,
  type Quantity,
  type Ratio,
  ratio,
} from '../../values/amounts.ts';
import type {
  PricedRfqLeg,
  RfqHedge,
  RfqLeg,
  TradeAllocation,
} from '../../values/block-rfq-record.ts';
import {
  choiceField,
  priceField,
  quantityField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { mapped, optional, record } from '../wire/fields.ts';
import { instrumentField } from './param-fields.ts';
import { decimal, text, whole } from './result-fields.ts';

export const LEGS_MAX = 20;

export const sideField = (description: string) =>
  choiceField({ buy: 'buy', sell: 'sell' } as const, description);

export const rfqIdField = textField({
  max: 64,
  description: 'Id of the Block RFQ; takers and makers know it by different ids',
});
export const quoteIdField = textField({ max: 64, description: 'Id of the quote' });

/** Converted to the names of the port. */
export const hedgeField = mapped(
  record(
    {
      instrumentName: instrumentField,
      quantity: quantityField({ description: 'Size of the hedge' }),
      side: sideField('Side of the hedge'),
      price: priceField({ description: 'Price of the hedge' }),
    },
    'One leg with a fixed price that hedges the others; set by the taker, repeated by quotes',
  ),
  ({ instrumentName: instrument, ...rest }): RfqHedge => ({ ...rest, instrument }),
);

const CLIENT_ID = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

export const allocationField = mapped(
  record(
    {
      amount: quantityField({ description: 'Share of the quantity of the RFQ' }),
      userId: optional(wholeField({ ...CLIENT_ID, description: 'User who gets the share' })),
      clientInfo: optional(
        record(
          {
            clientId: wholeField({ ...CLIENT_ID, description: 'Client of a broker' }),
            clientLinkId: optional(wholeField({ ...CLIENT_ID, description: 'Link to the client' })),
          },
          'Client of a broker who gets the share',
        ),
      ),
    },
    'A share and its recipient: userId or clientInfo',
  ),
  ({ amount: quantity, userId, clientInfo: client }): TradeAllocation => ({
    quantity,
    userId,
    client,
  }),
);

/** The leg of a priced structure: the ratio times the total quantity is the size of the leg. */
const legShape = {
  instrumentName: instrumentField,
  ratio: quantityField({ description: 'Size of the leg for a quantity of 1, at most 2 decimals' }),
  side: sideField('Side of the leg, as the RFQ lists it'),
};

/** Read by the rules of a quantity: a decimal above zero. */
const asRatio = (size: Quantity): Ratio => ratio(decimalText(size));

export const ratioLegField = mapped(
  record(legShape, 'A leg of the RFQ'),
  ({ instrumentName: instrument, ratio: size, ...rest }): RfqLeg => ({
    ...rest,
    instrument,
    ratio: asRatio(size),
  }),
);

export const pricedLegField = mapped(
  record(
    { ...legShape, price: priceField({ description: 'Price of the leg' }) },
    'A leg of the RFQ with its price',
  ),
  ({ instrumentName: instrument, ratio: size, ...rest }): PricedRfqLeg => ({
    ...rest,
    instrument,
    ratio: asRatio(size),
  }),
);

export const side = z.enum(['buy', 'sell']);

export const legSchema = z.object({
  instrumentName: text('Instrument name'),
  ratio: decimal('Size of the leg for a quantity of 1'),
  side: side.describe('Side of the leg when the structure is bought'),
});

export const pricedLegSchema = legSchema.extend({ price: decimal('Price of the leg') });

export const hedgeSchema = z
  .object({
    instrumentName: text('Instrument name'),
    quantity: decimal('Size'),
    side: side.describe('Side'),
    price: decimal('Price'),
  })
  .describe('The hedge leg');

export const allocationSchema = z
  .object({
    amount: decimal('Share of the quantity'),
    userId: whole('User who gets it').optional(),
    clientInfo: z
      .object({
        clientId: whole('Client of a broker'),
        clientLinkId: whole('Link to the client').optional(),
        name: text('Name of the client').optional(),
      })
      .optional(),
    fee: decimal('Fee of the share; only in block trades').optional(),
  })
  .describe('A share of an allocated quantity');

export const legView = ({ instrument, ratio: size, side: legSide }: RfqLeg) => ({
  instrumentName: instrument,
  ratio: decimalText(size),
  side: legSide,
});

export const pricedLegView = (leg: PricedRfqLeg) => ({
  ...legView(leg),
  price: decimalText(leg.price),
});

export const hedgeView = ({ instrument, quantity, side: hedgeSide, price }: RfqHedge) => ({
  instrumentName: instrument,
  quantity: decimalText(quantity),
  side: hedgeSide,
  price: decimalText(price),
});

export const allocationView = ({
  quantity,
  userId,
  client,
  fee,
}: TradeAllocation & { readonly fee?: Money | undefined }): z.infer<typeof allocationSchema> => ({
  amount: decimalText(quantity),
  userId,
  clientInfo: client,
  fee: fee && decimalText(fee),
});
