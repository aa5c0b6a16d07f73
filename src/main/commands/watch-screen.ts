// A portfolio on a terminal: a head line, then per leg a bar of its fills with the schedule marked on
// it, and the numbers beside it. Never wider than the terminal.
import type { LegRecord, PortfolioRecord } from '../../gateway/record-schema.ts';
import { endRfqText } from './end-rfq-text.ts';
import { durationText, paint, paintedSide, paintedStatus, sideWord, tellsMore } from './paint.ts';
import {
  type Bar,
  barOf,
  filledShare,
  isBehind,
  isOver,
  percentText,
  scheduledShare,
} from './progress.ts';

export interface ScreenAt {
  readonly nowMs: number;
  readonly columns: number;
  /** Shown under the legs, for example that the daemon is away. */
  readonly notice?: string | undefined;
}

const BAR_WIDTH_MAX = 48;
const BAR_WIDTH_MIN = 8;

export function screenText(record: PortfolioRecord, at: ScreenAt): string {
  const cells = record.legs.map((leg) => cellsOf(leg));
  const widths = widthsOf(cells);
  const fixed = widths.side + widths.instrument + widths.share + widths.amount + 6;
  const widest = Math.max(...cells.map((cell) => cell.average.length));
  const room = at.columns - fixed - widest - 3;
  const width = Math.min(BAR_WIDTH_MAX, Math.max(BAR_WIDTH_MIN, room));
  const legs = record.legs.map((leg, index) => {
    const cell = cells[index];
    return cell === undefined ? '' : legLine({ record, leg, cell, widths, width, nowMs: at.nowMs });
  });
  const notice = at.notice === undefined ? waitingText(record) : paint.yellow(at.notice);
  const rfq = endRfqText(record);
  const told = rfq === undefined ? [] : [paint.dim(`block rfq ${rfq}`.slice(0, at.columns))];
  const tail = [...told, ...(notice === '' ? [] : [notice])];
  if (tail.length > 0) tail.unshift('');
  return [headLine(record, at.nowMs), '', ...legs, ...tail].join('\n');
}

function headLine(record: PortfolioRecord, nowMs: number): string {
  const label = record.strategy ?? record.customizedNote;
  const name = label === '' ? '' : `  ${label}`;
  const reason = tellsMore(record.reason) ? paint.dim(` (${record.reason})`) : '';
  const status = paintedStatus(record.portfolioStatus) + reason;
  return `${paint.bold(record.portfolioId)}${name}  ${status}  ${paint.dim(timeLine(record, nowMs))}`;
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
  const widest = (name: keyof Cells): number => Math.max(...cells.map((cell) => cell[name].length));
  return {
    side: widest('side'),
    instrument: widest('instrument'),
    share: '100.0 %'.length,
    amount: widest('amount'),
  };
};

interface LegDrawing {
  readonly record: PortfolioRecord;
  readonly leg: LegRecord;
  readonly cell: Cells;
  readonly widths: Widths;
  /** Of the bar. */
  readonly width: number;
  readonly nowMs: number;
}

function legLine({ record, leg, cell, widths, width, nowMs }: LegDrawing): string {
  const filled = filledShare(leg);
  const bar = painted(barOf(filled, scheduledShare(record, leg, nowMs), width), {
    isFull: filled >= 1,
    isBehind: isBehind(record, leg, nowMs),
  });
  const side = paintedSide(leg.side) + ' '.repeat(widths.side - cell.side.length);
  return [
    side,
    cell.instrument.padEnd(widths.instrument),
    bar,
    cell.share.padStart(widths.share),
    cell.amount.padStart(widths.amount),
    paint.dim(cell.average),
  ].join(' ');
}

/** Fills in green; the schedule's mark is yellow where fills are behind it. */
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

function waitingText(record: PortfolioRecord): string {
  const waiting = record.legs.flatMap((leg) =>
    leg.waiting === undefined || isOver(record) ? [] : [`${leg.instrument} waits: ${leg.waiting}`],
  );
  if (waiting.length > 0) return paint.yellow(waiting.join('; '));
  return isOver(record) ? '' : paint.dim('┃ schedule   █ filled');
}

/** An average to look at: at most eight decimals. */
const shortened = (decimal: string): string => /^-?\d+(?:\.\d{1,8})?/.exec(decimal)?.[0] ?? decimal;
