// Deribit's public methods about trades: the tape and candles. Decisions: without `sorting` the latest trades come first;
// `include_old` is ignored; the instants of a span are both included; sequence numbers and ids select only trades that
// were made, not those computed for a time in which nobody used the book.

import { type Refused, refusal } from '../../../core/order/answer-class.ts';
import { publicTradesJson } from '../../../ports/deribit-wire/public-trade-rows.ts';
import type { HistoryKinds, TapePage, TapeQuery } from '../../../ports/market-history.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { type InstrumentName, tradeId } from '../../../values/ids.ts';
import { HOUR_MS, type Instant, later, MINUTE_MS } from '../../../values/instant.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { findInstrument } from '../../order-api/find-instrument.ts';
import { looked, type MarketCall } from '../../order-api/market/ask-market.ts';
import { done } from '../../order-api/method.ts';
import { publicTradeIdField, sortingField } from '../../order-api/param-fields.ts';
import { field, optional } from '../../wire/fields.ts';
import { type DeribitMethod, publicMethod } from '../method/deribit-method.ts';
import { instantParam, plainDigits, wholeParam } from '../method/deribit-params.ts';
import {
  currencyParam,
  instrumentParam,
  isOfMarket,
  kindParam,
} from '../method/instrument-params.ts';
import { countParam } from '../method/private-params.ts';
import { askHistory, type HistoryAsked } from './ask-history.ts';
import { chartJson } from './deribit-history-json.ts';

const SEQ = { min: 0, max: Number.MAX_SAFE_INTEGER };
const START = instantParam('First instant');
const END = instantParam('Last instant');

const PAGE = { count: countParam(10), sorting: sortingField('desc') };
const SPAN = { start_timestamp: optional(START), end_timestamp: optional(END) };

interface Paged {
  readonly count: number;
  readonly sorting: 'asc' | 'desc';
  readonly start_timestamp?: Instant | undefined;
  readonly end_timestamp?: Instant | undefined;
}

const pageQuery = (params: Paged): Omit<TapeQuery, 'instruments'> => {
  const { count, sorting: order, start_timestamp: from, end_timestamp: end } = params;
  return {
    count,
    order,
    ...(from !== undefined && { from }),
    ...(end !== undefined && { until: later(end, 1) }),
  };
};

const pageJson = (
  { trades, hasMore }: TapePage,
  markets: Parameters<typeof findInstrument>[0],
) => ({
  trades: publicTradesJson(trades, (name) => findInstrument(markets, name)?.instrument),
  has_more: hasMore,
});

const NOT_ON_ROUTED_SPOT = 11060;

/** Of a pair that is matched on another exchange no trade is published. */
const noTape = (param: string, name: string): Refused =>
  refusal(NOT_ON_ROUTED_SPOT, {
    param,
    reason: `${name} is matched on another exchange; accepted: what this exchange matches`,
  });

/** What was made of the trades of an instrument. */
function askTape<K extends 'tape' | 'candles'>(
  call: MarketCall,
  name: InstrumentName,
  asked: HistoryAsked<K> & { readonly write: (answer: HistoryKinds[K]['answer']) => unknown },
): Promise<Reply<unknown>> {
  const found = findInstrument(call.orders.markets(), name);
  if (found?.instrument.isRouted !== true) return askHistory(call, name, asked);
  return Promise.resolve(noTape('instrumentName', name));
}

const tradesByInstrument = publicMethod({
  row: ROWS.getLastTradesByInstrument,
  params: {
    instrumentName: instrumentParam,
    start_seq: optional(wholeParam({ ...SEQ, description: 'First sequence number' })),
    end_seq: optional(wholeParam({ ...SEQ, description: 'Last sequence number' })),
    ...SPAN,
    ...PAGE,
  },
  run: (call, { instrumentName: name, start_seq: fromSeq, end_seq: untilSeq, ...page }) =>
    askTape(call, name, {
      kind: 'tape',
      query: { instruments: [name], ...pageQuery(page), fromSeq, untilSeq },
      write: (found) => pageJson(found, call.orders.markets()),
    }),
});

