// Renders a reading as a screen: a few lines about the daemon, then a line per portfolio with a bar of its
// fills and a schedule marker. Never wider or higher than the terminal.
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { must } from '../../../values/assert.ts';
import { cut, firstFitting, flowed, padEnd, widthOf } from '../terminal/fitted-lines.ts';
import { clockText, durationText, paint, paintedStatus, statusWord } from '../terminal/paint.ts';
import {
  barOf,
  filledPercent,
  percentText,
  scheduledShare,
} from '../terminal/terminal-progress.ts';
import type { TopPortfolio, TopReading } from './top-reading.ts';

export interface TopScreen {
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
  /** For example, that the daemon does not answer. */
  readonly notice?: string | undefined;
  /** The daemon state that the notice implies; `away` if not given. */
  readonly noticeState?: 'away' | 'rate limited' | undefined;
}

/** From this many rows on, the daemon's status may take a second line. */
const ROWS_FOR_MORE = 12;
const BAR_MIN = 10;
const BAR_MAX = 40;
/** Room at the end of a line for the state and its reason. */
const STATE_MIN = 22;
/** Columns dropped one after the other on a terminal too narrow for all. */
const LAYOUTS: readonly Layout[] = [
  { nameMax: 26, without: [] },
  { nameMax: 18, without: [] },
  { nameMax: 18, without: ['cost'] },
  { nameMax: 14, without: ['cost', 'late'] },
  { nameMax: 0, without: ['cost', 'late', 'name'] },
  // At 60 columns a shorter bar leaves room for the time left next to a reason to wait.
  { nameMax: 0, without: ['cost', 'late', 'name'], barMin: 8 },
  // At 44 columns the longest status still stands whole.
  { nameMax: 0, without: ['cost', 'late', 'name', 'left'], barMin: 8 },
];

interface Layout {
  readonly nameMax: number;
  readonly without: readonly (keyof Row)[];
  /** Of the bar; absent: BAR_MIN. */
  readonly barMin?: number;
}

/** Lines without line ends. */
export function topLines(reading: TopReading | undefined, screen: TopScreen): readonly string[] {
  const head = headLines(reading, screen);
  if (reading === undefined) return head;
  // The remaining rows are the column heads and the line about portfolios not shown.
  const room = Math.max(1, screen.rows - head.length - 2);
  const shown = reading.portfolios.slice(0, room);
  const table = tableLines(shown, screen);
  const more = reading.total - shown.length;
  const tail = more > 0 ? [paint.dim(`… and ${more} more`)] : [];
  const empty = reading.total === 0 ? [paint.dim('no active portfolios')] : [];
  return [...head, ...[...table, ...empty, ...tail].map((line) => cut(line, screen.columns))];
}

function headLines(reading: TopReading | undefined, screen: TopScreen): readonly string[] {
  const { columns, rows, notice } = screen;
  const told = cut(notice === undefined ? '' : paint.yellow(notice), columns);
  const first = firstLine(reading, screen);
  if (reading === undefined) return [first, told, ''];
  const words = deploymentWords(reading);
  const wide = words.join('   ');
  const linesMax = rows < ROWS_FOR_MORE ? 1 : 2;
  const lines = widthOf(wide) <= columns ? [wide] : flowed(words, { gap: '  ', columns, linesMax });
  return [first, ...lines, told];
}

/** What the daemon as a whole is doing, the most important first. */
export const deploymentWords = (reading: TopReading): readonly string[] => [
  tradingText(reading),
  mmpText(reading),
  ...figures(reading),
];

/** Reasons why the daemon cannot trade take precedence over everything else. */
function firstLine(reading: TopReading | undefined, screen: TopScreen): string {
  const { nowMs, columns, notice, noticeState = 'away' } = screen;
  const title = paint.bold('twapd top');
  const clock = paint.dim(`${clockText(nowMs).slice(0, 8)} UTC`);
  const quit = paint.dim('q quits');
  const fitted = (...lines: readonly (readonly string[])[]): string =>
    firstFitting(
      lines.map((words) => words.join('  ')),
      columns,
    );
  if (reading === undefined) return fitted([title, clock, quit], [title]);
  const { url } = reading;
  const state = notice === undefined ? readyText(reading) : paint.dim(noticeState);
  return fitted(
    [title, url, state, clock, quit],
    [title, url, state, clock],
    [title, url, state],
    [title, state],
  );
}

