// Reads many tickers. Where the markets are those of an engine in another process each ticker is a round trip, so the
// tickers of a piece are requested at once; between pieces others get the thread.
import type { MarketReads, Ticker } from '../../../ports/market-reads.ts';
import type { Instrument } from '../../../values/instrument.ts';

/** Markets read without yielding. */
const PIECE = 16;

/** Visits in the order of the instruments, leaving out those without a ticker. */
export async function readTickers(
  market: Pick<MarketReads, 'ticker'>,
  instruments: readonly Instrument[],
  visit: (instrument: Instrument, ticker: Ticker) => void,
): Promise<void> {
  for (let first = 0; first < instruments.length; first += PIECE) {
    if (first > 0) await new Promise<void>((go) => setImmediate(go));
    const piece = instruments.slice(first, first + PIECE);
    const tickers = await Promise.all(piece.map(({ name }) => market.ticker(name)));
    for (const [index, instrument] of piece.entries()) {
      const ticker = tickers[index];
      if (ticker !== undefined) visit(instrument, ticker);
    }
  }
}
