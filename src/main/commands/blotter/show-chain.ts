// `chain CURRENCY [EXPIRY]`: the options of one expiry, calls and puts of a strike in one row: bid, ask, volatility, delta.
import { InvalidArgumentError } from 'commander';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { flowed } from '../terminal/fitted-lines.ts';
import { durationText, paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn } from '../terminal/sheet-columns.ts';
import { zonedMinute } from '../terminal/time-zone.ts';
import { type ExpiryDay, expiryDay, readExpiry } from './blotter-arguments.ts';
import { BlotterDaemon, type BlotterOptions, withBlotterOptions } from './blotter-options.ts';

type Instrument = MethodResults['public/get_instruments'][number];
type Ticker = MethodResults['public/ticker'];

interface Options extends BlotterOptions {
  readonly strikes: number;
}

interface Strike {
  readonly strike: string;
  readonly call: Ticker | null;
  readonly put: Ticker | null;
}

interface Chain {
  readonly expiry: ExpiryDay;
  /** Unix milliseconds. */
  readonly expiration: number;
  readonly underlyingPrice: string | null;
  /** Ascending. */
  readonly strikes: readonly Strike[];
  /** Every expiry of the currency, earliest first. */
  readonly expiries: readonly ExpiryDay[];
}

const STRIKES = 20;
const STRIKES_MAX = 500;
/** Tickers requested at the same time. */
const AT_ONCE = 8;

export const addChain: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('chain'))
    .argument('<currency>', 'BTC, ETH, or a pair such as BTC_USDC', (text) => text.toUpperCase())
    .argument('[expiry]', 'such as 27NOV26 or 2026-11-27 (default: the next one)', readExpiry)
    .option('--strikes <count>', 'at most this many, around the money', readStrikes, STRIKES)
    .action(async (pair: string, expiry: ExpiryDay | undefined, options: Options) => {
      const chain = await chainOf(new BlotterDaemon(options), { pair, expiry }, options.strikes);
      if (options.json) terminal.print(jsonText(chain));
      else if (options.csv) terminal.print(sheetCsv(COLUMNS, chain.strikes));
      else print(chain, { pair, options, terminal });
    });
};

interface Wanted {
  readonly pair: string;
  readonly expiry: ExpiryDay | undefined;
}

async function chainOf(blotter: BlotterDaemon, wanted: Wanted, most: number): Promise<Chain> {
  const all = await blotter.query('public/get_instruments', { currency: 'any', kind: 'option' });
  const { options, expiries, expiration } = listedOf(all, wanted);
  const strikes = [...new Set(options.map(({ strike }) => strike ?? ''))].sort(
    (a, b) => Number(a) - Number(b),
  );
  const [any] = options;
  if (any === undefined) throw new CommandFailure('refused', ['no options']);
  const first = await blotter.query('public/ticker', { instrumentName: any.instrumentName });
  const underlyingPrice = first.underlyingPrice ?? first.indexPrice ?? null;
  const near = new Set(nearest(strikes, underlyingPrice, most));
  const tickers = await tickersOf(
    blotter,
    options.filter(({ strike }) => near.has(strike ?? '')),
  );
  const of = (strike: string, kind: Instrument['optionKind']): Ticker | null => {
    const option = options.find((one) => one.strike === strike && one.optionKind === kind);
    return tickers.get(option?.instrumentName ?? '') ?? null;
  };
  return {
    expiry: expiryDay(expiration),
    expiration,
    underlyingPrice,
    expiries,
    strikes: strikes
      .filter((strike) => near.has(strike))
      .map((strike) => ({ strike, call: of(strike, 'CALL'), put: of(strike, 'PUT') })),
  };
}

/** The options of the pair and the expiry; what there is instead, if there are none. */
function listedOf(all: readonly Instrument[], { pair, expiry }: Wanted) {
  const pairOf = ({ instrumentName }: Instrument): string => instrumentName.split('-', 1)[0] ?? '';
  const ofPair = all.filter((one) => pairOf(one) === pair);
  const times = [...new Set(ofPair.flatMap(({ expiration }) => expiration ?? []))].sort(
    (a, b) => a - b,
  );
  const expiries = times.map(expiryDay);
  const at = expiry === undefined ? 0 : expiries.indexOf(expiry);
  const expiration = times[at];
  if (expiration === undefined) {
    const pairs = [...new Set(all.map(pairOf))].sort();
    throw new CommandFailure('refused', [
      ofPair.length === 0
        ? `${pair} has no options; accepted: ${pairs.join(', ')}`
        : `${pair} has no options that expire on ${expiry}; accepted: ${expiries.join(', ')}`,
    ]);
  }
  const options = ofPair.filter((one) => one.expiration === expiration);
  return { options, expiries, expiration };
}