const readyText = ({ ready, reasons }: TopReading): string =>
  ready ? paint.green('ready') : paint.red(`not ready: ${reasons.join('; ')}`);

function tradingText({ trading, held }: TopReading): string {
  const word = trading.toUpperCase();
  const painted = trading === 'active' ? paint.green(word) : paint.red(word);
  return `trading ${painted}${held > 0 ? paint.yellow(` (${held} held below)`) : ''}`;
}

function mmpText({ mmpFrozen, mmpWaiting }: TopReading): string {
  if (mmpFrozen + mmpWaiting === 0) return `MMP ${paint.green('ready')}`;
  const parts = [
    ...(mmpFrozen > 0 ? [`${mmpFrozen} frozen`] : []),
    ...(mmpWaiting > 0 ? [`${mmpWaiting} waiting for a reset`] : []),
  ];
  return `MMP ${paint.red(parts.join(', '))}`;
}

function figures(reading: TopReading): readonly string[] {
  const { total, undecided, lateShare, loopP99Sec, gatewayLoopP99Sec } = reading;
  const unknown = `${undecided} undecided`;
  return [
    `${total} at work`,
    undecided > 0 ? paint.yellow(unknown) : unknown,
    ...(lateShare === undefined ? [] : [`${percentText(lateShare * 100)} late`]),
    ...(loopP99Sec === undefined ? [] : [paint.dim(`loop ${millis(loopP99Sec)}`)]),
    ...(gatewayLoopP99Sec === undefined
      ? []
      : [paint.dim(`gateway loop ${millis(gatewayLoopP99Sec)}`)]),
  ];
}

interface Row {
  readonly portfolio: string;
  readonly name: string;
  readonly share: string;
  readonly late: string;
  readonly cost: string;
  readonly left: string;
  readonly state: string;
}

const HEADS: Row = {
  portfolio: 'PORTFOLIO',
  name: 'WHAT',
  share: 'FILLED',
  late: 'LATE',
  cost: 'COST',
  left: 'LEFT',
  state: 'STATE',
};
const BAR_HEAD = 'SCHEDULE ┃ FILLS █';

/** A head, and a line per portfolio. */
export function tableLines(
  shown: readonly TopPortfolio[],
  { nowMs, columns }: TopScreen,
): readonly string[] {
  const { rows, widths, bar } = fitting(shown, nowMs, columns);
  const head = paint.dim(lineOf(HEADS, BAR_HEAD.slice(0, bar).padEnd(bar), widths));
  return [
    head,
    ...rows.map((row, index) => lineOf(row, barText(shown[index]?.record, nowMs, bar), widths)),
  ];
}

/** Returns the first layout that leaves room for the smallest bar and the state. */
function fitting(shown: readonly TopPortfolio[], nowMs: number, columns: number) {
  let made: { rows: readonly Row[]; widths: Widths; bar: number } | undefined;
  for (const { nameMax, without, barMin = BAR_MIN } of LAYOUTS) {
    const rows = shown.map((one) => rowOf(one, { nowMs, nameMax }));
    const widths = widthsOf([HEADS, ...rows], without);
    const { state, ...fixed } = widths;
    const besides = Object.values(fixed).reduce(
      (sum, width) => sum + (width === 0 ? 0 : width + 1),
      0,
    );
    const room = columns - besides - 1;
    const bar = Math.min(BAR_MAX, Math.max(barMin, room - state));
    made = { rows, widths, bar };
    if (room - barMin >= Math.min(state, STATE_MIN)) return made;
  }
  return must(made, 'layout');
}

type Widths = Readonly<Record<keyof Row, number>>;

/** A column that is dropped or entirely empty has no width. */
function widthsOf(rows: readonly Row[], without: readonly (keyof Row)[]): Widths {
  const widest = (key: keyof Row): number =>
    without.includes(key) ? 0 : Math.max(...rows.map((row) => widthOf(row[key])));
  return {
    portfolio: widest('portfolio'),
    name: widest('name'),
    share: widest('share'),
    late: widest('late'),
    cost: widest('cost'),
    left: widest('left'),
    state: widest('state'),
  };
}

