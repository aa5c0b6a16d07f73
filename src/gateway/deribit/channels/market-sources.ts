// Deribit's channels of one market: tickers, quotes, books, perpetuals, and trades. Decisions: the first message of a
// ticker, a quote and a grouped book comes at once; `quote` has null for a side without orders; a book begins with a
// snapshot of what the other subscribers were sent last, so that the same changes follow for all.

import {
  decimalNumber,
  modelNumber,
  numberOfText,
  orNull,
  orZero,
  ZERO,
} from '../../../ports/deribit-wire/json-number.ts';
import { publicTradesJson } from '../../../ports/deribit-wire/public-trade-rows.ts';
import { interestOf, tickerJson } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { BookView, MarketReads, Ticker } from '../../../ports/market-reads.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type Channel, INTERVAL_MS } from '../../order-api/channels/channel.ts';
import {
  followScope,
  inScope,
  isTapeRefused,
  type Markets,
} from '../../order-api/channels/follow-scope.ts';
import {
  ALL_LEVELS,
  feedBooks,
  feedTickers,
  feedTrades,
  TICKER_REPEAT_MS,
} from '../../order-api/channels/market-feeds.ts';
import { findInstrument } from '../../order-api/find-instrument.ts';
import {
  groupedSide,
  type LevelChange,
  sideChanges,
  wholeSide,
} from '../../order-api/market/book-change.ts';
import type { OpenSource, Source } from './channel-fan-out.ts';

/** A market that lists an instrument, and where to report errors. */
export interface OfMarket {
  readonly market: MarketReads;
  readonly instrument: Instrument;
  readonly onFault: (error: unknown) => void;
}

type Of<K extends Channel['kind']> = Extract<Channel, { readonly kind: K }>;

/** Publishes texts and gives the latest to those who come later. */
function latest(publish: (text: string) => void): {
  readonly send: (data: unknown) => void;
  readonly present: () => string | undefined;
} {
  let last: string | undefined;
  return {
    present: () => last,
    send: (data) => {
      last = JSON.stringify(data);
      publish(last);
    },
  };
}

/** Views of a ticker as they change. */
export const tickerSource =
  <V extends { readonly timestamp: number }>(
    { market, instrument, onFault }: OfMarket,
    feed: {
      readonly intervalMs: number;
      readonly repeatMs?: number;
      readonly viewOf: (ticker: Ticker) => V;
    },
  ): OpenSource =>
  (publish) => {
    const { send, present } = latest(publish);
    const { name } = instrument;
    const leave = feedTickers(market, { instrument: name, publish: send, onFault, ...feed });
    return { leave, present, markets: 1 };
  };

export const tickers = (of: OfMarket, { interval }: Of<'ticker'>): OpenSource =>
  tickerSource(of, {
    intervalMs: INTERVAL_MS[interval],
    repeatMs: TICKER_REPEAT_MS,
    viewOf: (ticker) => tickerJson(of.instrument, ticker),
  });

export const quotes = (of: OfMarket): OpenSource =>
  tickerSource(of, {
    intervalMs: INTERVAL_MS.raw,
    viewOf: ({ instrument, at, bid, ask }) => ({
      timestamp: at,
      instrument_name: instrument,
      best_bid_price: orNull(bid?.price),
      best_bid_amount: bid === undefined ? ZERO : decimalNumber(bid.quantity),
      best_ask_price: orNull(ask?.price),
      best_ask_amount: ask === undefined ? ZERO : decimalNumber(ask.quantity),
    }),
  });

const INTEREST_PLACES = 10;

export const perpetuals = (of: OfMarket, intervalMs: number): OpenSource =>
  tickerSource(of, {
    intervalMs,
    viewOf: (ticker) => ({
      interest: modelNumber(interestOf(ticker), INTEREST_PLACES),
      index_price: orZero(ticker.index),
      timestamp: ticker.at,
    }),
  });

const headJson = ({ at, instrument, changeId }: BookView) => ({
  timestamp: at,
  instrument_name: instrument,
  change_id: changeId,
});

const changeJson = ([action, price, amount]: LevelChange) => [
  action,
  numberOfText(price),
  numberOfText(amount),
];

const snapshotJson = (book: BookView) => ({
  type: 'snapshot',
  ...headJson(book),
  bids: wholeSide(book.bids).map(changeJson),
  asks: wholeSide(book.asks).map(changeJson),
});