/** The strikes around the money, ascending; from the lowest one if the price is not known. */
function nearest(strikes: readonly string[], at: string | null, most: number): readonly string[] {
  if (at === null) return strikes.slice(0, most);
  const away = (strike: string): number => Math.abs(Number(strike) - Number(at));
  return strikes.toSorted((a, b) => away(a) - away(b)).slice(0, most);
}

async function tickersOf(
  blotter: BlotterDaemon,
  options: readonly Instrument[],
): Promise<ReadonlyMap<string, Ticker>> {
  const found = new Map<string, Ticker>();
  for (let at = 0; at < options.length; at += AT_ONCE) {
    const asked = options.slice(at, at + AT_ONCE).map(async ({ instrumentName }) => {
      found.set(instrumentName, await blotter.query('public/ticker', { instrumentName }));
    });
    await Promise.all(asked);
  }
  return found;
}

interface Printing {
  readonly pair: string;
  readonly options: Options;
  readonly terminal: Terminal;
}

function print(chain: Chain, { pair, options, terminal }: Printing): void {
  const { expiry, expiration, expiries, underlyingPrice, strikes } = chain;
  const width = terminal.columns();
  const left = leftText(expiration - Date.now());
  const words = [
    paint.bold(`${pair} ${expiry}`),
    `forward ${underlyingPrice ?? '–'}`,
    `expires ${zonedMinute(expiration, options.tz)}`,
    options.tz,
    left,
  ];
  for (const line of flowed(words, { gap: '  ', columns: width, linesMax: words.length }))
    terminal.print(line);
  terminal.print('');
  terminal.print(sheetTable(COLUMNS, strikes, width));
  const others = expiries.filter((one) => one !== expiry);
  if (others.length === 0) return;
  terminal.print('');
  const listed = ['other expiries:', ...others];
  for (const line of flowed(listed, { gap: ' ', columns: width, linesMax: 9 })) {
    terminal.print(paint.dim(line));
  }
}

const DAY_MS = 86_400_000;

function leftText(ms: number): string {
  if (ms <= 0) return 'expired';
  return ms < DAY_MS ? `in ${durationText(ms)}` : `in ${Math.floor(ms / DAY_MS)} d`;
}

type Of = (ticker: Ticker) => string | null | undefined;

/** One column of a side; volatilities and greeks are rounded in the table. */
const side = (
  of: 'call' | 'put',
  [name, head, rank]: readonly [name: string, head: string, rank: number],
  cell: Of,
  places?: number,
): SheetColumn<Strike> => {
  const text = (row: Strike): string | undefined => {
    const ticker = row[of];
    return (ticker === null ? undefined : cell(ticker)) ?? undefined;
  };
  const column = amountColumn([`${of}_${name}`, `${of[0]?.toUpperCase()} ${head}`, rank], text);
  if (places === undefined) return column;
  return { ...column, shown: (row) => Number(text(row)).toFixed(places) };
};

const bid: Of = ({ bestBidPrice }) => bestBidPrice;
const ask: Of = ({ bestAskPrice }) => bestAskPrice;
const sizeOf = (amount: string): string | undefined => (amount === '0' ? undefined : amount);

/** Calls at the left and puts at the right of the strike, in the same order. */
const sideColumns = (of: 'call' | 'put'): readonly SheetColumn<Strike>[] => [
  side(of, ['open_interest', 'OI', 5], (ticker) => ticker.openInterest),
  side(of, ['volume', 'volume', 6], (ticker) => ticker.stats.volume),
  side(of, ['bid_size', 'bid size', 4], (ticker) => sizeOf(ticker.bestBidAmount)),
  side(of, ['bid', 'bid', 0], bid),
  side(of, ['ask', 'ask', 0], ask),
  side(of, ['ask_size', 'ask size', 4], (ticker) => sizeOf(ticker.bestAskAmount)),
  side(of, ['mark', 'mark', 3], (ticker) => ticker.markPrice),
  side(of, ['iv', 'IV %', 2], (ticker) => ticker.markIv, 1),
  side(of, ['delta', 'delta', 1], (ticker) => ticker.greeks?.delta, 2),
];

const COLUMNS: readonly SheetColumn<Strike>[] = [
  ...sideColumns('call'),
  {
    ...amountColumn<Strike>(['strike', 'strike', 0], ({ strike }) => strike),
    shown: ({ strike }) => paint.bold(strike),
  },
  ...sideColumns('put'),
];

function readStrikes(text: string): number {
  const strikes = Number(text);
  if (/^\d+$/.test(text) && strikes >= 1 && strikes <= STRIKES_MAX) return strikes;
  throw new InvalidArgumentError(`accepted: 1 to ${STRIKES_MAX}`);
}
