// Market channels: tickers, quotes, books, trades, as the order methods show them.
import type { BookView, MarketNews, MarketReads } from '../../../ports/market-reads.ts';
import { groupedSide, sideChanges, wholeSide } from '../market/book-change.ts';
import { tickerView } from '../market/market-view.ts';
import { publicTradeView } from '../trades/trade-view.ts';
import { type Channel, INTERVAL_MS } from './channel.ts';
import {
  ALL_LEVELS,
  feedBooks,
  feedTickers,
  feedTrades,
  type Leave,
  type Subscriber,
  TICKER_REPEAT_MS,
} from './market-feeds.ts';

type Of<K extends Channel['kind']> = Extract<Channel, { readonly kind: K }>;

/** Repeated after five seconds even without changes. */
export const openTicker = (
  market: MarketReads,
  { instrument, interval }: Of<'ticker'>,
  { publish, onFault }: Subscriber,
): Leave =>
  feedTickers(market, {
    instrument,
    intervalMs: INTERVAL_MS[interval],
    publish,
    onFault,
    viewOf: tickerView,
    repeatMs: TICKER_REPEAT_MS,
  });

export const openQuote = (
  market: MarketReads,
  { instrument }: Of<'quote'>,
  { publish, onFault }: Subscriber,
): Leave =>
  feedTickers(market, {
    instrument,
    intervalMs: INTERVAL_MS.raw,
    publish,
    onFault,
    viewOf: (ticker) => {
      const { instrumentName, timestamp, ...view } = tickerView(ticker);
      const { bestBidPrice, bestBidAmount, bestAskPrice, bestAskAmount } = view;
      const best = { bestBidPrice, bestBidAmount, bestAskPrice, bestAskAmount };
      return { instrumentName, timestamp, ...best };
    },
  });

/** First the whole book, then the changes since the previous message. */
export const openBook = (
  market: MarketReads,
  { instrument, interval }: Of<'book'>,
  { publish, onFault }: Subscriber,
): Leave =>
  feedBooks(market, {
    instrument,
    intervalMs: INTERVAL_MS[interval],
    onFault,
    levels: ALL_LEVELS,
    publish: ({ book, before }) =>
      publish(before === undefined ? bookSnapshot(book) : bookChange(before, book)),
  });

const bookHead = ({ at, instrument, changeId }: BookView) => ({
  timestamp: at,
  instrumentName: instrument,
  changeId,
});

const bookSnapshot = (book: BookView) => ({
  type: 'snapshot',
  ...bookHead(book),
  bids: wholeSide(book.bids),
  asks: wholeSide(book.asks),
});

const bookChange = (before: BookView, book: BookView) => ({
  type: 'change',
  ...bookHead(book),
  prevChangeId: before.changeId,
  bids: sideChanges(before.bids, book.bids),
  asks: sideChanges(before.asks, book.asks),
});

export const openGroupedBook = (
  market: MarketReads,
  { instrument, interval, group, depth }: Of<'grouped_book'>,
  { publish, onFault }: Subscriber,
): Leave =>
  feedBooks(market, {
    instrument,
    intervalMs: INTERVAL_MS[interval],
    onFault,
    levels: group === undefined ? depth : ALL_LEVELS,
    publish: ({ book }) =>
      publish({
        ...bookHead(book),
        bids: groupedSide(book.bids, { group, depth, side: 'bids' }),
        asks: groupedSide(book.asks, { group, depth, side: 'asks' }),
      }),
  });

export const openTrades = (
  follow: (listener: (news: MarketNews) => void) => Leave,
  { interval }: Of<'trades'>,
  { publish, onFault }: Subscriber,
): Leave =>
  feedTrades(follow, {
    intervalMs: INTERVAL_MS[interval],
    publish: (trades) => publish(trades.map(publicTradeView)),
    onFault,
  });
