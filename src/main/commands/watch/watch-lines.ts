// Prints a portfolio's changes as lines, for logs and pipes: one line per changed leg, one per status.
import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { residualRfqText } from '../portfolio/residual-rfq-text.ts';
import { sideWord, statusWord } from '../terminal/paint.ts';
import { filledShare, percentText } from '../terminal/terminal-progress.ts';
import { type ZoneName, zonedClock } from '../terminal/time-zone.ts';

/** Lines for the changes since `previous`; for everything if there is none. */
export function changeLines(
  previous: PortfolioRecord | undefined,
  record: PortfolioRecord,
  zone: ZoneName = 'UTC',
): readonly string[] {
  const at = zonedClock(Number(record.updateTimestamp), zone);
  const moved = record.legs.flatMap((leg, index) =>
    isSame(previous?.legs[index], leg) ? [] : [`${at} ${legLine(leg, index)}`],
  );
  const rfq = residualRfqText(record, zone);
  if (rfq !== undefined && (previous === undefined || residualRfqText(previous, zone) !== rfq)) {
    moved.push(`${at} block rfq ${rfq}`);
  }
  const isNew = previous?.portfolioStatus !== record.portfolioStatus;
  const reason = record.reason === undefined ? '' : ` (${record.reason})`;
  const status = `${at} portfolio ${record.portfolioId} ${statusWord(record.portfolioStatus)}${reason}`;
  return isNew ? [...moved, status] : moved;
}

const isSame = (before: LegRecord | undefined, now: LegRecord): boolean =>
  before !== undefined &&
  before.filledQuantity === now.filledQuantity &&
  before.waiting === now.waiting;

function legLine(leg: LegRecord, index: number): string {
  const { filledQuantity, placeQuantity, quantityIn, filledAvgPrice } = leg;
  const average = Number(filledQuantity) === 0 ? '' : ` at ${filledAvgPrice}`;
  const waiting = leg.waiting === undefined ? '' : `, waiting: ${leg.waiting}`;
  const share = percentText(filledShare(leg) * 100);
  return `leg ${index + 1} ${sideWord(leg.side)} ${leg.instrument}: ${filledQuantity} of ${placeQuantity} ${quantityIn} (${share})${average}${waiting}`;
}
