// Deribit's public methods about funding, mark prices, deliveries and settlements of the past. Decisions: a public
// settlement has the prices of its instant, and no totals of positions and profits, which this exchange does not keep.

import { decimalNumber, modelNumber, ZERO } from '../../../ports/deribit-wire/json-number.ts';
import { interestOf } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { FundingHour, PastMark } from '../../../ports/market-history.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, isoText, later } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { looked, onMarket } from '../../order-api/market/ask-market.ts';
import { done } from '../../order-api/method.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optionalOr } from '../../wire/fields.ts';
import { type Continuation, continuationText } from '../method/continuation-param.ts';
import { type DeribitMethod, publicMethod } from '../method/deribit-method.ts';
import { instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam, indexParam, instrumentParam } from '../method/instrument-params.ts';
import { countParam } from '../method/private-params.ts';
import { SETTLEMENT_PARAMS, type SettlementType } from '../method/settlement-params.ts';
import { askHistory, historyAt, notKept } from './ask-history.ts';
import { onIndex } from './deribit-price-methods.ts';

const RATE_PLACES = 10;
const SPAN = {
  start_timestamp: instantParam('First instant'),
  end_timestamp: instantParam('Last instant'),
};
const ofSpan = (span: { readonly start_timestamp: Instant; readonly end_timestamp: Instant }) => ({
  from: span.start_timestamp,
  until: later(span.end_timestamp, 1),
});

const fundingValue = publicMethod({
  row: ROWS.getFundingRateValue,
  params: { instrumentName: instrumentParam, ...SPAN },
  run: (call, { instrumentName: name, ...span }) =>
    askHistory(call, name, {
      kind: 'fundingPaid',
      query: { instrument: name, ...ofSpan(span) },
      write: (paid) => modelNumber(paid, RATE_PLACES),
    }),
});

const fundingRow = ({ at, index, indexBefore, oneHour, eightHours }: FundingHour) => ({
  timestamp: at,
  index_price: decimalNumber(index),
  prev_index_price: decimalNumber(indexBefore),
  interest_1h: modelNumber(oneHour, RATE_PLACES),
  interest_8h: modelNumber(eightHours, RATE_PLACES),
});

const fundingHistory = publicMethod({
  row: ROWS.getFundingRateHistory,
  params: { instrumentName: instrumentParam, ...SPAN },
  run: (call, { instrumentName: name, ...span }) =>
    askHistory(call, name, {
      kind: 'funding',
      query: { instrument: name, ...ofSpan(span) },
      write: (rows) => rows.map(fundingRow),
    }),
});

const LENGTHS = { '8h': 8 * HOUR_MS, '24h': DAY_MS, '1m': 31 * DAY_MS } as const;

const fundingChart = publicMethod({
  row: ROWS.getFundingChartData,
  params: {
    instrumentName: instrumentParam,
    length: choiceField<number, keyof typeof LENGTHS>(LENGTHS, 'How far back'),
  },
  run: (call, { instrumentName: name, length }) =>
    onMarket(call, name, async (market) => {
      const now = call.now();
      const span = { from: later(now, -length), until: later(now, 1) };
      const rows = await market.history('funding', { instrument: name, ...span });
      const ticker = await market.ticker(name);
      if (rows === undefined || ticker === undefined) return notKept();
      return done({
        current_interest: modelNumber(interestOf(ticker), RATE_PLACES),
        interest_8h: modelNumber(ticker.funding8h ?? 0, RATE_PLACES),
        data: rows.map(({ at, index, eightHours }) => ({
          timestamp: at,
          index_price: decimalNumber(index),
          interest_8h: modelNumber(eightHours, RATE_PLACES),
        })),
      });
    }),
});

const MARK_EVERY_MS = 60_000;

const markHistory = publicMethod({
  row: ROWS.getMarkPriceHistory,
  params: { instrumentName: instrumentParam, ...SPAN },
  run: (call, { instrumentName: name, ...span }) =>
    askHistory(call, name, {
      kind: 'marks',
      query: { instrument: name, ...ofSpan(span), everyMs: MARK_EVERY_MS },
      write: (rows) => rows.map(({ at, mark }) => [at, decimalNumber(mark)]),
    }),
});

const DATE_LENGTH = 10;

