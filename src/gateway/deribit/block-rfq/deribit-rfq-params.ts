// Params of Block RFQ methods: ids, structures with and without prices, the hedge, shares.
//
// Decisions: ids are integers, and accepted as text too; `hedge` is an object, although the schema calls it text.
import type {
  PricedRfqLeg,
  RfqHedge,
  RfqLeg,
  TradeAllocation,
} from '../../../values/block-rfq-record.ts';
import { LEGS_MAX } from '../../order-api/rfq-parts.ts';
import { field, mapped, optional } from '../../wire/fields.ts';
import { amountParam, plainDigits, priceParam, wholeParam } from '../method/deribit-params.ts';
import { directionParam, instrumentParam } from '../method/instrument-params.ts';
import { listParam, objectParam, ratioParam } from '../method/nested-params.ts';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export const idParam = (description: string) =>
  field<string, string | number>({
    schema: { type: 'integer' },
    description,
    accepted: 'an id that an earlier answer gave',
    read: (value) => {
      const written = typeof value === 'string' ? value : plainDigits(value);
      return written !== undefined && ID.test(written) ? written : undefined;
    },
  });

const instrumentAndDirection = { instrument_name: instrumentParam, direction: directionParam };

const newLeg = mapped(
  objectParam(
    { ...instrumentAndDirection, amount: amountParam({ description: 'Size of the leg' }) },
    'A leg of the structure',
  ),
  ({ instrument_name: instrument, direction: side, amount: quantity }) => ({
    instrument,
    side,
    quantity,
  }),
);

const structure = { min: 1, max: LEGS_MAX, description: 'Legs of the structure', of: 'legs' };

export const newLegsParam = listParam(newLeg, structure);

const ratioLeg = mapped(
  objectParam(
    { ...instrumentAndDirection, ratio: ratioParam({ description: 'Size for an amount of 1' }) },
    'A leg of the RFQ',
  ),
  ({ instrument_name: instrument, direction: side, ratio: of }): RfqLeg => ({
    instrument,
    side,
    ratio: of,
  }),
);

export const legsParam = listParam(ratioLeg, structure);

const pricedLeg = mapped(
  objectParam(
    {
      ...instrumentAndDirection,
      ratio: ratioParam({ description: 'Size for an amount of 1' }),
      price: priceParam({ description: 'Price of the leg' }),
    },
    'A leg of the RFQ with its price',
  ),
  ({ instrument_name: instrument, direction: side, ratio: of, price }): PricedRfqLeg => ({
    instrument,
    side,
    ratio: of,
    price,
  }),
);

export const pricedLegsParam = listParam(pricedLeg, structure);

export const hedgeParam = optional(
  mapped(
    objectParam(
      {
        ...instrumentAndDirection,
        amount: amountParam({ description: 'Size of the hedge' }),
        price: priceParam({ description: 'Price of the hedge' }),
      },
      'A leg with a fixed price that hedges the others',
    ),
    ({ instrument_name: instrument, direction: side, amount: quantity, price }): RfqHedge => ({
      instrument,
      side,
      quantity,
      price,
    }),
  ),
);

const clientId = wholeParam({
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  description: 'Number of a user or client',
});

const SHARES_MAX = 100;

const share = mapped(
  objectParam(
    {
      amount: amountParam({ description: 'Share of the amount' }),
      user_id: optional(clientId),
      client_info: optional(
        mapped(
          objectParam(
            { client_id: clientId, client_link_id: optional(clientId) },
            'Client of a broker',
          ),
          (client) => ({ clientId: client.client_id, clientLinkId: client.client_link_id }),
        ),
      ),
    },
    'A share and its recipient: user_id or client_info',
  ),
  ({ amount: quantity, user_id: userId, client_info: client }): TradeAllocation => ({
    quantity,
    userId,
    client,
  }),
);

export const sharesParam = optional(
  listParam(share, { max: SHARES_MAX, description: 'Shares of the amount', of: 'shares' }),
);
