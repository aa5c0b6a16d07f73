// Trade queries of an account.
//
// Decisions: `subaccount_id` may name any account of the key, others are forbidden; `include_old`, which clients still
// send, is ignored; `sorting: default` is newest first, and oldest first for the trades of one order.

import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import type { AccountId } from '../../../values/ids.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered } from '../../order-api/method.ts';
import { ofListed } from '../../order-api/order-runs.ts';
import { orderIdField, sortingField, tradeIdField } from '../../order-api/param-fields.ts';
import type { TradesPage } from '../../order-api/trades/trade-queries.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
  privateMethod,
} from '../method/deribit-method.ts';
import { flagParam, instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam, kindParam } from '../method/instrument-params.ts';
import { asSubaccount, countParam, subaccountParam } from '../method/private-params.ts';

const pageJson = ({ trades, hasMore }: TradesPage) => ({
  trades: trades.map(tradeJson),
  has_more: hasMore,
});

const historical = optionalOr(flagParam('Only trades older than the recent ones'), false);

const shared = {
  count: countParam(10),
  sorting: sortingField('desc'),
  historical,
  accountId: subaccountParam,
};

const from = instantParam('From this time on');
const until = instantParam('Up to this time');
const maybeWindow = { startTimestamp: optional(from), endTimestamp: optional(until) };
const window = { startTimestamp: from, endTimestamp: until };

const byOrder = privateMethod({
  row: ROWS.getUserTradesByOrder,
  params: { orderId: orderIdField, ...shared, sorting: sortingField('asc') },
  run: (call, params) =>
    asSubaccount(call, params.accountId, (at) =>
      answered(ROWS.getUserTradesByOrder.run(at, params), ({ trades }) => trades.map(tradeJson)),
    ),
});

type PageParams = Parameters<typeof ROWS.getUserTradesByCurrency.run>[1] & {
  readonly accountId?: AccountId | undefined;
};

const page = (call: PrivateCall, params: PageParams): DeribitAnswer =>
  ofListed(call, params, () =>
    asSubaccount(call, params.accountId, (at) =>
      answered(ROWS.getUserTradesByCurrency.run(at, params), pageJson),
    ),
  );

const ofCurrency = { currency: currencyParam, kind: kindParam, ...shared };

const byCurrency = privateMethod({
  row: ROWS.getUserTradesByCurrency,
  params: {
    ...ofCurrency,
    ...maybeWindow,
    startId: tradeIdField('From this trade on'),
    endId: tradeIdField('Up to this trade'),
  },
  run: page,
});

const byCurrencyAndTime = privateMethod({
  row: ROWS.getUserTradesByCurrencyAndTime,
  params: { ...ofCurrency, ...window },
  run: page,
});

const seq = (description: string) =>
  optional(wholeParam({ min: 1, max: Number.MAX_SAFE_INTEGER, description }));

const byInstrument = privateMethod({
  row: ROWS.getUserTradesByInstrument,
  params: {
    instrumentName: instrumentParam,
    ...shared,
    ...maybeWindow,
    startSeq: seq('From this number on'),
    endSeq: seq('Up to this number'),
  },
  run: page,
});

const byInstrumentAndTime = privateMethod({
  row: ROWS.getUserTradesByInstrumentAndTime,
  params: { instrumentName: instrumentParam, ...shared, ...window },
  run: page,
});

export const DERIBIT_TRADE_QUERIES: readonly DeribitMethod[] = [
  byOrder,
  byCurrency,
  byCurrencyAndTime,
  byInstrument,
  byInstrumentAndTime,
];
