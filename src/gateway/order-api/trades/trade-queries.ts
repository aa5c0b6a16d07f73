// Trade queries of an account.

import { z } from 'zod';
import type { TradeRecord } from '../../../core/order/order-record.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { instantField, wholeField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { instrumentNotFound } from '../find-instrument.ts';
import { accountMethod, answered, type Method } from '../method.ts';
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

/** Upper bound of the fills of one order. */
export const FILLS_MAX = 2_000;

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
  run: ({ account, desk }, { orderId, sorting, historical }) =>
    answered(
      desk.trades({ account, orderId, sorting, historical, count: FILLS_MAX }),
      ({ trades }) => trades.map(tradeView),
    ),
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
  run: ({ account, desk }, params) => {
    const { currency, kind, startId, endId, count, sorting, historical } = params;
    const { startTimestamp: from, endTimestamp: until } = params;
    const filter = { account, currency: currency.code, kinds: kind };
    const window = { from, until, startId, endId, count, sorting, historical };
    return answered(desk.trades({ ...filter, ...window }), pageView);
  },
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
  run: ({ account, desk, now }, params) => {
    const { instrumentName: instrument, startSeq, endSeq, count, sorting, historical } = params;
    if (desk.instrument(instrument) === undefined) {
      return instrumentNotFound(instrument, { markets: [desk], now });
    }
    const { startTimestamp: from, endTimestamp: until } = params;
    const window = { from, until, startSeq, endSeq, count, sorting, historical };
    return answered(desk.trades({ account, instrument, ...window }), pageView);
  },
});

export const TRADE_QUERIES = [
  byOrder,
  byCurrency,
  byInstrument,
] as const satisfies readonly Method[];
