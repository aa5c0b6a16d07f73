// Trade queries of an account.
//
// Decisions: `subaccount_id` may name any account of the key, others are forbidden; `include_old`, which clients still
// send, is ignored; `sorting: default` is newest first, and oldest first for the trades of one order.

import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import type { TradesQuery } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered } from '../../order-api/method.ts';
import { orderIdField, sortingField, tradeIdField } from '../../order-api/param-fields.ts';
import { FILLS_MAX, type TradesPage } from '../../order-api/trades/trade-queries.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
  privateMethod,
} from '../method/deribit-method.ts';
import { flagParam, instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam, kindParam } from '../method/instrument-params.ts';
import { ifListed } from '../method/listed-instrument.ts';
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
  subaccount_id: subaccountParam,
};

const from = instantParam('From this time on');
const until = instantParam('Up to this time');
const maybeWindow = { start_timestamp: optional(from), end_timestamp: optional(until) };
const window = { start_timestamp: from, end_timestamp: until };

const byOrder = privateMethod({
  row: ROWS.getUserTradesByOrder,
  params: { order_id: orderIdField, ...shared, sorting: sortingField('asc') },
  run: (call, { order_id: orderId, sorting, historical: isOld, subaccount_id: id }) =>
    asSubaccount(call, id, ({ account, desk }) =>
      answered(
        desk.trades({ account, orderId, sorting, historical: isOld, count: FILLS_MAX }),
        ({ trades }) => trades.map(tradeJson),
      ),
    ),
});

interface PageParams extends Pick<TradesQuery, 'count' | 'sorting' | 'historical'> {
  readonly start_timestamp?: TradesQuery['from'];
  readonly end_timestamp?: TradesQuery['until'];
  readonly subaccount_id?: AccountId | undefined;
}

type Which = Omit<TradesQuery, 'account' | keyof PageParams>;

const page = (call: PrivateCall, params: PageParams, which: Which): DeribitAnswer =>
  asSubaccount(call, params.subaccount_id, ({ account, desk }) => {
    const {
      count,
      sorting,
      historical: isOld,
      start_timestamp: start,
      end_timestamp: end,
    } = params;
    const asked = { account, from: start, until: end, count, sorting, historical: isOld };
    return answered(desk.trades({ ...which, ...asked }), pageJson);
  });

const ofCurrency = { currency: currencyParam, kind: kindParam, ...shared };

const byCurrency = privateMethod({
  row: ROWS.getUserTradesByCurrency,
  params: {
    ...ofCurrency,
    ...maybeWindow,
    start_id: tradeIdField('From this trade on'),
    end_id: tradeIdField('Up to this trade'),
  },
  run: (call, params) => {
    const { currency, kind: kinds, start_id: startId, end_id: endId } = params;
    return page(call, params, { currency: currency.code, kinds, startId, endId });
  },
});

const byCurrencyAndTime = privateMethod({
  row: ROWS.getUserTradesByCurrencyAndTime,
  params: { ...ofCurrency, ...window },
  run: (call, params) => page(call, params, { currency: params.currency.code, kinds: params.kind }),
});

const seq = (description: string) =>
  optional(wholeParam({ min: 1, max: Number.MAX_SAFE_INTEGER, description }));

const byInstrument = privateMethod({
  row: ROWS.getUserTradesByInstrument,
  params: {
    instrument_name: instrumentParam,
    ...shared,
    ...maybeWindow,
    start_seq: seq('From this number on'),
    end_seq: seq('Up to this number'),
  },
  run: (call, params) => {
    const { instrument_name: instrument, start_seq: startSeq, end_seq: endSeq } = params;
    return ifListed(call, instrument, () => page(call, params, { instrument, startSeq, endSeq }));
  },
});

const byInstrumentAndTime = privateMethod({
  row: ROWS.getUserTradesByInstrumentAndTime,
  params: { instrument_name: instrumentParam, ...shared, ...window },
  run: (call, params) => {
    const instrument = params.instrument_name;
    return ifListed(call, instrument, () => page(call, params, { instrument }));
  },
});

export const DERIBIT_TRADE_QUERIES: readonly DeribitMethod[] = [
  byOrder,
  byCurrency,
  byCurrencyAndTime,
  byInstrument,
  byInstrumentAndTime,
];
