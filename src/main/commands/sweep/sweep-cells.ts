// A sweep is cut into cells: one variant on one window. Each is run by itself, in any process, and kept as one file.
import { createHash } from 'node:crypto';
import type { BacktestReport } from '../../../virtual/backtest/backtest-report.ts';
import type { TableRow } from '../../ledger/rows/ledger-columns.ts';

export interface SweepCell {
  /** Digest of all that determines the result: 64 hexadecimal digits. */
  readonly key: string;
  readonly variant: number;
  readonly window: number;
  /** Settings of the variant, `FIELD=VALUE`. */
  readonly settings: readonly string[];
  /** Start of the window in Unix milliseconds; `null`: as the file says. */
  readonly startAt: number | null;
  /** Of what is drawn in the run: the market of a rehearsal, the latency of a backtest. */
  readonly seed: string;
}

export type CellOutcome =
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'done';
      readonly traceHash: string;
      readonly report: BacktestReport;
      readonly notes: readonly string[];
      readonly tables: Readonly<Record<CellTable, readonly TableRow[]>>;
    };

export const CELL_TABLES = ['slices', 'fills', 'children'] as const;
export type CellTable = (typeof CELL_TABLES)[number];

/** As stored. */
export interface KeptCell {
  readonly format: typeof CELL_FORMAT;
  readonly key: string;
  readonly version: string;
  readonly settings: readonly string[];
  readonly startAt: number | null;
  readonly outcome: CellOutcome;
}

/** A part of every key: what an earlier version kept is run again. */
export const CELL_FORMAT = 'twapd.sweep-cell/2';

/** Of anything that JSON can write, the same for equal values written in the same order. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
