// The tables of an archived day, with their columns in order: what a ledger gives, and what an archive stores. Amounts are
// text, for they are exact.
export type ColumnType = 'int64' | 'int32' | 'double' | 'text';

export interface ArchiveColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Default: every row has a value. */
  readonly isOptional?: boolean;
}

/** An `int64` is a bigint, `int32` and `double` are numbers. */
export type ArchiveValue = bigint | number | string | null;
export type ArchiveRow = readonly ArchiveValue[];

export type ArchiveTable = (typeof ARCHIVE_TABLE_NAMES)[number];

/** Archives written before schema 34 lack the last one. */
export const ARCHIVE_TABLE_NAMES = ['turns', 'fills', 'moments', 'market', 'instants'] as const;
/** Those that every archive has. */
export const FIRST_TABLES_COUNT = 4;

const columns = (type: ColumnType, ...names: readonly string[]): readonly ArchiveColumn[] =>
  names.map((name) => ({ name, type }));
const optional = (type: ColumnType, ...names: readonly string[]): readonly ArchiveColumn[] =>
  names.map((name) => ({ name, type, isOptional: true }));

const MARKET = [
  ...optional('text', 'bid', 'bid_size', 'ask', 'ask_size', 'last', 'mark', 'index', 'underlying'),
  ...optional('double', 'mark_iv', 'delta', 'gamma', 'vega', 'theta', 'funding_rate'),
  ...optional('int32', 'age_ms'),
];

export const ARCHIVE_TABLES: Readonly<Record<ArchiveTable, readonly ArchiveColumn[]>> = {
  /** In order of portfolio and version. `events` is a JSON list, `hash` the chain of the portfolio up to its last event. */
  turns: [
    ...columns('int64', 'portfolio'),
    ...columns('int32', 'version', 'size'),
    ...columns('int64', 'batch', 'at'),
    ...columns('text', 'events', 'hash'),
  ],
  fills: [
    ...columns('text', 'venue', 'currency', 'trade_id'),
    ...columns('int64', 'portfolio', 'at'),
    ...columns('text', 'label', 'quantity', 'price', 'fee'),
  ],
  moments: [
    ...columns('int64', 'portfolio'),
    ...columns('int32', 'version', 'leg'),
    ...columns('int64', 'at'),
    ...MARKET,
    ...optional('double', 'expected_bps'),
    ...optional('text', 'expected_fee', 'expected_fee_currency'),
  ],
  market: [
    ...columns('text', 'venue', 'instrument'),
    ...columns('int64', 'second', 'at'),
    ...MARKET,
    ...optional('text', 'volume'),
  ],
  instants: [
    ...columns('text', 'venue', 'instrument'),
    ...columns('int64', 'at'),
    ...optional('text', 'bid', 'ask'),
    ...optional('int64', 'counted_since'),
    ...optional('text', 'volume', 'value'),
  ],
};
