// The market of one instrument as rows of a recording, made while it happens: what a paper exchange on live prices is fed.
// A book that is stale, crossed or closed makes no rows.
import type { Clock } from '../../../ports/clock.ts';
import type { PrintedTrade } from '../../../ports/deribit-wire/public-trade-rows.ts';
import type { MarketNews, Ticker } from '../../../ports/market-reads.ts';
import { type Price, text } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import type { RecordedEvent, RecordedLevel } from '../../../values/recorded-event.ts';
import type { QuoteBoard } from './quote-board.ts';

const LEVELS_MAX = 50;

export interface LiveRowsOptions {
  readonly quotes: Pick<QuoteBoard, 'follow' | 'live'>;
  readonly clock: Clock;
  readonly listener: (rows: readonly RecordedEvent[]) => void;
}

/** Calls `listener` for each change, until the returned function is called. */
export function followRows(
  name: InstrumentName,
  { quotes, clock, listener }: LiveRowsOptions,
): () => void {
  const stamp = () => {
    const at = clock.now();
    return { symbol: name as string, at, atUs: at * 1_000 };
  };
  return quotes.follow(name, (news) => {
    if (news.kind === 'trade') {
      if (wasInBook(news)) listener([tradeRow(news, stamp())]);
      return;
    }
    const { ticker, levels } = quotes.live(name) ?? {};
    if (ticker === undefined || levels === undefined || ticker.state !== 'open') return;
    const { bids, asks } = levels;
    const book = { kind: 'book', ...stamp(), bids: shown(bids), asks: shown(asks) } as const;
    listener([tickerRow(ticker, stamp()), book]);
  });
}

type Stamp = Pick<RecordedEvent, 'symbol' | 'at' | 'atUs'>;
type TradeNews = Extract<MarketNews, { kind: 'trade' }>;

/** Blocks and legs of combos met no resting order of their instrument. */
function wasInBook({ trade }: TradeNews): boolean {
  const { isBlock = false } = trade as Partial<PrintedTrade>;
  return !isBlock && trade.comboId === undefined;
}

const tradeRow = ({ trade }: TradeNews, stamp: Stamp): RecordedEvent => ({
  ...stamp,
  kind: 'trade',
  side: trade.side,
  price: text(trade.price),
  amount: text(trade.quantity),
});

const amount = (value: Price | undefined): string | undefined =>
  value === undefined ? undefined : text(value);

const tickerRow = (
  { mark, index, underlying, markIv, greeks }: Ticker,
  stamp: Stamp,
): RecordedEvent => ({
  ...stamp,
  kind: 'ticker',
  markIv,
  greeks,
  mark: amount(mark),
  index: amount(index),
  underlying: amount(underlying),
});

function shown(levels: Iterable<PriceLevel>): readonly RecordedLevel[] {
  const rows: RecordedLevel[] = [];
  for (const { price, quantity } of levels) {
    if (rows.length === LEVELS_MAX) break;
    rows.push({ price: text(price), amount: text(quantity) });
  }
  return rows;
}
