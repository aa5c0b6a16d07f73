// Prints progress on the daemon's terminal: every few seconds one line per active portfolio, filled against
// planned for each leg.
import type { LegSummary, PortfolioSummary } from '../core/portfolio/summary/portfolio-summary.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Instant } from '../values/instant.ts';

/** Minimum time between two lines about one portfolio. */
const EVERY_MS = 3_000;

/** Prints lines about portfolios that progress until the returned function is called. */
export function printProgress(
  bus: EventBus,
  print: (portfolio: string, line: string) => void,
): () => void {
  const toldAt = new Map<string, Instant>();
  return bus.subscribe(({ messageType, portfolio, at, record }) => {
    const isOver = messageType === 'PORTFOLIO_FILLED' || messageType === 'PORTFOLIO_CANCELLED';
    if (messageType !== 'PORTFOLIO_PART_FILLED' && !isOver) return;
    const last = toldAt.get(portfolio);
    if (!isOver && last !== undefined && at - last < EVERY_MS) return;
    if (isOver) toldAt.delete(portfolio);
    else toldAt.set(portfolio, at);
    print(portfolio, progressLine(record));
  });
}

export const progressLine = (record: PortfolioSummary): string =>
  [record.strategy || record.portfolio, ...record.legs.map(legText)].join('  |  ');

function legText(leg: LegSummary): string {
  const filled = `${leg.side} ${leg.filled} of ${leg.quantity} ${leg.instrument}`;
  const at = leg.filled === '0' ? '' : ` at ${leg.averagePrice}`;
  const moved = leg.reprices === 0 ? '' : `, ${leg.reprices} reprices`;
  return `${filled}${at}, slice ${leg.slices.next}/${leg.slices.planned}${moved}`;
}
