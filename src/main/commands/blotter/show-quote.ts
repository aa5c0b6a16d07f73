// `quote INSTRUMENT...`: best prices, mark, index and statistics; of a single instrument also its book.
import { InvalidArgumentError } from 'commander';
import type { MethodResults } from '../../../gateway/client/client.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { cut, padEnd } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedText } from '../terminal/time-zone.ts';
import { readName } from './blotter-arguments.ts';
import {
  BlotterDaemon,
  type BlotterOptions,
  printListing,
  withBlotterOptions,
} from './blotter-options.ts';

type Ticker = MethodResults['public/ticker'];
type Book = MethodResults['public/get_order_book'];

interface Options extends BlotterOptions {
  readonly depth: number;
}

const DEPTH = 5;
const DEPTH_MAX = 50;
/** Decimal places of the rate in the table; CSV has all. */
const DISPLAYED = { funding: 4 } as const;

export const addQuote: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('quote'))
    .argument('<instrument...>', 'one or more, such as BTC-PERPETUAL', readNames)
    .option('--depth <levels>', 'levels of each side of the book', readDepth, DEPTH)
    .action(async (names: readonly string[], options: Options) => {
      const blotter = new BlotterDaemon(options);
      const { depth, tz } = options;
      const [only, ...others] = names;
      if (only !== undefined && others.length === 0 && !options.csv) {
        const book = await blotter.query('public/get_order_book', { instrumentName: only, depth });
        return options.json ? terminal.print(jsonText([book])) : printBook(book, tz, terminal);
      }
      const rows = await Promise.all(
        names.map((instrumentName) => blotter.query('public/ticker', { instrumentName })),
      );
      const listing = { columns: columnsFor(tz), rows, none: 'no instruments' };
      printListing(listing, options, terminal);
    });
};

const columnsFor = (zone: ZoneName): readonly SheetColumn<Ticker>[] => [
  textColumn(['instrument', 'instrument', 0], (row) => row.instrumentName),
  timeColumn(['time', 'at', 9], zone, (row) => row.timestamp),
  textColumn(['state', 'state', 10], (row) => row.state),
  amountColumn(['bid_size', 'bid size', 4], (row) => row.bestBidAmount),
  amountColumn(['bid', 'bid', 0], (row) => row.bestBidPrice ?? undefined),
  amountColumn(['ask', 'ask', 0], (row) => row.bestAskPrice ?? undefined),
  amountColumn(['ask_size', 'ask size', 4], (row) => row.bestAskAmount),
  amountColumn(['mark', 'mark', 1], (row) => row.markPrice),
  amountColumn(['last', 'last', 5], (row) => row.lastPrice ?? undefined),
  amountColumn(['index', 'index', 6], (row) => row.indexPrice),
  amountColumn(['underlying', 'underlying', 7], (row) => row.underlyingPrice),
  amountColumn(['bid_iv', 'bid IV %', 3], (row) => row.bidIv),
  amountColumn(['mark_iv', 'IV %', 2], (row) => row.markIv),
  amountColumn(['ask_iv', 'ask IV %', 3], (row) => row.askIv),
  amountColumn(['delta', 'delta', 2], (row) => row.greeks?.delta),
  amountColumn(['gamma', 'gamma', 8], (row) => row.greeks?.gamma),
  amountColumn(['vega', 'vega', 8], (row) => row.greeks?.vega),
  amountColumn(['theta', 'theta', 8], (row) => row.greeks?.theta),
  amountColumn(['funding_8h', 'funding 8 h', 6], (row) => row.funding8h),
  amountColumn(['current_funding', 'funding now', 10], (row) => row.currentFunding),
  amountColumn(['open_interest', 'open interest', 7], (row) => row.openInterest),
  amountColumn(['volume_24h', '24 h volume', 7], (row) => row.stats.volume),
  amountColumn(['high_24h', '24 h high', 11], (row) => row.stats.high ?? undefined),
  amountColumn(['low_24h', '24 h low', 11], (row) => row.stats.low ?? undefined),
  amountColumn(
    ['change_24h_percent', '24 h change %', 6],
    (row) => row.stats.priceChange ?? undefined,
  ),
  amountColumn(['min_price', 'lowest sell', 12], (row) => row.minPrice),
  amountColumn(['max_price', 'highest buy', 12], (row) => row.maxPrice),
];

