// What the market channels of both wires publish, before it is written: tickers, books and trades of a market, as they
// change and no faster than an interval. The market is read at the moment of publishing, so a slow feed is current too.
import type { PublicTrade } from '../../../ports/market-history.ts';
import type { BookView, MarketNews, MarketReads, Ticker } from '../../../ports/market-reads.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { Paced } from './paced.ts';

export type Leave = () => void;

/** The callbacks of a subscription: publishing, and reporting errors. */
export interface Subscriber {
  readonly publish: (data: unknown) => void;
  readonly onFault: (error: unknown) => void;
}

export const TICKER_REPEAT_MS = 5_000;
export const ALL_LEVELS = 10_000;

interface Feed<T> {
  readonly instrument: InstrumentName;
  readonly intervalMs: number;
  readonly publish: (data: T) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Views of the ticker when anything but their timestamp has changed; with `repeatMs` also without changes, because
 * silence means that the feed is dead.
 */
export function feedTickers<V extends { readonly timestamp: number }>(
  market: MarketReads,
  {
    instrument,
    intervalMs,
    publish,
    onFault,
    viewOf,
    repeatMs,
  }: Feed<V> & { readonly viewOf: (ticker: Ticker) => V; readonly repeatMs?: number },
): Leave {
  let last = '';
  let isRepeat = true;
  const flush = async (): Promise<void> => {
    const ticker = await market.ticker(instrument);
    if (ticker === undefined) return;
    const view = viewOf(ticker);
    const now = JSON.stringify({ ...view, timestamp: undefined });
    if (now === last && !isRepeat) return;
    last = now;
    isRepeat = false;
    publish(view);
  };
  const paced = new Paced({ intervalMs, flush, onFault });
  const leave = followMarket(market, instrument, paced);
  if (repeatMs === undefined) return leave;
  const repeat = setInterval(() => {
    isRepeat = true;
    paced.mark();
  }, repeatMs);
  repeat.unref();
  return () => {
    clearInterval(repeat);
    leave();
  };
}

/** A book, and the one published before it. */
export interface BookStep {
  readonly book: BookView;
  readonly before: BookView | undefined;
}

export function feedBooks(
  market: MarketReads,
  {
    instrument,
    intervalMs,
    publish,
    onFault,
    levels,
  }: Feed<BookStep> & { readonly levels: number },
): Leave {
  let before: BookView | undefined;
  const flush = async (): Promise<void> => {
    const book = await market.book(instrument, levels);
    if (book === undefined || book.changeId === before?.changeId) return;
    const step = { book, before };
    before = book;
    publish(step);
  };
  return followMarket(market, instrument, new Paced({ intervalMs, flush, onFault }));
}

/** The trades of each interval together, in order. */
export function feedTrades(
  follow: (listener: (news: MarketNews) => void) => Leave,
  { intervalMs, publish, onFault }: Omit<Feed<readonly PublicTrade[]>, 'instrument'>,
): Leave {
  let trades: PublicTrade[] = [];
  const flush = (): void => {
    const data = trades;
    trades = [];
    publish(data);
  };
  const paced = new Paced({ intervalMs, flush, onFault });
  const leave = follow((news) => {
    if (news.kind !== 'trade') return;
    trades.push(news.trade);
    paced.mark();
  });
  return () => {
    leave();
    paced.stop();
  };
}

/** Marks immediately, for the first message, and on every change of the market. */
export function followMarket(market: MarketReads, name: InstrumentName, paced: Paced): Leave {
  const leave = market.follow(name, (news) => {
    if (news.kind === 'market') paced.mark();
  });
  paced.mark();
  return () => {
    leave();
    paced.stop();
  };
}
