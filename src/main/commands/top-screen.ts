// A reading as a screen: two lines about the daemon, then a line per portfolio with a bar of its fills and the
// schedule marked on it. Never wider or higher than the terminal.
import { stripVTControlCharacters } from 'node:util';
import type { PortfolioRecord } from '../../gateway/record-schema.ts';
import { clockText, durationText, paint, paintedStatus, statusWord } from './paint.ts';
import { barOf, filledPercent, percentText, scheduledShare } from './progress.ts';
import type { TopPortfolio, TopReading } from './top-reading.ts';

export interface TopScreen {
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
  /** For example that the daemon does not answer. */
  readonly notice?: string | undefined;
}

const HEAD_LINES = 4;
const BAR_MIN = 10;
const BAR_MAX = 40;
const NAME_MAX = 26;

/** Lines without their ends. */
export function topLines(reading: TopReading | undefined, screen: TopScreen): readonly string[] {
  const head = headLines(reading, screen);
  if (reading === undefined) return head;
  const room = Math.max(1, screen.rows - HEAD_LINES - 1);
  const shown = reading.portfolios.slice(0, room);
  const table = tableLines(shown, screen);
  const more = reading.total - shown.length;
  const tail = more > 0 ? [paint.dim(`… and ${more} more`)] : [];
  const empty = reading.total === 0 ? [paint.dim('no portfolio is at work')] : [];
  return [...head, ...table, ...empty, ...tail].map((line) => cut(line, screen.columns));
}

function headLines(
  reading: TopReading | undefined,
  { nowMs, notice }: TopScreen,
): readonly string[] {
  const clock = paint.dim(`${clockText(nowMs).slice(0, 8)} UTC`);
  const quit = paint.dim('q quits');
  const told = notice === undefined ? '' : paint.yellow(notice);
  if (reading === undefined) return [`${paint.bold('twapd top')}  ${clock}  ${quit}`, told, ''];
  const { url, ready, reasons } = reading;
  const now = ready ? paint.green('ready') : paint.red(`not ready: ${reasons.join('; ')}`);
  const state = notice === undefined ? now : paint.dim('away');
  return [
    `${paint.bold('twapd top')}  ${url}  ${state}  ${clock}  ${quit}`,
    [tradingText(reading), mmpText(reading), ...figures(reading)].join('   '),
    told,
  ];
}

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
  const { total, undecided, lateShare, loopP99Sec } = reading;
  const unknown = `${undecided} undecided`;
  return [
    `${total} at work`,
    undecided > 0 ? paint.yellow(unknown) : unknown,
    ...(lateShare === undefined ? [] : [`late slices ${percentText(lateShare * 100)}`]),
    ...(loopP99Sec === undefined ? [] : [paint.dim(`loop ${millis(loopP99Sec)}`)]),
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

function tableLines(
  shown: readonly TopPortfolio[],
  { nowMs, columns }: TopScreen,
): readonly string[] {
  const rows = shown.map((one) => rowOf(one, nowMs));
  const widths = widthsOf([HEADS, ...rows]);
  const fixed = Object.values(widths).reduce((sum, width) => sum + width + 1, 0);
  const bar = Math.min(BAR_MAX, Math.max(BAR_MIN, columns - fixed - 1));
  const head = paint.dim(lineOf(HEADS, BAR_HEAD.slice(0, bar).padEnd(bar), widths));
  return [
    head,
    ...rows.map((row, index) => lineOf(row, barText(shown[index]?.record, nowMs, bar), widths)),
  ];
}

type Widths = Readonly<Record<keyof Row, number>>;

function widthsOf(rows: readonly Row[]): Widths {
  const widest = (key: keyof Row): number =>
    Math.max(...rows.map((row) => stripVTControlCharacters(row[key]).length));
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

const lineOf = (row: Row, bar: string, widths: Widths): string =>
  [
    row.portfolio.padEnd(widths.portfolio),
    row.name.padEnd(widths.name),
    bar,
    row.share.padStart(widths.share),
    row.late.padStart(widths.late),
    row.cost.padStart(widths.cost),
    row.left.padStart(widths.left),
    row.state,
  ].join(' ');

function rowOf({ record, lateSec, costBps }: TopPortfolio, nowMs: number): Row {
  return {
    portfolio: record.portfolioId,
    name: nameOf(record),
    share: percentText(filledPercent(record)),
    late: lateSec === undefined ? '–' : millis(lateSec),
    cost: costBps === undefined ? '–' : `${costBps > 0 ? '+' : ''}${costBps.toFixed(1)} bp`,
    left: leftText(record, nowMs),
    state: stateText(record),
  };
}

function nameOf({ strategy, customizedNote, legs }: PortfolioRecord): string {
  const named = strategy ?? customizedNote;
  const name = named === '' ? legs.map(({ instrument }) => instrument).join(' ') : named;
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
}

function leftText({ twapTrade }: PortfolioRecord, nowMs: number): string {
  if (twapTrade === undefined) return '–';
  const leftMs = Number(twapTrade.endTimestamp) - nowMs;
  return leftMs >= 0 ? durationText(leftMs) : `over ${durationText(-leftMs)}`;
}

function stateText(record: PortfolioRecord): string {
  const waiting = [...new Set(record.legs.flatMap((leg) => leg.waiting ?? []))];
  const why = waiting.length === 0 ? '' : paint.yellow(` waits: ${waiting.join(', ')}`);
  const { portfolioStatus } = record;
  const known = statusWord(portfolioStatus) !== String(portfolioStatus);
  return `${known ? paintedStatus(portfolioStatus) : String(portfolioStatus)}${why}`;
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

/** At most so many visible characters; colours are closed. */
function cut(line: string, columns: number): string {
  if (stripVTControlCharacters(line).length <= columns) return line;
  let visible = 0;
  let kept = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) kept += part;
    else {
      const characters = [...part].slice(0, Math.max(0, columns - visible));
      visible += characters.length;
      kept += characters.join('');
    }
  }
  return kept;
}
