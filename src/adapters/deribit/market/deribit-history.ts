// What Deribit answers of the past of its market. It publishes no history of mark prices, and candles, tapes and indices
// of volatility only in the periods that it names; everything else is `undefined`.
//
// To be measured (docs/deribit.md): the last instant of a span is included; a chart answers up to 5 000 candles, funding
// up to 744 hours, the volatility index up to 1 000 bars; the history of volatility is a list of pairs, which are
// documented as objects.

import {
  Fields,
  fieldsOfEach,
  MalformedMessage,
} from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type {
  Candle,
  CandleQuery,
  Deliveries,
  DeliveryQuery,
  FundingHour,
  HistoryKinds,
  MarketHistory,
  OfInstrument,
  RealisedQuery,
  RealisedVolatility,
  Span,
  VolatilityBar,
  VolatilityQuery,
} from '../../../ports/market-history.ts';
import { money, price, quantity } from '../../../values/amounts.ts';
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  instant,
  later,
  MINUTE_MS,
  parseIso,
  SECOND_MS,
} from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { MarketQueries } from './market-queries.ts';
import { TapeQueries } from './tape-queries.ts';

const RESOLUTIONS: ReadonlyMap<number, string> = new Map([
  ...[1, 3, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(
    (minutes) => [minutes * MINUTE_MS, String(minutes)] as const,
  ),
  [DAY_MS, '1D'],
]);
const VOLATILITY_RESOLUTIONS: ReadonlyMap<number, string> = new Map([
  ...[1, 60, 3_600, 43_200].map((sec) => [sec * SECOND_MS, String(sec)] as const),
  [DAY_MS, '1D'],
]);
/** Rows of one answer, of which longer spans are put together. */
export const CANDLES_MAX = 5_000;
export const FUNDING_HOURS_MAX = 744;
export const VOLATILITY_BARS_MAX = 1_000;
/** Calls for one query; of more, the latest part of the span is answered. */
const CALLS_MAX = 10;
const DELIVERY_HOUR = 8;

export interface DeribitHistoryOptions {
  readonly queries: MarketQueries;
  readonly instrument: (name: Instrument['name']) => Instrument | undefined;
}

type Answers = {
  readonly [K in keyof HistoryKinds]: (
    query: HistoryKinds[K]['query'],
  ) => Promise<HistoryKinds[K]['answer'] | undefined>;
};

export class DeribitHistory implements MarketHistory {
  readonly #queries: MarketQueries;
  readonly #instrument: DeribitHistoryOptions['instrument'];
  readonly #answers: Answers;

  constructor({ queries, instrument }: DeribitHistoryOptions) {
    this.#queries = queries;
    this.#instrument = instrument;
    const tape = new TapeQueries({ queries, instrument });
    this.#answers = {
      tape: (query) => tape.page(query),
      candles: (query) => this.#candles(query),
      funding: (query) => this.#funding(query),
      fundingPaid: (query) => this.#fundingPaid(query),
      marks: () => Promise.resolve(undefined),
      deliveries: (query) => this.#deliveries(query),
      volatility: (query) => this.#volatility(query),
      realised: (query) => this.#realised(query),
    };
  }

  history<K extends keyof HistoryKinds>(
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined> {
    return this.#answers[kind](query);
  }

  async #candles(query: CandleQuery): Promise<readonly Candle[] | undefined> {
    const resolution = RESOLUTIONS.get(query.everyMs);
    if (resolution === undefined || this.#instrument(query.instrument) === undefined) {
      return undefined;
    }
    // The candle in whose period the span begins is part of it.
    const from = later(query.from, 1 - query.everyMs);
    return await inPieces({ ...query, from }, CANDLES_MAX * query.everyMs, (piece) =>
      this.#queries.object(
        'public/get_tradingview_chart_data',
        { instrument_name: query.instrument, ...spanOf(piece), resolution },
        (chart) => candlesIn(chart).filter(({ at }) => isWithin(at, piece)),
      ),
    );
  }

  async #funding(query: OfInstrument): Promise<readonly FundingHour[] | undefined> {
    if (this.#instrument(query.instrument)?.kind !== 'perpetual') return undefined;
    return await inPieces(query, FUNDING_HOURS_MAX * HOUR_MS, async (piece) => {
      const hours = await this.#queries.objects(
        'public/get_funding_rate_history',
        { instrument_name: query.instrument, ...spanOf(piece) },
        fundingHourIn,
      );
      return hours?.filter(({ at }) => isWithin(at, piece)).sort((one, other) => one.at - other.at);
    });
  }

  #fundingPaid(query: OfInstrument): Promise<number | undefined> {
    if (this.#instrument(query.instrument)?.kind !== 'perpetual') return Promise.resolve(undefined);
    const method = 'public/get_funding_rate_value';
    const params = { instrument_name: query.instrument, ...spanOf(query) };
    return this.#queries.answer(method, params, (value) =>
      floatIn(new Fields(`the answer to ${method}`, { value }, this.#queries.tally), 'value'),
    );
  }

  #deliveries({ index, offset, count }: DeliveryQuery): Promise<Deliveries | undefined> {
    const params = { index_name: index, offset, count };
    return this.#queries.object('public/get_delivery_prices', params, (of) => ({
      total: of.whole('records_total'),
      prices: of.each('data').map((day) => ({
        at: deliveryIn(day),
        price: day.price('delivery_price'),
      })),
    }));
  }

  async #volatility(query: VolatilityQuery): Promise<readonly VolatilityBar[] | undefined> {
    const resolution = VOLATILITY_RESOLUTIONS.get(query.everyMs);
    if (resolution === undefined) return undefined;
    return await inPieces(query, VOLATILITY_BARS_MAX * query.everyMs, (piece) =>
      this.#queries.object(
        'public/get_volatility_index_data',
        { currency: coinOf(query.index), ...spanOf(piece), resolution },
        (of) => rowsIn(of).filter(({ at }) => isWithin(at, piece)),
      ),
    );
  }

  #realised({ index }: RealisedQuery): Promise<readonly RealisedVolatility[] | undefined> {
    const method = 'public/get_historical_volatility';
    return this.#queries.answer(method, { currency: coinOf(index) }, (value) =>
      pairsOrObjects(value, `the answer to ${method}`, this.#queries.tally),
    );
  }
}

