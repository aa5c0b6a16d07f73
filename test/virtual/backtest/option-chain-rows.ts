// A small recorded option chain: two calls of one expiry and the perpetual that hedges them, a row each second, in the columns
// of tardis.dev. Prices are those of a Black-76 of its own, from a volatility that a test chooses.
import { INSTRUMENTS_HEADER } from '../../../src/recorder/instrument-rows.ts';
import type { RecordingFolder } from '../../adapters/recorded-market/recorded-market-files.ts';

export const CHAIN_DATE = '2024-03-01';
export const CALLS = ['BTC-29MAR24-60000-C', 'BTC-29MAR24-65000-C'] as const;
export const PERPETUAL = 'BTC-PERPETUAL';
export const FORWARD = 60_000;

const DAY_MS = Date.UTC(2024, 2, 1);
const EXPIRY_MS = Date.UTC(2024, 2, 29, 8);
const TICK = 0.0005;
export const CHAIN_HEADER =
  'exchange,symbol,timestamp,local_timestamp,type,strike_price,expiration,open_interest,last_price,bid_price,bid_amount,bid_iv,ask_price,ask_amount,ask_iv,mark_price,mark_iv,underlying_index,underlying_price,delta,gamma,vega,theta,rho';

/** Standard normal distribution by its series, to 1e-12 for the arguments here. */
function normal(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 200; n += 1) {
    term *= (x * x) / (2 * n + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Price of a call in coins, and its delta, `second` seconds into the day. */
export function callAt(
  strike: number,
  volatility: number,
  second: number,
): { readonly price: number; readonly delta: number } {
  const years = (EXPIRY_MS - DAY_MS - second * 1_000) / (365 * 86_400_000);
  const spread = volatility * Math.sqrt(years);
  const d1 = Math.log(FORWARD / strike) / spread + spread / 2;
  const usd = FORWARD * normal(d1) - strike * normal(d1 - spread);
  return { price: usd / FORWARD, delta: normal(d1) };
}

const strikeOf = (call: string): number => Number(call.split('-')[2]);

export interface ChainOptions {
  readonly seconds: number;
  /** Of the mark price, a fraction. */
  readonly volatilityAt: (second: number) => number;
  /** Ticks between the mark price and the best prices, rounded outwards. Default 1. */
  readonly halfTicksAt?: (second: number) => number;
}

/** Writes the chain and the quotes of the perpetual. Sizes differ by one lot, which a reader infers from them. */
export function writeChain(
  folder: RecordingFolder,
  { seconds, volatilityAt, halfTicksAt = () => 1 }: ChainOptions,
): void {
  const lines = [CHAIN_HEADER];
  const quotes = [
    'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
  ];
  for (let second = 0; second < seconds; second += 1) {
    const us = (DAY_MS + second * 1_000) * 1_000;
    for (const call of CALLS) {
      const strike = strikeOf(call);
      const volatility = volatilityAt(second);
      const { price, delta } = callAt(strike, volatility, second);
      const half = halfTicksAt(second);
      const bid = ((Math.floor(price / TICK) - half + 1) * TICK).toFixed(4);
      const ask = ((Math.ceil(price / TICK) + half - 1) * TICK).toFixed(4);
      lines.push(
        [
          'deribit',
          call,
          us,
          us,
          'call',
          strike,
          EXPIRY_MS * 1_000,
          '',
          '',
          bid,
          '50.1',
          '',
          ask,
          '50',
          '',
          price.toFixed(6),
          (volatility * 100).toFixed(2),
          'BTC-29MAR24',
          FORWARD,
          delta.toFixed(5),
          '',
          '',
          '',
          '',
        ].join(','),
      );
    }
    quotes.push(`deribit,${PERPETUAL},${us},${us},400000,${FORWARD + 0.5},${FORWARD},400010`);
  }
  folder.write(`deribit_options_chain_${CHAIN_DATE}_OPTIONS.csv.gz`, lines);
  folder.write(`deribit_quotes_${CHAIN_DATE}_${PERPETUAL}.csv.gz`, quotes);
}

/** The terms of the calls, as `twapd record` writes them alongside a recording. */
export const writeTerms = (folder: RecordingFolder): void => {
  const terms = (call: string): string =>
    [
      'deribit',
      call,
      'option',
      'BTC',
      'BTC',
      'BTC',
      '1',
      'base',
      '0.0005',
      '0.1',
      '0.1',
      EXPIRY_MS * 1_000,
      strikeOf(call),
      'call',
      '0.0003',
      '0.0003',
      '',
      '',
    ].join(',');
  folder.write('instruments.csv', [INSTRUMENTS_HEADER, ...CALLS.map(terms)]);
};
