// The progress of a portfolio and of its schedule, as fractions for display. Amounts are never computed here.
import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';

/** In [0, 1]. */
export const filledShare = (leg: LegRecord): number =>
  share(Number(leg.filledQuantity), Number(leg.placeQuantity));

/** The mean over the legs, in percent. */
export function filledPercent({ legs }: PortfolioRecord): number {
  const sum = legs.reduce((total, leg) => total + filledShare(leg), 0);
  return legs.length === 0 ? 0 : (sum / legs.length) * 100;
}

/**
 * The position of the schedule at `nowMs`, in [0, 1]: by the clock while it runs, by the fills of the other
 * legs for a hedge, as last recorded once the portfolio has ended.
 */
export function scheduledShare(record: PortfolioRecord, leg: LegRecord, nowMs: number): number {
  const { twapTrade } = record;
  if (leg.hedge || isOver(record) || twapTrade === undefined) {
    return share(Number(leg.scheduledQuantity), Number(leg.placeQuantity));
  }
  const start = Number(twapTrade.startTimestamp);
  return share(nowMs - start, Number(twapTrade.endTimestamp) - start);
}

/** True if the fills are more than a slice, or a part, behind schedule. */
export function isBehind(record: PortfolioRecord, leg: LegRecord, nowMs: number): boolean {
  const slice = leg.hedge ? 0 : sliceShare(record);
  return filledShare(leg) < scheduledShare(record, leg, nowMs) - slice;
}

/** One slice or part as a share of the whole. */
function sliceShare({ twapTrade, balanceTrade }: PortfolioRecord): number {
  if (balanceTrade !== undefined) return 1 / balanceTrade.parts;
  return twapTrade === undefined
    ? 0
    : Number(twapTrade.frequencySec) / Number(twapTrade.durationSec);
}

export const isOver = (record: PortfolioRecord): boolean =>
  record.portfolioStatus === 2 || record.portfolioStatus === 3;

/** Rounded down, so that 100 % means completely filled. */
export const percentText = (percent: number): string =>
  percent >= 100 ? '100 %' : `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;

const share = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export interface Bar {
  /** Exactly `width` characters: filled blocks, then the rest, with the schedule marker among them. */
  readonly filled: string;
  readonly rest: string;
  /** Column of the schedule marker. */
  readonly mark: number;
}

/** Returns a bar of `width` characters in eighths, and the column of the schedule marker. */
export function barOf(filled: number, scheduled: number, width: number): Bar {
  const eighths = Math.floor(filled * width * 8);
  const whole = Math.floor(eighths / 8);
  const part = EIGHTHS[eighths % 8] ?? '';
  const blocks = '█'.repeat(whole) + part;
  return {
    filled: blocks,
    rest: '─'.repeat(width - whole - (part === '' ? 0 : 1)),
    mark: Math.min(width - 1, Math.floor(scheduled * width)),
  };
}