const spanOf = ({ from, until }: Span) => ({ start_timestamp: from, end_timestamp: until - 1 });

const isWithin = (at: Instant, { from, until }: Span): boolean => at >= from && at < until;

/** `btc_usd` is the index of BTC. */
const coinOf = (index: string): string => (index.split('_')[0] ?? index).toUpperCase();

/** The span in pieces of one call each, oldest first; `undefined` if the venue knows no such subject. */
async function inPieces<T>(
  { from, until }: Span,
  pieceMs: number,
  read: (piece: Span) => Promise<readonly T[] | undefined>,
): Promise<readonly T[] | undefined> {
  const rows: T[] = [];
  const first = Math.max(from, until - CALLS_MAX * pieceMs);
  for (let at = first; at < until; at += pieceMs) {
    const piece = { from: instant(at), until: instant(Math.min(until, at + pieceMs)) };
    const found = await read(piece);
    if (found === undefined) return undefined;
    rows.push(...found);
  }
  return rows;
}

function candlesIn(chart: Fields): readonly Candle[] {
  if (chart.textIf('status') === 'no_data') return [];
  const column = (name: string) => chart.list(name);
  const [open, high, low, close] = [column('open'), column('high'), column('low'), column('close')];
  const [volume, cost] = [column('volume'), column('cost')];
  return column('ticks').map((tick, index) => {
    const row = { tick, open: open[index], high: high[index], low: low[index] };
    const rest = { close: close[index], volume: volume[index], cost: cost[index] };
    const of = new Fields('a candle', { ...row, ...rest }, chart.tally);
    return {
      at: of.instant('tick'),
      open: price(of.digits('open')),
      high: price(of.digits('high')),
      low: price(of.digits('low')),
      close: price(of.digits('close')),
      volume: quantity(of.digits('volume')),
      cost: money(of.digits('cost')),
    };
  });
}

function floatIn(of: Fields, name: string): number {
  const value = of.floatIf(name);
  if (value === undefined) throw new MalformedMessage(`${of.what}: ${name} is missing`);
  return value;
}

const fundingHourIn = (of: Fields): FundingHour => ({
  at: of.instant('timestamp'),
  index: of.price('index_price'),
  indexBefore: of.price('prev_index_price'),
  oneHour: floatIn(of, 'interest_1h'),
  eightHours: floatIn(of, 'interest_8h'),
});

/** Deliveries are at 08:00 UTC of their day. */
function deliveryIn(day: Fields): Instant {
  const date = day.text('date');
  const midnight = parseIso(date);
  if (midnight === undefined) throw new MalformedMessage(`${day.what}: date is ${date}`);
  return instant(Math.floor(midnight / DAY_MS) * DAY_MS + DELIVERY_HOUR * HOUR_MS);
}

/** A row of a list of lists, its members named by their place. */
const rowIn = (row: unknown, of: Fields): Fields =>
  new Fields(`a row of ${of.what}`, Array.isArray(row) ? { ...row } : row, of.tally);

const rowsIn = (of: Fields): readonly VolatilityBar[] =>
  of.list('data').map((one) => {
    const row = rowIn(one, of);
    return {
      at: row.instant('0'),
      open: floatIn(row, '1'),
      high: floatIn(row, '2'),
      low: floatIn(row, '3'),
      close: floatIn(row, '4'),
    };
  });

function pairsOrObjects(
  value: unknown,
  what: string,
  tally: WireTally,
): readonly RealisedVolatility[] {
  const named = Array.isArray(value)
    ? value.map((one) => (Array.isArray(one) ? { timestamp: one[0], value: one[1] } : one))
    : value;
  return fieldsOfEach(what, named, tally).map((of) => ({
    at: of.instant('timestamp'),
    percent: floatIn(of, 'value'),
  }));
}
