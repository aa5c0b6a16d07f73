// The tables of a sweep: one row for each leg of each run, and its slices, fills and children. Every row names what it came
// from: the digest of the inputs, the version and the hash of the trace.
import { type Columns, LEDGER_TABLES, type TableRow } from '../../ledger/rows/ledger-columns.ts';
import type { CellTable, KeptCell, SweepCell } from './sweep-cells.ts';

const ORIGIN = {
  variant: 'text',
  window: 'count',
  window_start: 'time',
  seed: 'text',
  inputs: 'text',
  version: 'text',
  trace: 'text',
} as const satisfies Columns;

export const SWEEP_TABLES = {
  results: {
    ...ORIGIN,
    leg: 'count',
    instrument: 'text',
    side: 'text',
    status: 'text',
    reason: 'text',
    start: 'time',
    end: 'time',
    over: 'time',
    quantity: 'amount',
    filled: 'amount',
    residual: 'amount',
    average_price: 'amount',
    arrival_mid: 'amount',
    market_twap: 'amount',
    market_vwap: 'amount',
    arrival_bps: 'number',
    twap_bps: 'number',
    vwap_bps: 'number',
    filled_share: 'number',
    maker_share: 'number',
    participation: 'number',
    unsupported_fills: 'count',
    fills: 'count',
    children: 'count',
    reprices: 'count',
    slices_planned: 'count',
    slices_placed: 'count',
    slices_missed: 'count',
  },
  slices: { ...ORIGIN, ...LEDGER_TABLES.slices },
  fills: { ...ORIGIN, ...LEDGER_TABLES.fills },
  children: { ...ORIGIN, ...LEDGER_TABLES.children },
} as const satisfies Readonly<Record<string, Columns>>;

export type SweepTableName = keyof typeof SWEEP_TABLES;

/** A cell of the sweep with what was kept of it. */
export interface CellRun {
  readonly cell: SweepCell;
  readonly variant: string;
  readonly kept: KeptCell;
}

/** The rows of one run. */
export function rowsOf(table: SweepTableName, run: CellRun): readonly TableRow[] {
  const { outcome } = run.kept;
  if (outcome.kind === 'refused') {
    return table === 'results'
      ? [{ ...originOf(run), ...REFUSED, reason: outcome.reasons.join('; ') }]
      : [];
  }
  if (table === 'results') return resultRows(run);
  const origin = originOf(run);
  return outcome.tables[table satisfies CellTable].map((row) => ({ ...origin, ...row }));
}

const REFUSED = { status: 'refused' } as const;

const originOf = ({ cell, variant, kept }: CellRun): TableRow => ({
  variant,
  window: cell.window,
  window_start: startOf(kept),
  seed: cell.seed,
  inputs: kept.key,
  version: kept.version,
  trace: kept.outcome.kind === 'done' ? kept.outcome.traceHash : null,
});

const startOf = ({ startAt, outcome }: KeptCell): number | null =>
  startAt ?? (outcome.kind === 'done' ? Date.parse(outcome.report.start) : null);

function resultRows(run: CellRun): readonly TableRow[] {
  const { outcome } = run.kept;
  if (outcome.kind === 'refused') return [];
  const { report } = outcome;
  return report.legs.map((leg, index) => ({
    ...originOf(run),
    leg: index,
    instrument: leg.instrument,
    side: leg.side,
    status: report.status,
    reason: report.reason,
    start: Date.parse(report.start),
    end: Date.parse(report.end),
    over: Date.parse(report.over),
    quantity: leg.quantity,
    filled: leg.filled,
    residual: leg.residual,
    average_price: leg.averagePrice,
    arrival_mid: leg.market.arrivalMid,
    market_twap: leg.market.twap,
    market_vwap: leg.market.vwap,
    arrival_bps: leg.slippage.arrivalBps,
    twap_bps: leg.slippage.twapBps,
    vwap_bps: leg.slippage.vwapBps,
    filled_share: leg.filledShare,
    maker_share: leg.makerShare,
    participation: leg.support?.participation ?? null,
    unsupported_fills: leg.support?.unsupportedFills ?? null,
    fills: leg.fills,
    children: leg.children,
    reprices: leg.reprices,
    slices_planned: leg.slices.planned,
    slices_placed: leg.slices.placed,
    slices_missed: leg.slices.missed,
  }));
}