function lineOf(row: Row, bar: string, widths: Widths): string {
  const { portfolio, name, share, late, cost, left } = row;
  const cells: readonly (readonly [text: string, width: number])[] = [
    [padEnd(portfolio, widths.portfolio), widths.portfolio],
    [padEnd(name, widths.name), widths.name],
    [bar, 1],
    [share.padStart(widths.share), widths.share],
    [late.padStart(widths.late), widths.late],
    [cost.padStart(widths.cost), widths.cost],
    [left.padStart(widths.left), widths.left],
    [row.state, 1],
  ];
  return cells.flatMap(([text, width]) => (width === 0 ? [] : [text])).join(' ');
}

function rowOf(
  { record, lateSec, costBps }: TopPortfolio,
  { nowMs, nameMax }: { readonly nowMs: number; readonly nameMax: number },
): Row {
  return {
    portfolio: record.portfolioId,
    name: nameOf(record, nameMax),
    share: percentText(filledPercent(record)),
    late: lateSec === undefined ? '–' : millis(lateSec),
    cost: costBps === undefined ? '–' : `${costBps > 0 ? '+' : ''}${costBps.toFixed(1)} bp`,
    left: leftText(record, nowMs),
    state: stateText(record),
  };
}

function nameOf({ strategy, customizedNote, legs }: PortfolioRecord, nameMax: number): string {
  const named = strategy ?? customizedNote;
  const name = named === '' ? legs.map(({ instrument }) => instrument).join(' ') : named;
  return nameMax === 0 ? '' : cut(name, nameMax);
}

function leftText(record: PortfolioRecord, nowMs: number): string {
  const endMs = endOf(record);
  if (endMs === undefined) return '–';
  const leftMs = endMs - nowMs;
  return leftMs >= 0 ? durationText(leftMs) : `over ${durationText(-leftMs)}`;
}

/** A portfolio executed in parts ends by the clock only if it has a time limit. */
function endOf({ twapTrade, balanceTrade, submitTimestamp }: PortfolioRecord): number | undefined {
  if (twapTrade !== undefined) return Number(twapTrade.endTimestamp);
  const limitMs = Number(balanceTrade?.totalLimitMs ?? 0);
  return limitMs > 0 ? Number(submitTimestamp) + limitMs : undefined;
}

function stateText(record: PortfolioRecord): string {
  const waiting = [...new Set(record.legs.flatMap((leg) => leg.waiting ?? []))];
  const why = waiting.length === 0 ? '' : paint.yellow(` waits: ${waiting.join(', ')}`);
  return `${statusText(record)}${partText(record)}${why}`;
}

function statusText({ portfolioStatus, paused }: PortfolioRecord): string {
  const known = statusWord(portfolioStatus) !== String(portfolioStatus);
  if (!known) return String(portfolioStatus);
  const isHeld = paused !== undefined && statusWord(portfolioStatus) === 'ACTIVE';
  return isHeld ? paint.yellow('PAUSED') : paintedStatus(portfolioStatus);
}

function partText({ balanceTrade }: PortfolioRecord): string {
  if (balanceTrade === undefined) return '';
  const { parts, partsDone, stage } = balanceTrade;
  const under = Math.min(parts, partsDone + 1);
  const how = stage === undefined || stage === 'work' ? '' : ` ${stage}`;
  return paint.dim(` part ${under}/${parts}${how}`);
}

function barText(record: PortfolioRecord | undefined, nowMs: number, width: number): string {
  if (record === undefined) return ' '.repeat(width);
  const shares = record.legs.map((leg) => scheduledShare(record, leg, nowMs));
  const scheduled = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  const filled = filledPercent(record) / 100;
  const { filled: blocks, rest, mark } = barOf(filled, scheduled, width);
  return [...blocks, ...rest]
    .map((cell, column) => {
      if (column === mark && filled < 1) return paint.bold('┃');
      return column < blocks.length ? paint.green(cell) : paint.dim(cell);
    })
    .join('');
}

const millis = (seconds: number): string =>
  seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : `${seconds.toFixed(1)} s`;