/** A line for each fact that is known, then the book with its best prices in the middle line. */
function printBook(book: Book, zone: ZoneName, terminal: Terminal): void {
  const width = terminal.columns();
  const facts = factsOf(book).filter(([, fact]) => fact !== undefined);
  const heads = Math.max(...facts.map(([head]) => head.length));
  const state = book.state === 'open' ? paint.green(book.state) : paint.red(book.state);
  terminal.print(cut(`${paint.bold(book.instrumentName)}  ${state}`, width));
  terminal.print(cut(paint.dim(`${zonedText(book.timestamp, zone)} (${zone})`), width));
  for (const [head, fact] of facts) {
    terminal.print(cut(`${paint.dim(padEnd(head, heads))}  ${fact}`, width));
  }
  terminal.print('');
  for (const line of ladder(book)) terminal.print(cut(line, width));
}

function factsOf(of: Book): readonly (readonly [head: string, fact: string | undefined])[] {
  const { greeks, stats } = of;
  const known = (values: readonly (string | undefined)[], text: string): string | undefined =>
    values.includes(undefined) ? undefined : text;
  return [
    ['mark', of.markPrice],
    ['index', of.indexPrice],
    [
      'underlying',
      known([of.underlyingPrice], `${of.underlyingPrice} ${of.underlyingIndex ?? ''}`),
    ],
    ['last', of.lastPrice ?? undefined],
    ['accepted', known([of.minPrice, of.maxPrice], `${of.minPrice} to ${of.maxPrice}`)],
    ['mark IV %', of.markIv],
    ['bid IV %', of.bidIv],
    ['ask IV %', of.askIv],
    ['delta', greeks?.delta],
    ['gamma', greeks?.gamma],
    ['vega', greeks?.vega],
    ['theta', greeks?.theta],
    ['funding 8 h', percentOf(of.funding8h)],
    ['funding now', percentOf(of.currentFunding)],
    ['open interest', of.openInterest],
    ['24 h volume', stats.volume],
    ['24 h range', known([stats.low ?? undefined], `${stats.low} to ${stats.high}`)],
    ['24 h change', stats.priceChange === null ? undefined : `${stats.priceChange} %`],
  ];
}

/** Of a rate that is a fraction. */
const percentOf = (rate: string | undefined): string | undefined =>
  rate === undefined ? undefined : `${(Number(rate) * 100).toFixed(DISPLAYED.funding)} %`;

/** Asks above bids, best prices next to each other: side, size, price. */
function ladder({ bids, asks }: Book): readonly string[] {
  const levels = [...asks, ...bids];
  if (levels.length === 0) return [paint.dim('the book is empty')];
  const sizes = Math.max(...levels.map(([, amount]) => amount.length));
  const prices = Math.max(...levels.map(([price]) => price.length));
  const line = (side: string, [price, amount]: readonly [string, string]): string =>
    `${side}  ${amount.padStart(sizes)}  ${price.padStart(prices)}`;
  return [
    ...asks.toReversed().map((level) => paint.red(line('ask', level))),
    ...bids.map((level) => paint.green(line('bid', level))),
  ];
}

const readNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  readName(text),
];

function readDepth(text: string): number {
  const depth = Number(text);
  if (/^\d+$/.test(text) && depth >= 1 && depth <= DEPTH_MAX) return depth;
  throw new InvalidArgumentError(`accepted: 1 to ${DEPTH_MAX}`);
}