const deliveryPrices = publicMethod({
  row: ROWS.getDeliveryPrices,
  params: {
    index_name: indexParam,
    offset: optionalOr(
      wholeParam({ min: 0, max: 100_000, description: 'How many to leave out' }),
      0,
    ),
    count: countParam(10),
  },
  run: (call, { index_name: index, offset, count }) =>
    onIndex(call, index, (market) =>
      historyAt(
        market,
        { kind: 'deliveries', query: { index, offset, count } },
        ({ total, prices }) => ({
          records_total: total,
          data: prices.map(({ at, price }) => ({
            date: isoText(at).slice(0, DATE_LENGTH),
            delivery_price: decimalNumber(price),
          })),
        }),
      ),
    ),
});

interface Settlement {
  readonly at: Instant;
  readonly json: Readonly<Record<string, unknown>>;
}

interface SettlementsAsked {
  readonly type: SettlementType | undefined;
  readonly until: Instant;
}

const SETTLED_AT_MS = 8 * HOUR_MS;
/** Whole multiples of it are 08:00 once a day. */
const EVERY_MS = 8 * HOUR_MS;
const DAYS = 31;

/** Latest first. */
async function settlementsOf(
  market: MarketReads,
  instrument: Instrument,
  { type, until }: SettlementsAsked,
): Promise<readonly Settlement[]> {
  const { name, kind, expiresAt } = instrument;
  const found: Settlement[] = [];
  if (kind !== 'spot' && (type ?? 'settlement') === 'settlement') {
    const span = { from: later(until, -DAYS * DAY_MS), until: later(until, 1) };
    const rows = await market.history('marks', { instrument: name, ...span, everyMs: EVERY_MS });
    for (const row of rows ?? []) {
      if (row.at % DAY_MS !== SETTLED_AT_MS || row.at >= (expiresAt ?? row.at + 1)) continue;
      found.push({ at: row.at, json: settlementJson(instrument, 'settlement', row) });
    }
  }
  if (type !== 'settlement' && type !== 'bankruptcy' && expiresAt !== undefined) {
    const delivery = (await market.ticker(name))?.deliveryPrice;
    if (delivery !== undefined && expiresAt <= until) {
      const row = { at: expiresAt, mark: delivery, index: delivery };
      found.push({ at: expiresAt, json: settlementJson(instrument, 'delivery', row) });
    }
  }
  return found.reverse();
}

const settlementJson = (
  { name }: Instrument,
  type: SettlementType,
  { at, mark, index }: PastMark,
) => ({
  type,
  timestamp: at,
  instrument_name: name,
  mark_price: decimalNumber(mark),
  index_price: decimalNumber(index),
  position: ZERO,
  profit_loss: ZERO,
  session_profit_loss: ZERO,
  funding: ZERO,
});

function settlementsPage(
  all: readonly Settlement[],
  asked: { readonly count: number; readonly continuation?: Continuation | undefined },
) {
  const { continuation: given = { at: 0 }, count } = asked;
  const from = given.at ?? all.length;
  const sorted = all.toSorted((a, b) => b.at - a.at);
  const next = from + count;
  return {
    settlements: sorted.slice(from, next).map(({ json }) => json),
    continuation: continuationText(next < sorted.length ? next : undefined),
  };
}

const settlementsByInstrument = publicMethod({
  row: ROWS.getLastSettlementsByInstrument,
  params: { instrumentName: instrumentParam, ...SETTLEMENT_PARAMS },
  run: (call, { instrumentName: name, type, search_start_timestamp: start, ...page }) =>
    onMarket(call, name, async (market, instrument) => {
      const at = call.now();
      const until = instant(Math.min(start ?? at, at));
      const all = await settlementsOf(market, instrument, { type, until });
      return done(settlementsPage(all, page));
    }),
});

const settlementsByCurrency = publicMethod({
  row: ROWS.getLastSettlementsByCurrency,
  params: { currency: currencyParam, ...SETTLEMENT_PARAMS },
  run: ({ orders, now }, { currency, type, search_start_timestamp: start, ...page }) =>
    looked(async () => {
      const at = now();
      const until = instant(Math.min(start ?? at, at));
      const all: Settlement[] = [];
      for (const market of orders.markets()) {
        const futures = market
          .listed({ expired: false })
          .filter(({ kind }) => kind === 'perpetual' || kind === 'future');
        for (const one of [...futures, ...market.listed({ expired: true })]) {
          if (currency.code !== undefined && one.settlement !== currency.code) continue;
          all.push(...(await settlementsOf(market, one, { type, until })));
        }
      }
      return done(settlementsPage(all, page));
    }),
});

export const DERIBIT_PAST_METHODS: readonly DeribitMethod[] = [
  fundingValue,
  fundingHistory,
  fundingChart,
  markHistory,
  deliveryPrices,
  settlementsByInstrument,
  settlementsByCurrency,
];
