// Block RFQ methods for takers: create, cancel, accept. An accept without an answer may have traded;
// block/rfqs/get_trades with the id of the RFQ shows whether it did.

import { z } from 'zod';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import {
  choiceField,
  priceField,
  quantityField,
  switchField,
  textField,
} from '../../wire/field-kinds.ts';
import { list, mapped, optional, optionalOr, record } from '../../wire/fields.ts';
import { placeIdempotently } from '../idempotent-placement.ts';
import { answered, type Method } from '../method.ts';
import { instrumentField, labelField } from '../param-fields.ts';
import {
  allocationField,
  hedgeField,
  LEGS_MAX,
  ratioLegField,
  rfqIdField,
  sideField,
} from '../rfq-parts.ts';
import { blockTradeSchema, blockTradeView } from './block-trade-view.ts';
import { idempotencyKey, rfqMethod } from './rfq-method.ts';
import { rfqSchema, rfqView, triggerSchema, triggerView } from './rfq-view.ts';

const MAKERS_MAX = 100;
const ALLOCATIONS_MAX = 100;

const newLeg = mapped(
  record(
    {
      instrumentName: instrumentField,
      quantity: quantityField({ description: 'Size of the leg' }),
      side: sideField('Side of the leg when the structure is bought'),
    },
    'A leg of the structure',
  ),
  ({ instrumentName: instrument, ...rest }) => ({ ...rest, instrument }),
);

const createRfq = rfqMethod({
  row: ROWS.createRfq,
  summary: 'Create a Block RFQ: request quotes on a structure from makers',
  params: {
    legs: list(newLeg, {
      min: 1,
      max: LEGS_MAX,
      description: 'Legs of the structure; their sizes become one quantity and ratios',
      of: 'legs',
    }),
    hedge: optional(hedgeField),
    makers: optional(
      list(textField({ max: 64, description: 'Alias' }), {
        max: MAKERS_MAX,
        description: 'Aliases of the makers to address; all when absent or empty',
        of: 'aliases',
      }),
    ),
    disclosed: optionalOr(
      switchField(
        'Show names to the counterparty (default true); false needs at least five makers, or all',
      ),
      true,
    ),
    label: optional(labelField('Label of the taker, at most 64 characters')),
    tradeAllocations: optional(
      list(allocationField, {
        max: ALLOCATIONS_MAX,
        description: 'Shares of the quantity; they must add up to it',
        of: 'shares',
      }),
    ),
    idempotencyKey,
  },
  result: rfqSchema,
  example: {
    legs: [{ instrumentName: 'BTC-PERPETUAL', quantity: '200000', side: 'buy' }],
    label: 'example',
    disclosed: true,
  },
  run: (call, params) => {
    const { makers = [], tradeAllocations: allocations = [], legs, hedge } = params;
    const { disclosed, label } = params;
    const asked = { account: call.account, legs, hedge, makers, disclosed, label, allocations };
    const act = () => answered(call.rfqs.create(asked), rfqView);
    return placeIdempotently(call, { method: 'block/rfqs/create_rfq', params, act });
  },
});

const tradeSchema = z.object({
  blockTrades: z.array(blockTradeSchema).describe('One per maker; none while the accept waits'),
  tradeTrigger: triggerSchema.nullable().describe('The waiting accept; null if it traded'),
  blockRfq: rfqSchema,
});

const trade = rfqMethod({
  row: ROWS.acceptRfq,
  summary: 'Accept a Block RFQ: trade its whole quantity at this price or better',
  params: {
    blockRfqId: rfqIdField,
    side: sideField('Side of the taker: buy trades with the asks'),
    quantity: quantityField({ description: 'The quantity of the RFQ' }),
    price: priceField({ description: 'Worst price for the whole structure' }),
    timeInForce: optionalOr(
      choiceField(
        { fill_or_kill: 'fill_or_kill', good_til_cancelled: 'good_til_cancelled' } as const,
        'fill_or_kill (default): immediately or not at all; good_til_cancelled: as soon as quotes allow',
      ),
      'fill_or_kill',
    ),
    legs: optional(
      list(ratioLegField, {
        max: LEGS_MAX,
        description: 'The legs of the RFQ, as a safeguard',
        of: 'legs',
      }),
    ),
    hedge: optional(hedgeField),
    idempotencyKey,
  },
  result: tradeSchema,
  example: { blockRfqId: '1', side: 'buy', quantity: '200000', price: '60000' },
  run: (call, params) => {
    const { blockRfqId: rfqId, side, quantity, price, timeInForce, legs, hedge } = params;
    const accept = {
      account: call.account,
      rfqId,
      side,
      quantity,
      price,
      timeInForce,
      legs,
      hedge,
    };
    const act = () =>
      answered(call.rfqs.accept(accept), ({ blockTrades, trigger, rfq }) => ({
        blockTrades: blockTrades.map(blockTradeView),
        tradeTrigger: trigger === undefined ? null : triggerView(trigger),
        blockRfq: rfqView(rfq),
      }));
    return placeIdempotently(call, { method: 'block/rfqs/trade', params, act });
  },
});

const cancelRfq = rfqMethod({
  row: ROWS.cancelRfq,
  summary: 'Cancel a Block RFQ; its quotes end with it',
  params: { blockRfqId: rfqIdField },
  result: rfqSchema,
  example: { blockRfqId: '1' },
  run: ({ rfqs, account }, { blockRfqId: rfqId }) =>
    answered(rfqs.cancelRfq({ account, rfqId }), rfqView),
});

const cancelTrigger = rfqMethod({
  row: ROWS.cancelRfqTrigger,
  summary: 'Cancel a waiting accept; the RFQ stays open',
  params: {
    blockRfqId: rfqIdField,
    side: optional(sideField('Side of the accept; both when absent')),
  },
  result: rfqSchema,
  example: { blockRfqId: '1' },
  run: ({ rfqs, account }, { blockRfqId: rfqId, side }) =>
    answered(rfqs.cancelTrigger({ account, rfqId, side }), rfqView),
});

export const RFQ_METHODS = [
  createRfq,
  trade,
  cancelRfq,
  cancelTrigger,
] as const satisfies readonly Method[];