const stepJson = (before: BookView, book: BookView) => ({
  type: 'change',
  ...headJson(book),
  prev_change_id: before.changeId,
  bids: sideChanges(before.bids, book.bids).map(changeJson),
  asks: sideChanges(before.asks, book.asks).map(changeJson),
});

export const books =
  ({ market, instrument, onFault }: OfMarket, { interval }: Of<'book'>): OpenSource =>
  (publish) => {
    let sent: BookView | undefined;
    let snapshot: string | undefined;
    const leave = feedBooks(market, {
      instrument: instrument.name,
      intervalMs: INTERVAL_MS[interval],
      onFault,
      levels: ALL_LEVELS,
      publish: ({ book, before }) => {
        sent = book;
        snapshot = undefined;
        const json = before === undefined ? snapshotJson(book) : stepJson(before, book);
        publish(JSON.stringify(json));
      },
    });
    const present = (): string | undefined => {
      snapshot ??= sent && JSON.stringify(snapshotJson(sent));
      return snapshot;
    };
    return { leave, present, markets: 1 };
  };

export const groupedBooks =
  (
    { market, instrument, onFault }: OfMarket,
    { interval, group, depth }: Of<'grouped_book'>,
  ): OpenSource =>
  (publish) => {
    const { send, present } = latest(publish);
    const side = (book: BookView, of: 'bids' | 'asks') =>
      groupedSide(book[of], { group, depth, side: of }).map((level) => level.map(numberOfText));
    const leave = feedBooks(market, {
      instrument: instrument.name,
      intervalMs: INTERVAL_MS[interval],
      onFault,
      levels: group === undefined ? depth : ALL_LEVELS,
      publish: ({ book }) =>
        send({ ...headJson(book), bids: side(book, 'bids'), asks: side(book, 'asks') }),
    });
    return { leave, present, markets: 1 };
  };

export const trades =
  (of: Markets, { scope, interval }: Of<'trades'>, onFault: (error: unknown) => void): OpenSource =>
  (publish): Source | undefined => {
    const markets = inScope(of, scope).length;
    // A kind and a currency without instruments is a channel on which nothing is published yet.
    if (markets === 0 && scope.instrument !== undefined) return undefined;
    if (isTapeRefused(of, scope)) return undefined;
    const termsOf = (name: InstrumentName) => findInstrument(of.markets(), name)?.instrument;
    const leave = feedTrades((listener) => followScope(of, scope, listener), {
      intervalMs: INTERVAL_MS[interval],
      publish: (made) => publish(JSON.stringify(publicTradesJson(made, termsOf))),
      onFault,
    });
    return { leave, markets };
  };

const FULL_AGAIN_MS = 60_000;
const INCREMENTAL_MS = 1_000;

/** Fields that have changed, by name; everything at first, and again after a minute without a change. */
export const incrementalTickers =
  (of: OfMarket): OpenSource =>
  (publish) => {
    let shown: ReadonlyMap<string, string> = new Map();
    let isFull = true;
    const written = (type: string, fields: ReadonlyMap<string, string>): string =>
      `{"type":"${type}",${[...fields].map(([name, text]) => `"${name}":${text}`).join(',')}}`;
    const full = setInterval(() => {
      isFull = true;
    }, FULL_AGAIN_MS);
    full.unref();
    const show = (view: Readonly<Record<string, unknown>>): void => {
      const now = fieldsOf(view);
      const changed = new Map([...now].filter(([name, text]) => shown.get(name) !== text));
      if (isFull) publish(written('snapshot', now));
      else publish(written('change', named(now, changed)));
      shown = now;
      isFull = false;
      full.refresh();
    };
    const { market, instrument, onFault } = of;
    const leaveTicker = feedTickers(market, {
      instrument: instrument.name,
      intervalMs: INCREMENTAL_MS,
      onFault,
      repeatMs: FULL_AGAIN_MS,
      publish: show,
      viewOf: (ticker) => tickerJson(instrument, ticker),
    });
    const leave = (): void => {
      clearInterval(full);
      leaveTicker();
    };
    const present = () => (shown.size === 0 ? undefined : written('snapshot', shown));
    return { leave, present, markets: 1 };
  };

function fieldsOf(view: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(view)) {
    if (value !== undefined) fields.set(name, JSON.stringify(value));
  }
  return fields;
}

/** Every message names its instrument and its time. */
const named = (
  all: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    [...all].filter(
      ([name]) => changed.has(name) || name === 'instrument_name' || name === 'timestamp',
    ),
  );
