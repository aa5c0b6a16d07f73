// Converts the rows of each type of recording to events. Column names and units are those of tardis.dev's
// downloadable CSV files (its documentation, 2024): times in microseconds, empty means absent.
import { instant } from '../../values/instant.ts';
import type { Greeks } from '../../values/quote.ts';
import type {
  RecordedBook,
  RecordedEvent,
  RecordedLevel,
  RecordedTicker,
} from '../../values/recorded-event.ts';
import type { Columns } from './columns.ts';
import type { CsvRow } from './csv-rows.ts';
import type { RecordingType } from './recording-files.ts';

/** Returns the events of one row; none if its symbol is not requested. */
export type ReadRow = (row: CsvRow) => readonly RecordedEvent[];
type IsSymbol = (symbol: string) => boolean;

/** Which symbols of a recording are read, and how. */
export interface SymbolsRead {
  readonly isWanted: IsSymbol;
  /** Combos: their prices may be zero or below. Default: none is one. */
  readonly isCombo?: IsSymbol | undefined;
}

interface Reading extends SymbolsRead {
  readonly columns: Columns;
}

type Stamp = Pick<RecordedEvent, 'symbol' | 'atUs' | 'at'>;
/** `isCombo`: prices may be zero or below. */
type Read<E extends RecordedEvent> = (row: CsvRow, stamp: Stamp, isCombo: boolean) => readonly E[];

export function rowReader(type: RecordingType, columns: Columns, read: SymbolsRead): ReadRow {
  const reading = { columns, ...read };
  switch (type) {
    case 'quotes':
      return stamped(reading, quotes(columns));
    case 'book_snapshot_5':
      return stamped(reading, snapshots(columns, 5));
    case 'book_snapshot_25':
      return stamped(reading, snapshots(columns, 25));
    case 'trades':
      return stamped(reading, trades(columns));
    case 'derivative_ticker':
      return stamped(reading, tickers(columns));
    case 'options_chain':
      return stamped(reading, optionChains(columns));
  }
}

function stamped<E extends RecordedEvent>(reading: Reading, read: Read<E>): ReadRow {
  const { columns, isWanted, isCombo = () => false } = reading;
  const symbolAt = columns.need('symbol');
  const local = columns.need('local_timestamp');
  const exchange = columns.find('timestamp');
  return (row) => {
    const symbol = columns.text(row, symbolAt);
    if (!isWanted(symbol)) return [];
    const at = columns.text(row, local) === '' && exchange >= 0 ? exchange : local;
    const atUs = columns.microseconds(row, at);
    const stamp = { symbol, atUs, at: instant(Math.ceil(atUs / 1_000)) };
    return read(row, stamp, isCombo(symbol));
  };
}

type LevelColumns = readonly [price: number, amount: number];
type ReadLevel = (row: CsvRow, at: LevelColumns, isCombo: boolean) => readonly RecordedLevel[];

/** An empty or zero price is not a level: some venues write an empty side this way. Of a combo, zero with an amount is one. */
const levelReader =
  (columns: Columns): ReadLevel =>
  (row, [priceAt, amountAt], isCombo) => {
    const price = priceOf(columns, row, { at: priceAt, isCombo });
    if (price === undefined) return [];
    const isZero = !/[1-9]/.test(price);
    if (isZero && !isCombo) return [];
    const amount = columns.decimal(row, amountAt);
    const isThere = amount === undefined ? !isZero : /[1-9]/.test(amount);
    return isThere ? [{ price, amount }] : [];
  };

interface PriceColumn {
  readonly at: number;
  readonly isCombo: boolean;
}

const priceOf = (columns: Columns, row: CsvRow, { at, isCombo }: PriceColumn) =>
  isCombo ? columns.signedDecimal(row, at) : columns.decimal(row, at);

function quotes(columns: Columns): Read<RecordedBook> {
  const bid = [columns.need('bid_price'), columns.find('bid_amount')] as const;
  const ask = [columns.need('ask_price'), columns.find('ask_amount')] as const;
  const level = levelReader(columns);
  return (row, stamp, isCombo) => [
    { ...stamp, kind: 'book', bids: level(row, bid, isCombo), asks: level(row, ask, isCombo) },
  ];
}

