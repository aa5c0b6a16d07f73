// What can be recorded of a market: the kinds of rows, their columns as tardis.dev names and orders them, and the names
// of their files.
import type { Instrument } from '../values/instrument.ts';

export const RECORDED_KINDS = [
  'trades',
  'quotes',
  'book_snapshot_5',
  'book_snapshot_25',
  'derivative_ticker',
  'options_chain',
] as const;

export type RecordedKind = (typeof RECORDED_KINDS)[number];

const STAMPS = ['exchange', 'symbol', 'timestamp', 'local_timestamp'];

const bookColumns = (depth: number): readonly string[] =>
  Array.from({ length: depth }, (_, at) => [
    `asks[${at}].price`,
    `asks[${at}].amount`,
    `bids[${at}].price`,
    `bids[${at}].amount`,
  ]).flat();

const COLUMNS: Readonly<Record<RecordedKind, readonly string[]>> = {
  trades: ['id', 'side', 'price', 'amount'],
  quotes: ['ask_amount', 'ask_price', 'bid_price', 'bid_amount'],
  book_snapshot_5: bookColumns(5),
  book_snapshot_25: bookColumns(25),
  derivative_ticker: [
    'funding_timestamp',
    'funding_rate',
    'predicted_funding_rate',
    'open_interest',
    'last_price',
    'index_price',
    'mark_price',
  ],
  options_chain: [
    'type',
    'strike_price',
    'expiration',
    'open_interest',
    'last_price',
    'bid_price',
    'bid_amount',
    'bid_iv',
    'ask_price',
    'ask_amount',
    'ask_iv',
    'mark_price',
    'mark_iv',
    'underlying_index',
    'underlying_price',
    'delta',
    'gamma',
    'vega',
    'theta',
    'rho',
  ],
};

/** The first line of a file. */
export const headerOf = (kind: RecordedKind): string => [...STAMPS, ...COLUMNS[kind]].join(',');

/** Option chains of a whole venue are one file. */
const WHOLE_CHAIN = 'OPTIONS';

/** `<exchange>_<kind>_<day>_<SYMBOL>.csv.gz`; `day` is of the arrival, in UTC. */
export const fileNameOf = (
  exchange: string,
  kind: RecordedKind,
  { day, symbol }: { readonly day: string; readonly symbol: string },
): string => `${exchange}_${kind}_${day}_${kind === 'options_chain' ? WHOLE_CHAIN : symbol}.csv.gz`;

/** Levels of each side that the kind shows; 0 if it shows no book. */
export function depthOf(kind: RecordedKind): number {
  switch (kind) {
    case 'quotes':
      return 1;
    case 'book_snapshot_5':
      return 5;
    case 'book_snapshot_25':
      return 25;
    default:
      return 0;
  }
}

/** Whether an instrument of this sort has rows of the kind. */
export function applies(kind: RecordedKind, { kind: sort }: Pick<Instrument, 'kind'>): boolean {
  if (kind === 'options_chain') return sort === 'option';
  if (kind === 'derivative_ticker') return sort === 'perpetual' || sort === 'future';
  return true;
}
