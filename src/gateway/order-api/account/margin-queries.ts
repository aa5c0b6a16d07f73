// The order method that says beforehand what an order would need.

import { z } from 'zod';
import type { OrderNeeds, SideNeeds } from '../../../ports/trading-desk.ts';
import { text as decimalText } from '../../../values/amounts.ts';
import type { Currency } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { priceField, quantityField } from '../../wire/field-kinds.ts';
import { instrumentNotFound } from '../find-instrument.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import { instrumentField } from '../param-fields.ts';
import { decimal, text } from '../result-fields.ts';

const sideSchema = z.object({
  margin: decimal(
    'Initial margin, or what the order reserves: the premium of an option, the cost of spot',
  ),
  currency: text('Currency of the margin'),
  takerFee: decimal('Fee if it takes, in the fee currency'),
  makerFee: decimal('Fee if it rests; negative for a rebate'),
});

const needsSchema = z
  .object({
    instrumentName: text('Instrument name'),
    buy: sideSchema.describe('What a purchase needs'),
    sell: sideSchema.describe('What a sale needs'),
    minPrice: decimal('Lowest price accepted; absent without a price band').optional(),
    maxPrice: decimal('Highest price accepted; absent without a price band').optional(),
  })
  .describe('What an order needs by itself');

const margins = accountMethod({
  row: ROWS.getMargins,
  summary: 'Margin and fees of an order by itself; one that reduces a position needs less',
  params: {
    instrumentName: instrumentField,
    quantity: quantityField({ description: 'Size of the order, in the unit of the instrument' }),
    price: priceField({ description: 'Limit price of the order' }),
  },
  result: needsSchema,
  example: { instrumentName: 'BTC-PERPETUAL', quantity: '1000', price: '60000' },
  run: ({ account, desk, orders, now }, { instrumentName, quantity, price }) => {
    const instrument = desk.instrument(instrumentName);
    if (instrument === undefined) {
      return instrumentNotFound(instrumentName, { markets: [desk], now });
    }
    const order = { account, instrument: instrumentName, quantity, price };
    return answered(orders.margins.needs(order), (needs) => needsView(instrument, needs));
  },
});

const needsView = (
  instrument: Instrument,
  { buy, sell, minPrice, maxPrice }: OrderNeeds,
): z.output<typeof needsSchema> => {
  const { kind, base, quote, settlement } = instrument;
  const isSpot = kind === 'spot';
  return {
    instrumentName: instrument.name,
    buy: sideView(buy, isSpot ? quote : settlement),
    sell: sideView(sell, isSpot ? base : settlement),
    ...(minPrice !== undefined && { minPrice: decimalText(minPrice) }),
    ...(maxPrice !== undefined && { maxPrice: decimalText(maxPrice) }),
  };
};

const sideView = ({ margin, takerFee, makerFee }: SideNeeds, currency: Currency) => ({
  margin: decimalText(margin),
  currency,
  takerFee: decimalText(takerFee),
  makerFee: decimalText(makerFee),
});

export const MARGIN_QUERIES = [margins] as const satisfies readonly Method[];