function snapshots(columns: Columns, depth: number): Read<RecordedBook> {
  const side = (name: string): readonly LevelColumns[] =>
    Array.from({ length: depth }, (_, i): LevelColumns => {
      const price = `${name}[${i}].price`;
      const at = i === 0 ? columns.need(price) : columns.find(price);
      return [at, columns.find(`${name}[${i}].amount`)];
    });
  const bids = side('bids');
  const asks = side('asks');
  const level = levelReader(columns);
  return (row, stamp, isCombo) => {
    const levels = (of: readonly LevelColumns[]): readonly RecordedLevel[] =>
      of.flatMap((at) => level(row, at, isCombo));
    return [{ ...stamp, kind: 'book', bids: levels(bids), asks: levels(asks) }];
  };
}

function trades(columns: Columns): Read<RecordedEvent> {
  const sideAt = columns.find('side');
  const priceAt = columns.need('price');
  const amountAt = columns.need('amount');
  return (row, stamp, isCombo) => {
    const price = priceOf(columns, row, { at: priceAt, isCombo });
    const amount = columns.decimal(row, amountAt);
    if (price === undefined) throw columns.fault(row, priceAt, 'the price of the trade');
    if (amount === undefined) throw columns.fault(row, amountAt, 'the amount of the trade');
    const side = columns.text(row, sideAt);
    if (side !== 'buy' && side !== 'sell' && side !== 'unknown' && side !== '') {
      throw columns.fault(row, sideAt, 'buy, sell or unknown');
    }
    const taker = side === 'buy' || side === 'sell' ? side : undefined;
    return [{ ...stamp, kind: 'trade', side: taker, price, amount }];
  };
}

function tickers(columns: Columns): Read<RecordedTicker> {
  const markAt = columns.find('mark_price');
  const indexAt = columns.find('index_price');
  return (row, stamp, isCombo) => [
    {
      ...stamp,
      kind: 'ticker',
      ...defined('mark', priceOf(columns, row, { at: markAt, isCombo })),
      ...defined('index', columns.decimal(row, indexAt)),
    },
  ];
}

const GREEKS = ['delta', 'gamma', 'vega', 'theta', 'rho'] as const satisfies (keyof Greeks)[];

const defined = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]: string });

/** A row contains both the option's quote and its mark price. Volatilities are in percent. */
function optionChains(columns: Columns): Read<RecordedEvent> {
  const bid = [columns.need('bid_price'), columns.find('bid_amount')] as const;
  const ask = [columns.need('ask_price'), columns.find('ask_amount')] as const;
  const level = levelReader(columns);
  const readTicker = optionTickers(columns);
  return (row, stamp, isCombo) => [
    { ...stamp, kind: 'book', bids: level(row, bid, isCombo), asks: level(row, ask, isCombo) },
    ...readTicker(row, stamp, isCombo),
  ];
}

/** A greek that is empty is unknown. */
function optionTickers(columns: Columns): Read<RecordedTicker> {
  const at = (name: string): number => columns.find(name);
  const [markAt, ivAt, forwardAt] = [at('mark_price'), at('mark_iv'), at('underlying_price')];
  const greeksAt = GREEKS.map((name) => [name, at(name)] as const);
  return (row, stamp, isCombo) => {
    const percent = columns.float(row, ivAt);
    const known = greeksAt.flatMap(([name, column]) => {
      const value = columns.float(row, column);
      return value === undefined ? [] : [[name, value] as const];
    });
    return [
      {
        ...stamp,
        kind: 'ticker',
        ...defined('mark', priceOf(columns, row, { at: markAt, isCombo })),
        ...defined('underlying', columns.decimal(row, forwardAt)),
        markIv: percent === undefined ? undefined : percent / 100,
        greeks: known.length === 0 ? undefined : (Object.fromEntries(known) as Greeks),
      },
    ];
  };
}
