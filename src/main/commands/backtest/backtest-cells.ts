// One cell of a sweep over a recording: the same run that `backtest` makes with the settings and the start of the cell.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import { Replay } from '../../../core/portfolio/aggregate/replay.ts';
import type { Rejection } from '../../../core/rejection.ts';
import { LegHistoryBuilder } from '../../../core/report/leg-history.ts';
import { hasChoices } from '../../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { portfolioBodySchema } from '../../../gateway/portfolios/submit/submit-schema.ts';
import { must } from '../../../values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import type { BacktestReport } from '../../../virtual/backtest/backtest-report.ts';
import { CommandFailure } from '../../command-failure.ts';
import { FillRows } from '../../ledger/rows/fill-rows.ts';
import { childRows, sliceRows } from '../../ledger/rows/history-rows.ts';
import type { TableRow } from '../../ledger/rows/ledger-columns.ts';
import type { CellOutcome, CellTable, SweepCell } from '../sweep/sweep-cells.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { runOn } from './backtest-run.ts';
import { type OpenedRecording, openRecording } from './open-recording.ts';
import { withRecordedNames } from './recorded-choices.ts';
import { withFields } from './set-fields.ts';

/** What the processes are sent. */
export interface BacktestWork {
  /** As the file says it. */
  readonly body: unknown;
  readonly settings: BacktestSettings;
}

export const formOf = (body: unknown, settings: readonly string[]): PortfolioForm =>
  portfolioBodySchema.parse(withFields(body, settings));

/** Instruments decide which recordings are used. */
export const instrumentsOf = ({ legs }: PortfolioForm): string =>
  JSON.stringify(legs.map(({ instrument }) => instrument));

export function backtestCells({
  body,
  settings,
}: BacktestWork): (cell: SweepCell) => Promise<CellOutcome> {
  const opened = new Map<string, Promise<OpenedRecording>>();
  const run = async (asked: PortfolioForm): Promise<CellOutcome> => {
    const { form, notes } = await withRecordedNames(asked, settings);
    const name = instrumentsOf(form);
    const recording = opened.get(name) ?? openRecording(form, settings);
    opened.set(name, recording);
    const done = await runOn(await recording, form);
    return cellOutcome(done.outcome, [...notes, ...done.notes]);
  };
  return async (cell) => {
    const form = formOf(body, cell.settings);
    const asked = cell.startAt === null ? form : { ...form, startAt: instant(cell.startAt) };
    try {
      return await run(asked);
    } catch (error) {
      // Each window makes its own choice, and one of them may find nothing, or nothing that is quoted.
      if (!(error instanceof CommandFailure && hasChoices(asked))) throw error;
      return { kind: 'refused', reasons: error.lines };
    }
  };
}

/** What is kept of a run in virtual time. */
export function cellOutcome(outcome: RunOutcome, notes: readonly string[]): CellOutcome {
  if (outcome.kind === 'refused') {
    const reasons = outcome.rejections.map(({ field, message }) => `${field}: ${message}`);
    return { kind: 'refused', reasons };
  }
  const { report, events, traceHash } = outcome;
  const tables = tablesOf(portfolioId(report.portfolio), events);
  return { kind: 'done', traceHash, report, notes, tables };
}

type RunOutcome =
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] }
  | {
      readonly kind: 'done';
      readonly report: BacktestReport;
      readonly events: readonly PortfolioEvent[];
      readonly traceHash: string;
    };

function tablesOf(
  portfolio: PortfolioId,
  events: readonly PortfolioEvent[],
): Readonly<Record<CellTable, readonly TableRow[]>> {
  const replay = new Replay(portfolio, events);
  const teller = new LegHistoryBuilder();
  const fills = new FillRows(portfolio);
  const filled: TableRow[] = [];
  for (const event of events) {
    teller.add(event);
    const row = fills.add(event);
    if (row !== undefined) filled.push(row[1]);
  }
  const state = must(replay.state, 'a portfolio begins with its submission');
  return {
    slices: [...sliceRows(state, teller)].map(([, row]) => row),
    fills: filled,
    children: [...childRows(state, teller)].map(([, row]) => row),
  };
}