const tradesByInstrumentAndTime = publicMethod({
  row: ROWS.getLastTradesByInstrumentAndTime,
  params: { instrumentName: instrumentParam, start_timestamp: START, end_timestamp: END, ...PAGE },
  run: (call, { instrumentName: name, ...page }) =>
    askTape(call, name, {
      kind: 'tape',
      query: { instruments: [name], ...pageQuery(page) },
      write: (found) => pageJson(found, call.orders.markets()),
    }),
});

const OF_CURRENCY = { currency: currencyParam, kind: kindParam };

/** The first venue with such instruments answers: ids of several would not be in one order. */
function tapeOfCurrency(
  { orders }: MarketCall,
  wanted: Parameters<typeof isOfMarket>[1],
  query: Omit<TapeQuery, 'instruments'>,
): Promise<Reply<unknown>> {
  return looked(async () => {
    for (const market of orders.markets()) {
      const listed = market.listed({ expired: false }).filter((one) => isOfMarket(one, wanted));
      const routed = listed.find(({ isRouted }) => isRouted === true);
      if (routed !== undefined) return noTape('kind', routed.name);
      const instruments = listed.map(({ name }) => name);
      if (instruments.length === 0) continue;
      const found = await market.history('tape', { ...query, instruments });
      if (found === undefined) continue;
      return done(pageJson(found, [market]));
    }
    return done({ trades: [], has_more: false });
  });
}

const tradesByCurrency = publicMethod({
  row: ROWS.getLastTradesByCurrency,
  params: {
    ...OF_CURRENCY,
    start_id: publicTradeIdField('Id of the first trade'),
    end_id: publicTradeIdField('Id of the last trade'),
    ...SPAN,
    ...PAGE,
  },
  run: (call, { currency, kind, start_id: start, end_id: end, ...page }) =>
    tapeOfCurrency(
      call,
      { kinds: kind, currency: currency.code },
      {
        ...pageQuery(page),
        ...(start !== undefined && { fromId: tradeId(start) }),
        ...(end !== undefined && { untilId: tradeId(end) }),
      },
    ),
});

const tradesByCurrencyAndTime = publicMethod({
  row: ROWS.getLastTradesByCurrencyAndTime,
  params: { ...OF_CURRENCY, start_timestamp: START, end_timestamp: END, ...PAGE },
  run: (call, { currency, kind, ...page }) =>
    tapeOfCurrency(call, { kinds: kind, currency: currency.code }, pageQuery(page)),
});

const DAY_WORD = '1D';
const MINUTES = [1, 3, 5, 10, 15, 30, 60, 120, 180, 360, 720];

/** Lengths of candles by Deribit's words, in milliseconds. */
export const RESOLUTIONS: ReadonlyMap<string, number> = new Map([
  ...MINUTES.map((minutes) => [String(minutes), minutes * MINUTE_MS] as const),
  [DAY_WORD, 24 * HOUR_MS],
]);

/** A word of a list, which may be written as a number. */
export const resolutionParam = (words: ReadonlyMap<string, number>) =>
  field<number, string | number>({
    schema: { type: 'string', enum: [...words.keys()] },
    description: 'Length of one bar',
    accepted: [...words.keys()].join(', '),
    read: (value) => words.get(typeof value === 'string' ? value : (plainDigits(value) ?? '')),
  });

const chart = publicMethod({
  row: ROWS.getTradingviewChartData,
  params: {
    instrumentName: instrumentParam,
    start_timestamp: START,
    end_timestamp: END,
    resolution: resolutionParam(RESOLUTIONS),
  },
  run: (call, { instrumentName: name, start_timestamp: from, end_timestamp: end, resolution }) =>
    askTape(call, name, {
      kind: 'candles',
      query: { instrument: name, from, until: later(end, 1), everyMs: resolution },
      write: chartJson,
    }),
});

export const DERIBIT_TAPE_METHODS: readonly DeribitMethod[] = [
  tradesByInstrument,
  tradesByInstrumentAndTime,
  tradesByCurrency,
  tradesByCurrencyAndTime,
  chart,
];
