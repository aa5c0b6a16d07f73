// Takes the figures of a market as it is made: every change of the best prices and every trade of others, of the instruments
// of one portfolio. Quotes leave out its own orders, where the world is set up so.
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import type { PublicTrade } from '../../ports/market-history.ts';
import type { Venue } from '../../ports/venue.ts';
import { type Price, text } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { RecordedBook } from '../../values/recorded-event.ts';
import {
  type Interval,
  type MarketFigures,
  MarketStatistics,
} from '../backtest/backtest-statistics.ts';

/** A market that is made has no holes: what does not change is still shown. */
const HOLE_MS = Number.POSITIVE_INFINITY;

export class MarketWatch {
  readonly #statistics: MarketStatistics;
  readonly #name: Instrument['name'];
  readonly #venue: Venue;
  readonly #trades: PublicTrade[] = [];
  readonly #leave: () => void;
  #bid: Price | undefined;
  #ask: Price | undefined;

  /** Watches from now on, until `figures` or `close`. */
  constructor(venue: Venue, instrument: Instrument, interval: Interval) {
    const described: RecordedInstrument = {
      instrument,
      recordedStep: instrument.amountStep,
      assumedLots: 0,
    };
    this.#venue = venue;
    this.#name = instrument.name;
    this.#statistics = new MarketStatistics(described, interval, HOLE_MS);
    this.#leave = venue.market.follow(instrument.name, (news) => {
      if (news.kind === 'trade') this.#trades.push(news.trade);
      else this.#noteQuote();
    });
    this.#noteQuote();
  }

  /** Figures up to `to`, without the trades of `own`. Call once. */
  figures(to: Instant, own: ReadonlySet<string>): MarketFigures {
    this.close();
    for (const { tradeId, at, side, price, quantity } of this.#trades) {
      if (own.has(tradeId)) continue;
      this.#statistics.note({
        kind: 'trade',
        symbol: this.#name,
        at,
        atUs: at * 1_000,
        side,
        price: text(price),
        amount: text(quantity),
      });
    }
    return this.#statistics.figures(to);
  }

  close(): void {
    this.#leave();
  }

  #noteQuote(): void {
    const quote = this.#venue.quote(this.#name);
    const [bid, ask] = [quote?.bid?.price, quote?.ask?.price];
    if (bid === this.#bid && ask === this.#ask) return;
    [this.#bid, this.#ask] = [bid, ask];
    const at = this.#venue.venueNow();
    const side = (best: Price | undefined): RecordedBook['bids'] =>
      best === undefined ? [] : [{ price: text(best) }];
    this.#statistics.note({
      kind: 'book',
      symbol: this.#name,
      at,
      atUs: at * 1_000,
      bids: side(bid),
      asks: side(ask),
    });
  }
}
