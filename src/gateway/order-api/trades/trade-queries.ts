// Trade queries of an account.

import { z } from 'zod';
import type { TradeRecord } from '../../../core/order/order-record.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { instantField, wholeField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import { ofListed } from '../order-runs.ts';
import {
  countField,
  currencyField,
  historicalField,
  instrumentField,
  kindField,
  orderIdField,
  sortingField,
  tradeIdField,
} from '../param-fields.ts';
import { tradeSchema, tradeView } from './trade-view.ts';

const pageSchema = z.object({
  trades: z.array(tradeSchema),
  hasMore: z.boolean().describe('Whether there are more'),
});

export interface TradesPage {
  readonly trades: readonly TradeRecord[];
  readonly hasMore: boolean;
}

const pageView = ({ trades, hasMore }: TradesPage) => ({ trades: trades.map(tradeView), hasMore });

const byOrder = accountMethod({
  row: ROWS.getUserTradesByOrder,
  summary: 'Trades of one order',
  params: { orderId: orderIdField, sorting: sortingField('asc'), historical: historicalField },
  result: z.array(tradeSchema),
  example: { orderId: '1' },
  run: (call, params) =>
    answered(ROWS.getUserTradesByOrder.run(call, params), ({ trades }) => trades.map(tradeView)),
});

const windowShape = {
  startTimestamp: optional(instantField('From this time on, Unix milliseconds')),
  endTimestamp: optional(instantField('Up to this time, Unix milliseconds')),
  count: countField(10),
  sorting: sortingField('desc'),
  historical: historicalField,
};

const byCurrency = accountMethod({
  row: ROWS.getUserTradesByCurrency,
  summary: 'Trades of a settlement currency',
  params: {
    currency: currencyField,
    kind: kindField,
    startId: tradeIdField('From this trade on'),
    endId: tradeIdField('Up to this trade'),
    ...windowShape,
  },
  result: pageSchema,
  example: { currency: 'BTC', count: 100 },
  run: (call, params) => answered(ROWS.getUserTradesByCurrency.run(call, params), pageView),
});

const seqField = (description: string) =>
  optional(wholeField({ min: 1, max: Number.MAX_SAFE_INTEGER, description }));

const byInstrument = accountMethod({
  row: ROWS.getUserTradesByInstrument,
  summary: 'Trades of an instrument',
  params: {
    instrumentName: instrumentField,
    startSeq: seqField('From this number on'),
    endSeq: seqField('Up to this number'),
    ...windowShape,
  },
  result: pageSchema,
  example: { instrumentName: 'BTC-PERPETUAL', sorting: 'asc' },
  run: (call, params) =>
    ofListed(call, params, () =>
      answered(ROWS.getUserTradesByInstrument.run(call, params), pageView),
    ),
});

export const TRADE_QUERIES = [
  byOrder,
  byCurrency,
  byInstrument,
] as const satisfies readonly Method[];
