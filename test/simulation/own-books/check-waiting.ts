// Checks the reason that a slice gives for waiting: the market, and what had traded, must have given it.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import { admits, GUARDS, guardTerms } from './guards.ts';
import type { OwnBook } from './own-book.ts';

type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { kind: K }>;

export interface WaitingCase {
  readonly event: Of<'slice_waiting'>;
  /** Priced through the opposite side, after the end. */
  readonly isSweep: boolean;
  /** Every quote that the decision may have been based on. */
  readonly shown: readonly ShownTouch[];
}

/** Reports a wait that no rule requested. */
export function checkWaiting(book: OwnBook, { event, isSweep, shown }: WaitingCase): void {
  const { leg: index, slice, reason, at } = event;
  const what = `slice ${slice} of leg ${index} waits for ${reason}`;
  if (reason === 'participation') {
    const { least } = book.leg(index).terms;
    const lots = book.participationLots(index, at);
    if (lots >= least) book.reportBreach(`${what} with room for ${lots} lots`);
    return;
  }
  const guard = GUARDS.find((one) => one === reason);
  if (guard === undefined || shown.length === 0) return;
  const terms = guardTerms(book, index, isSweep);
  if (shown.every((touch) => admits(guard, touch, at, terms))) {
    book.reportBreach(`${what}, which the market allowed`);
  }
}

/**
 * A participation limit counts from what had traded when the slice began, by the exchange's count; where the market
 * could be seen, that has to be recorded.
 */
export function checkTape(
  book: OwnBook,
  { event, isQuoted }: { readonly event: Of<'slice_started'>; readonly isQuoted: boolean },
): void {
  const { leg, traded, at, slice } = event;
  if (traded !== undefined) {
    const { low, high } = book.tapeSpan(leg, at);
    if (Number(traded) >= low && Number(traded) <= high) return;
    return book.reportBreach(`leg ${leg} counts from ${traded}, of ${low} to ${high} traded`);
  }
  const isLimited = book.terms.limits.participationMax !== undefined;
  const isClocked = book.timeOverAt === undefined && !book.leg(leg).terms.hedge;
  if (isQuoted && isLimited && isClocked) {
    book.reportBreach(`slice ${slice} of leg ${leg} does not say what had traded when it began`);
  }
}
