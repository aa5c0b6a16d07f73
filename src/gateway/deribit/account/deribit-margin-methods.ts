// What orders need of an account: margins and fees by size and price, and the margins of open orders.
//
// Decisions: needs are of the order alone, as the venue names them by instrument, amount and price; an order that reduces a
// position is admitted with less. What an order reserves (the cost of a spot order, the premium of an option that is
// bought or of a combo) is its margin, with the highest fee that may be charged. A buy of spot needs the quote currency, a
// sale the base. A price band that is not known is 0. Orders that are not open are left out of the margins by id, those
// that wait for a trigger need nothing.

import { decimalNumber, ZERO } from '../../../ports/deribit-wire/json-number.ts';
import type { OrderNeeds } from '../../../ports/trading-desk.ts';
import type { Price } from '../../../values/amounts.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { ifListed } from '../../order-api/find-instrument.ts';
import { answered } from '../../order-api/method.ts';
import { orderIdField } from '../../order-api/param-fields.ts';
import { type DeribitMethod, privateMethod } from '../method/deribit-method.ts';
import { amountParam, priceParam } from '../method/deribit-params.ts';
import { instrumentParam } from '../method/instrument-params.ts';
import { listParam } from '../method/nested-params.ts';

/** As many as an account is likely to have open. */
const IDS_MAX = 1_000;

const bandNumber = (limit: Price | undefined) =>
  limit === undefined ? ZERO : decimalNumber(limit);

const needsJson = ({ buy, sell, minPrice, maxPrice }: OrderNeeds) => ({
  buy: decimalNumber(buy.margin),
  sell: decimalNumber(sell.margin),
  buy_taker_fee: decimalNumber(buy.takerFee),
  buy_maker_fee: decimalNumber(buy.makerFee),
  sell_taker_fee: decimalNumber(sell.takerFee),
  sell_maker_fee: decimalNumber(sell.makerFee),
  min_price: bandNumber(minPrice),
  max_price: bandNumber(maxPrice),
});

const margins = privateMethod({
  row: ROWS.getMargins,
  params: {
    instrumentName: instrumentParam,
    amount: amountParam({ description: 'Amount of the order' }),
    price: priceParam({ description: 'Price of the order' }),
  },
  run: (call, { instrumentName: instrument, amount: quantity, price }) =>
    ifListed(call, instrument, () => {
      const { account, orders } = call;
      return answered(orders.margins.needs({ account, instrument, quantity, price }), needsJson);
    }),
});

const orderMargins = privateMethod({
  row: ROWS.getOrderMarginByIds,
  params: {
    ids: listParam(orderIdField, {
      min: 1,
      max: IDS_MAX,
      description: 'Ids of orders',
      of: 'ids',
    }),
  },
  run: ({ account, orders }, { ids }) =>
    answered(orders.margins.ofOrders(account, ids), (found) =>
      found.map(({ orderId, margin, currency }) => ({
        order_id: orderId,
        initial_margin: decimalNumber(margin),
        initial_margin_currency: currency,
      })),
    ),
});

export const DERIBIT_MARGIN_METHODS: readonly DeribitMethod[] = [margins, orderMargins];
