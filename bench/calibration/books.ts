// Which recordings each book of the paper market is fitted to, and which it is checked against.
import type { Recording } from './recordings.ts';

export interface CalibratedBook {
  readonly symbol: string;
  /** Autocorrelations are compared with the recordings of all books of a kind: a single one of six minutes has few. */
  readonly kind: 'perpetual' | 'spot';
  readonly spreadIn: 'ticks' | 'basis points';
  /** None for perpetuals: those are fitted to Deribit's own figures (`deribit-figures.ts`). */
  readonly fittedTo: readonly Recording[];
  /** Other days or other venues; of venues many times busier, only what does not depend on that agrees. */
  readonly heldAgainst: readonly Recording[];
}

const RAW = 'binance_raw_ws';
const quotesAndTrades = (
  venue: string,
  day: string,
  symbol: string,
): Pick<Recording, 'quotes' | 'trades'> => ({
  quotes: `${RAW}/${venue}_quotes_${day}_${symbol}.csv.gz`,
  trades: `${RAW}/${venue}_trades_${day}_${symbol}.csv.gz`,
});
const GEMINI = {
  quotes: 'gemini_ethusd/gemini_quotes_2021-07-01_ETH-USD.csv.gz',
  trades: 'gemini_ethusd/gemini_trades_2021-07-01_ETH-USD.csv.gz',
  tick: 0.01,
};
const COINBASE = {
  trades: 'coinbase_btcusd_trades_1h/coinbase_trades_2023-09-05_BTC-USD.csv.gz',
  tick: 0.01,
};

export const BOOKS: readonly CalibratedBook[] = [
  {
    symbol: 'BTC-PERPETUAL',
    kind: 'perpetual',
    spreadIn: 'ticks',
    fittedTo: [],
    heldAgainst: [
      {
        ...quotesAndTrades('binance-delivery', '2024-08-08', 'BTCUSD_PERP'),
        tick: 0.1,
        contractUsd: 100,
      },
      {
        quotes: 'deribit_btc_perpetual_1s/deribit_quotes_2019-11-01_BTC-PERPETUAL.csv.gz',
        tick: 0.5,
        contractUsd: 10,
      },
      { ...quotesAndTrades('binance-futures', '2023-04-05', 'BTCUSDT'), tick: 0.1 },
      { ...quotesAndTrades('binance-futures', '2024-08-08', 'BTCUSDT'), tick: 0.1 },
    ],
  },
  {
    symbol: 'ETH-PERPETUAL',
    kind: 'perpetual',
    spreadIn: 'ticks',
    fittedTo: [],
    heldAgainst: [
      {
        ...quotesAndTrades('binance-delivery', '2024-08-08', 'ETHUSD_PERP'),
        tick: 0.01,
        contractUsd: 10,
      },
      { ...quotesAndTrades('binance-futures', '2024-08-08', 'ETHUSDT'), tick: 0.01 },
    ],
  },
  {
    symbol: 'BTC_USDC',
    kind: 'spot',
    spreadIn: 'basis points',
    fittedTo: [{ ...COINBASE, part: [0, 0.5] }],
    heldAgainst: [
      { ...COINBASE, part: [0.5, 1] },
      { ...quotesAndTrades('binance', '2024-08-08', 'BTCUSDT'), tick: 0.01 },
    ],
  },
  {
    symbol: 'ETH_USDC',
    kind: 'spot',
    spreadIn: 'basis points',
    fittedTo: [{ ...GEMINI, stretches: 'first' }],
    heldAgainst: [
      { ...GEMINI, stretches: 'second' },
      { ...quotesAndTrades('binance', '2024-08-08', 'ETHUSDT'), tick: 0.01 },
    ],
  },
];
