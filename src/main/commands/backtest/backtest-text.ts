// Prints a finished backtest for people: results, benchmarks and notes. On a terminal it is wrapped to its width.

import { printable, printableData } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import type { BalanceReport } from '../../../virtual/backtest/backtest-balance.ts';
import type { LegReport } from '../../../virtual/backtest/backtest-report.ts';
import type { BacktestOutcome } from '../../../virtual/backtest/run-backtest.ts';
import type { Terminal } from '../command.ts';
import { widthOf } from '../terminal/fitted-lines.ts';
import { clockText, durationText, paint, paintedSide, timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { percentText } from '../terminal/terminal-progress.ts';
import { type Fact, factLines, wrapped } from '../terminal/wrapped-lines.ts';
import type { BacktestRun } from './backtest-run.ts';

export interface FinishedBacktest {
  readonly name: string;
  readonly run: BacktestRun;
  readonly outcome: Extract<BacktestOutcome, { kind: 'done' }>;
  readonly elapsedMs: number;
}

const HOLES_SHOWN = 5;
const CHART_WIDTH_MAX = 72;
const CHART_MARGIN = 12;

export function printBacktest(given: FinishedBacktest, terminal: Terminal): void {
  const finished = printableBacktest(given);
  const { report } = finished.outcome;
  // What reads a pipe wraps it itself.
  const columns = terminal.isLive ? terminal.columns() : Number.POSITIVE_INFINITY;
  const print = (text: string, indent = 0): void => {
    for (const line of wrapped(text, columns - indent)) terminal.print(' '.repeat(indent) + line);
  };
  print(headText(finished));
  if (report.balance !== null) print(partsText(report.balance));
  for (const leg of report.legs) {
    terminal.print('');
    print(legHead(leg));
    terminal.print(`\n${benchmarkTable(leg, columns)}`);
    terminal.print(`\n${workTable(leg, columns)}`);
    const width = Math.max(10, Math.min(CHART_WIDTH_MAX, terminal.columns() - CHART_MARGIN));
    terminal.print(`\n${chart(leg, Date.parse(report.start), Date.parse(report.end), width)}`);
    for (const line of holeLines(leg)) print(line);
  }
  terminal.print(`\n${paint.bold('notes')}`);
  for (const note of finished.run.notes) print(note, 2);
  terminal.print('');
  print(paint.dim(paceText(finished)));
}

/** Names come from third-party files. */
function printableBacktest(given: FinishedBacktest): FinishedBacktest {
  const { name, run, outcome } = given;
  return {
    ...given,
    name: printable(name),
    run: { ...run, notes: run.notes.map(printable) },
    outcome: { ...outcome, report: printableData(outcome.report) },
  };
}

function headText({ name, outcome }: FinishedBacktest): string {
  const { start, end, status, reason } = outcome.report;
  const lasts = durationText(Date.parse(end) - Date.parse(start));
  const word = status === 'filled' ? paint.green('FILLED') : paint.red(status.toUpperCase());
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  return `${paint.bold(name)}  ${timeText(Date.parse(start))} to ${timeText(Date.parse(end))} UTC, ${lasts}  ${word}${why}`;
}

function partsText({ parts, partsDone, partsChased, imbalance }: BalanceReport): string {
  const worst = imbalance.map(({ share }, leg) => `leg ${leg} ${percent(share)}`).join(', ');
  const chased = partsChased === 0 ? '' : `, ${partsChased} finished through the market`;
  return `${partsDone} of ${parts} parts done${chased}; at most ahead of its proportion: ${worst}`;
}

function legHead(leg: LegReport): string {
  const residual = leg.residual === '0' ? '' : `, ${paint.yellow(`${leg.residual} left`)}`;
  const share = percentText(leg.filledShare * 100);
  return `${paintedSide(leg.side === 'buy' ? 1 : 2)} ${paint.bold(leg.instrument)}  ${leg.filled} of ${leg.quantity} ${leg.quantityIn} (${share})${residual}`;
}

const signed = (value: number | null): string =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(2)}`;

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Positive slippage is always worse for the portfolio, on either side. */
function benchmarkTable(leg: LegReport, width: number): string {
  const { market, slippage } = leg;
  const columns = [
    { head: 'price' },
    { head: '', align: 'right' },
    { head: 'slippage (bps)', align: 'right' },
    { head: '' },
  ] as const;
  const coverage =
    market.twapCoverage > 0.999_5 ? '' : `mid known ${percent(market.twapCoverage)} of the time`;
  const traded = `${counted(market.trades, 'trade')}, ${market.traded} ${leg.quantityIn}`;
  const rows = [
    ['average fill', priceText(leg.averagePrice), '', ''],
    ['arrival mid', priceText(market.arrivalMid), signed(slippage.arrivalBps), ''],
    ['interval TWAP', priceText(market.twap), signed(slippage.twapBps), paint.dim(coverage)],
    ['interval VWAP', priceText(market.vwap), signed(slippage.vwapBps), paint.dim(traded)],
  ];
  const table = tableText(columns, rows);
  if (isWithin(table, width)) return table;
  const remarks = [coverage, traded].filter((remark) => remark !== '');
  return [
    tableText(
      columns.slice(0, -1),
      rows.map((row) => row.slice(0, -1)),
    ),
    ...wrapped(remarks.join('; '), width).map(paint.dim),
  ].join('\n');
}

const isWithin = (text: string, width: number): boolean =>
  text.split('\n').every((line) => widthOf(line) <= width);

/** Seven significant digits are enough to read; the JSON has all of them. */
function priceText(price: string | null): string {
  if (price === null) return '–';
  const value = Number(price);
  return String(Number(value.toPrecision(value >= 1_000 ? 8 : 7)));
}

function workTable(leg: LegReport, width: number): string {
  const { slices, schedule } = leg;
  const waits = Object.entries(leg.waits).map(([reason, count]) => `${reason} ${count}`);
  const rows: readonly Fact[] = [
    ['slices', `${slices.planned} planned, ${slices.placed} placed, ${slices.missed} missed`],
    [
      'orders',
      `${leg.children} placed, ${leg.refused} refused, ${counted(leg.reprices, 'reprice')}, ${counted(leg.fills, 'fill')}`,
    ],
    ['made / taken', `${percent(leg.makerShare)} / ${percent(leg.takerShare)}`],
    ['fees', leg.fees.map(({ currency, amount }) => `${amount} ${currency}`).join(', ') || 'none'],
    ['recorded trades', supportText(leg)],
    ['schedule', schedule === null ? 'follows the other legs, or parts' : scheduleText(schedule)],
    ['waited for', waits.join(', ') || 'nothing'],
  ];
  const table = tableText(
    [{ head: 'work' }, { head: '' }],
    rows.map((row) => [...row]),
  );
  return isWithin(table, width) ? table : `${paint.bold('work')}\n${factLines(rows, width)}`;
}

function supportText({ support, fills }: LegReport): string {
  if (support === null) return 'none';
  const of =
    fills === 0 ? '' : `; ${support.unsupportedFills} of ${counted(fills, 'fill')} without one`;
  return `${percent(support.participation)} of their volume filled${of}`;
}

function scheduleText({ greatest, at, mean }: NonNullable<LegReport['schedule']>): string {
  const direction = greatest < 0 ? 'behind' : 'ahead';
  return `at most ${percent(Math.abs(greatest))} ${direction}, at ${clockText(Date.parse(at))}; ${percent(mean)} on average`;
}

function chart(leg: LegReport, from: number, to: number, width: number): string {
  const plan = blockLine((position) => position, width);
  const fills = blockLine(stepFunction(leg.path, { from, to }), width);
  const lines = [`${'filled'.padEnd(10)}${paint.cyan(fills)}`];
  if (leg.schedule !== null) lines.unshift(`${'schedule'.padEnd(10)}${paint.dim(plan)}`);
  return lines.join('\n');
}

function holeLines(leg: LegReport): readonly string[] {
  const { holes } = leg.market;
  if (holes.length === 0) return [];
  const total = holes.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = holes.toSorted((a, b) => b.seconds - a.seconds).slice(0, HOLES_SHOWN);
  const listed = longest.map(
    ({ from, seconds }) => `${timeText(Date.parse(from))} for ${durationText(seconds * 1_000)}`,
  );
  const more = holes.length > HOLES_SHOWN ? ', the longest' : '';
  return [
    '',
    `${paint.yellow(`${counted(holes.length, 'data hole')}`)}, ${durationText(total * 1_000)} together${more}: ${listed.join('; ')}`,
  ];
}

function paceText({ run, outcome, elapsedMs }: FinishedBacktest): string {
  const rate = Math.round((outcome.rows * 1_000) / Math.max(1, elapsedMs));
  const files = counted(run.files.length, 'file');
  return `${counted(outcome.rows, 'row')} of ${files} in ${(elapsedMs / 1_000).toFixed(1)} s (${rate}/s); trace ${outcome.traceHash}`;
}

/** From an empty column to a full one. */
const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The value of `shareAt` at the end of each of `width` equal intervals, each in [0, 1]. */
function blockLine(shareAt: (position: number) => number, width: number): string {
  let line = '';
  for (let column = 1; column <= width; column += 1) {
    const share = Math.min(1, Math.max(0, shareAt(column / width)));
    line += BLOCKS[Math.round(share * (BLOCKS.length - 1))];
  }
  return line;
}

interface PathPoint {
  readonly at: number;
  readonly share: number;
}

/** Returns a step function through points sorted by time: the share reached at a given time. */
function stepFunction(
  path: readonly PathPoint[],
  { from, to }: { readonly from: number; readonly to: number },
): (position: number) => number {
  return (position) => {
    const at = from + position * (to - from);
    const reached = path.findLast((point) => point.at <= at);
    return reached?.share ?? 0;
  };
}
