// Renders a portfolio on a terminal: a head line, then per leg a bar of its fills with a schedule marker, and
// the figures next to it. Never wider than the terminal: on a narrow one the bars go below the figures.
import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { residualRfqText } from '../portfolio/residual-rfq-text.ts';
import { cut, firstFitting, flowed, padEnd, widthOf } from '../terminal/fitted-lines.ts';
import {
  durationText,
  paint,
  paintedSide,
  paintedStatus,
  sideWord,
  tellsMore,
} from '../terminal/paint.ts';
import {
  type Bar,
  barOf,
  filledShare,
  isBehind,
  isOver,
  percentText,
  scheduledShare,
} from '../terminal/terminal-progress.ts';

export interface ScreenAt {
  readonly nowMs: number;
  readonly columns: number;
  /** Shown under the legs, for example that the daemon does not answer. */
  readonly notice?: string | undefined;
}

const BAR_WIDTH_MAX = 48;
const BAR_WIDTH_MIN = 8;
/** Most lines that the head may take. */
const HEAD_LINES_MAX = 4;

/** Lines without line ends. */
export function screenLines(record: PortfolioRecord, at: ScreenAt): readonly string[] {
  const notices = at.notice === undefined ? waitingTexts(record) : [paint.yellow(at.notice)];
  const rfq = residualRfqText(record);
  const tail = [...(rfq === undefined ? [] : [paint.dim(`block rfq ${rfq}`)]), ...notices];
  if (tail.length > 0) tail.unshift('');
  const lines = [...headLines(record, at), '', ...legLines(record, at), ...tail];
  return lines.map((line) => cut(line, at.columns));
}

/** One line if there is room for it. */
function headLines(record: PortfolioRecord, { nowMs, columns }: ScreenAt): readonly string[] {
  const label = record.strategy ?? record.customizedNote;
  const reason = tellsMore(record.reason) ? paint.dim(` (${record.reason})`) : '';
  const status = paintedStatus(record.portfolioStatus) + reason;
  const time = paint.dim(timeLine(record, nowMs));
  const words = [paint.bold(record.portfolioId), ...(label === '' ? [] : [label]), status, time];
  return flowed(words, { gap: '  ', columns, linesMax: HEAD_LINES_MAX });
}

/** One line per leg, with the average price if there is room; two lines on a terminal too narrow for a bar. */
function legLines(record: PortfolioRecord, { columns, nowMs }: ScreenAt): readonly string[] {
  const cells = record.legs.map((leg) => cellsOf(leg));
  const widths = widthsOf(cells);
  const fixed = widths.side + widths.instrument + widths.share + widths.amount + 4;
  const widest = Math.max(0, ...cells.map((cell) => widthOf(cell.average)));
  const beside = columns - fixed - (widest === 0 ? 0 : widest + 1);
  const hasAverages = beside >= BAR_WIDTH_MIN;
  const room = hasAverages ? beside : columns - fixed;
  const isBelow = room < BAR_WIDTH_MIN;
  const width = Math.max(1, Math.min(BAR_WIDTH_MAX, isBelow ? columns : room));
  return record.legs.flatMap((leg, index) => {
    const cell = cells[index];
    if (cell === undefined) return [];
    const bar = barText(record, leg, { width, nowMs });
    const average = hasAverages && cell.average !== '' ? [paint.dim(cell.average)] : [];
    if (isBelow) return [narrowText(leg, cell, columns), bar];
    const side = paintedSide(leg.side) + ' '.repeat(widths.side - cell.side.length);
    const amount = cell.amount.padStart(widths.amount);
    const instrument = padEnd(cell.instrument, widths.instrument);
    const share = cell.share.padStart(widths.share);
    return [[side, instrument, bar, share, amount, ...average].join(' ')];
  });
}

/** The filled share takes precedence over the amounts. */
function narrowText(leg: LegRecord, { instrument, share, amount }: Cells, columns: number): string {
  const name = `${paintedSide(leg.side)} ${instrument}`;
  return firstFitting([`${name} ${share} ${amount}`, `${name} ${share}`, name], columns);
}

function timeLine(record: PortfolioRecord, nowMs: number): string {
  const { twapTrade, balanceTrade } = record;
  if (isOver(record)) {
    return `after ${durationText(Number(record.updateTimestamp) - Number(record.submitTimestamp))}`;
  }
  if (balanceTrade !== undefined) {
    const passed = durationText(nowMs - Number(record.submitTimestamp));
    return `${balanceTrade.partsDone} of ${balanceTrade.parts} parts after ${passed}`;
  }
  if (twapTrade === undefined) return '';
  const start = Number(twapTrade.startTimestamp);
  const end = Number(twapTrade.endTimestamp);
  if (nowMs < start) return `starts in ${durationText(start - nowMs)}`;
  const passed = `${durationText(Math.min(nowMs, end) - start)} of ${durationText(end - start)}`;
  return nowMs > end ? `${passed}, ${durationText(nowMs - end)} over` : passed;
}

interface Cells {
  readonly side: string;
  readonly instrument: string;
  readonly share: string;
  readonly amount: string;
  readonly average: string;
}

function cellsOf(leg: LegRecord): Cells {
  const { filledQuantity, placeQuantity, quantityIn } = leg;
  return {
    side: sideWord(leg.side),
    instrument: leg.instrument,
    share: percentText(filledShare(leg) * 100),
    amount: `${filledQuantity}/${placeQuantity} ${quantityIn}`,
    average: Number(filledQuantity) === 0 ? '' : `avg ${shortened(leg.filledAvgPrice)}`,
  };
}

type Widths = Readonly<Record<Exclude<keyof Cells, 'average'>, number>>;

const widthsOf = (cells: readonly Cells[]): Widths => {
  const widest = (name: keyof Cells): number =>
    Math.max(0, ...cells.map((cell) => widthOf(cell[name])));
  return {
    side: widest('side'),
    instrument: widest('instrument'),
    share: '100.0 %'.length,
    amount: widest('amount'),
  };
};

interface BarAt {
  readonly width: number;
  readonly nowMs: number;
}

function barText(record: PortfolioRecord, leg: LegRecord, { width, nowMs }: BarAt): string {
  const filled = filledShare(leg);
  return painted(barOf(filled, scheduledShare(record, leg, nowMs), width), {
    isFull: filled >= 1,
    isBehind: isBehind(record, leg, nowMs),
  });
}

/** Fills are green; the schedule marker is yellow if fills are behind it. */
function painted(
  bar: Bar,
  { isFull, isBehind: behind }: { readonly isFull: boolean; readonly isBehind: boolean },
): string {
  return [...bar.filled, ...bar.rest]
    .map((cell, column) => {
      if (column === bar.mark && !isFull) return behind ? paint.yellow('┃') : paint.bold('┃');
      return column < bar.filled.length ? paint.green(cell) : paint.dim(cell);
    })
    .join('');
}

/** One line per waiting leg, or a legend of the bars. */
function waitingTexts(record: PortfolioRecord): readonly string[] {
  if (isOver(record)) return [];
  const waiting = record.legs.flatMap((leg) =>
    leg.waiting === undefined ? [] : [paint.yellow(`${leg.instrument} waits: ${leg.waiting}`)],
  );
  return waiting.length > 0 ? waiting : [paint.dim('┃ schedule   █ filled')];
}

/** An average for display: at most eight decimals. */
const shortened = (decimal: string): string => /^-?\d+(?:\.\d{1,8})?/.exec(decimal)?.[0] ?? decimal;
