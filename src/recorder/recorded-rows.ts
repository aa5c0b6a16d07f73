// A venue's trades, books and tickers as rows of a recording: pure functions from values to CSV, with decimals as they
// are and columns as tardis.dev orders them. Absent values are empty, never 0.
import type { PublicTrade } from '../ports/market-history.ts';
import type { BookView, Ticker } from '../ports/market-reads.ts';
import type { Decimal } from '../values/decimal.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument } from '../values/instrument.ts';
import type { PriceLevel } from '../values/quote.ts';

/** A row apart from its arrival, which is all that differs between two rows of an unchanged market. */
export interface Row {
  readonly symbol: string;
  /** The venue's time. */
  readonly at: Instant;
  /** The columns of the kind. */
  readonly fields: string;
}

/** `exchange,symbol,timestamp,local_timestamp,…`, without a line end. */
export const rowLine = (exchange: string, { symbol, at, fields }: Row, arrivedUs: number): string =>
  `${exchange},${symbol},${microseconds(at)},${arrivedUs},${fields}`;

export const tradeRow = (trade: PublicTrade): Row => ({
  symbol: trade.instrument,
  at: trade.at,
  fields: `${word(trade.tradeId)},${trade.side},${decimal(trade.price)},${decimal(trade.quantity)}`,
});

export function quoteRow({ instrument: symbol, at, bids, asks }: BookView): Row {
  const [bid, ask] = [bids[0], asks[0]];
  const fields = [ask?.quantity, ask?.price, bid?.price, bid?.quantity].map(decimal).join(',');
  return { symbol, at, fields };
}

export function bookRow({ instrument: symbol, at, bids, asks }: BookView, depth: number): Row {
  const levels = Array.from({ length: depth }, (_, level) =>
    [...pair(asks[level]), ...pair(bids[level])].join(','),
  );
  return { symbol, at, fields: levels.join(',') };
}

/** Perpetuals and futures. Of Deribit's two funding rates the current one, as tardis.dev records it. */
export function derivativeRow(ticker: Ticker): Row {
  const { instrument: symbol, at, currentFunding, openInterest, last, index, mark } = ticker;
  const prices = [openInterest, last, index, mark].map(decimal);
  return { symbol, at, fields: ['', float(currentFunding), '', ...prices].join(',') };
}

export function optionRow(ticker: Ticker, { option, expiresAt }: Instrument): Row {
  const { bid, ask, greeks } = ticker;
  const fields = [
    option?.type ?? '',
    decimal(option?.strike),
    expiresAt === undefined ? '' : microseconds(expiresAt),
    ...[ticker.openInterest, ticker.last, bid?.price, bid?.quantity].map(decimal),
    percent(ticker.bidIv),
    ...pair(ask),
    percent(ticker.askIv),
    decimal(ticker.mark),
    percent(ticker.markIv),
    word(ticker.underlyingName ?? ''),
    decimal(ticker.underlying),
    ...[greeks?.delta, greeks?.gamma, greeks?.vega, greeks?.theta, greeks?.rho].map(float),
  ];
  return { symbol: ticker.instrument, at: ticker.at, fields: fields.join(',') };
}

/** A name that the venue chose: nothing in it may end a field or a line. */
const word = (name: string): string => name.replace(/[^\x21-\x7e]|[",]/g, '_');

const microseconds = (at: Instant): string => String(at * 1_000);

const decimal = (value: Decimal | undefined): string => value?.toString() ?? '';

const pair = (level: PriceLevel | undefined): readonly [string, string] => [
  decimal(level?.price),
  decimal(level?.quantity),
];

/** The shortest text that reads back as the same number. */
const float = (value: number | undefined): string =>
  value !== undefined && Number.isFinite(value) ? String(value) : '';

/** Significant digits of a volatility: enough for any, too few for the noise of the multiplication. */
const PERCENT_DIGITS = 13;

/** A fraction in percent. */
const percent = (value: number | undefined): string =>
  value === undefined ? '' : float(Number((value * 100).toPrecision(PERCENT_DIGITS)));
