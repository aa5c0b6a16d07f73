// Market channels: tickers, quotes, books, trades. Each subscription reads the market at the moment it
// publishes, so a slow channel publishes the current state too.
import type {
  BookView,
  MarketNews,
  MarketReads,
  PublicTrade,
} from '../../../ports/market-reads.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { groupedSide, sideChanges, wholeSide } from '../market/book-change.ts';
import { tickerView } from '../market/market-view.ts';
import { publicTradeView } from '../trades/trade-view.ts';
import { type Channel, INTERVAL_MS } from './channel.ts';
import { Paced } from './paced.ts';

/** The callbacks of a subscription: publishing, and reporting errors. */
export interface Subscriber {
  readonly publish: (data: unknown) => void;
  readonly onFault: (error: unknown) => void;
}

export type Leave = () => void;

const TICKER_REPEAT_MS = 5_000;
const ALL_LEVELS = 10_000;

type Of<K extends Channel['kind']> = Extract<Channel, { readonly kind: K }>;

/** Repeated after five seconds even without changes: silence means that the feed is dead. */
export function openTicker(
  market: MarketReads,
  channel: Of<'ticker'>,
  subscriber: Subscriber,
): Leave {
  const { instrument, interval } = channel;
  let last = '';
  let isRepeat = true;
  const flush = async (): Promise<void> => {
    const ticker = await market.ticker(instrument);
    if (ticker === undefined) return;
    const { timestamp, ...rest } = tickerView(ticker);
    const now = JSON.stringify(rest);
    if (now === last && !isRepeat) return;
    last = now;
    isRepeat = false;
    subscriber.publish({ timestamp, ...rest });
  };
  const paced = new Paced({
    intervalMs: INTERVAL_MS[interval],
    flush,
    onFault: subscriber.onFault,
  });
  const repeat = setInterval(() => {
    isRepeat = true;
    paced.mark();
  }, TICKER_REPEAT_MS);
  repeat.unref();
  const leave = followed(market, instrument, paced);
  return () => {
    clearInterval(repeat);
    leave();
  };
}

export function openQuote(
  market: MarketReads,
  channel: Of<'quote'>,
  subscriber: Subscriber,
): Leave {
  let last = '';
  const flush = async (): Promise<void> => {
    const ticker = await market.ticker(channel.instrument);
    if (ticker === undefined) return;
    const view = tickerView(ticker);
    const { instrumentName, timestamp } = view;
    const { bestBidPrice, bestBidAmount, bestAskPrice, bestAskAmount } = view;
    const best = { bestBidPrice, bestBidAmount, bestAskPrice, bestAskAmount };
    const now = JSON.stringify(best);
    if (now === last) return;
    last = now;
    subscriber.publish({ instrumentName, timestamp, ...best });
  };
  const paced = new Paced({ intervalMs: INTERVAL_MS.raw, flush, onFault: subscriber.onFault });
  return followed(market, channel.instrument, paced);
}

/** First the whole book, then the changes since the previous message. */
export function openBook(market: MarketReads, channel: Of<'book'>, subscriber: Subscriber): Leave {
  const { instrument, interval } = channel;
  let sent: BookView | undefined;
  const flush = async (): Promise<void> => {
    const book = await market.book(instrument, ALL_LEVELS);
    if (book === undefined || book.changeId === sent?.changeId) return;
    subscriber.publish(sent === undefined ? bookSnapshot(book) : bookChange(sent, book));
    sent = book;
  };
  const paced = new Paced({
    intervalMs: INTERVAL_MS[interval],
    flush,
    onFault: subscriber.onFault,
  });
  return followed(market, instrument, paced);
}

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

export function openGroupedBook(
  market: MarketReads,
  channel: Of<'grouped_book'>,
  subscriber: Subscriber,
): Leave {
  const { instrument, interval, group, depth } = channel;
  const levels = group === undefined ? depth : ALL_LEVELS;
  let sentId: number | undefined;
  const flush = async (): Promise<void> => {
    const book = await market.book(instrument, levels);
    if (book === undefined || book.changeId === sentId) return;
    sentId = book.changeId;
    subscriber.publish({
      ...bookHead(book),
      bids: groupedSide(book.bids, { group, depth, side: 'bids' }),
      asks: groupedSide(book.asks, { group, depth, side: 'asks' }),
    });
  };
  const paced = new Paced({
    intervalMs: INTERVAL_MS[interval],
    flush,
    onFault: subscriber.onFault,
  });
  return followed(market, instrument, paced);
}

/** The trades of each interval together, in order. */
export function openTrades(
  follow: (listener: (news: MarketNews) => void) => Leave,
  channel: Of<'trades'>,
  subscriber: Subscriber,
): Leave {
  let trades: PublicTrade[] = [];
  const flush = (): void => {
    const data = trades.map(publicTradeView);
    trades = [];
    subscriber.publish(data);
  };
  const intervalMs = INTERVAL_MS[channel.interval];
  const paced = new Paced({ intervalMs, flush, onFault: subscriber.onFault });
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
function followed(market: MarketReads, name: InstrumentName, paced: Paced): Leave {
  const leave = market.follow(name, (news) => {
    if (news.kind === 'market') paced.mark();
  });
  paced.mark();
  return () => {
    leave();
    paced.stop();
  };
}
