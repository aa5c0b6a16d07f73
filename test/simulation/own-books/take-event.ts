// Applies a durable event to the referee's own account of a portfolio. Events carry times and the
// engine's claims; each claim is first checked against the account, for too little as well as too much.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { checkAmended } from './check-amended.ts';
import {
  checkChild,
  checkEdit,
  checkEnd,
  checkMissed,
  checkStarted,
  mayBePart,
} from './check-slice.ts';
import type { LegBook } from './leg-book.ts';
import { lotsOf } from './leg-terms.ts';
import type { OwnBook } from './own-book.ts';

type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { kind: K }>;
type OrderStatusQueries = Of<'child_rejected' | 'child_unsent' | 'child_closed'>;

/** Judges one durable event and takes it in. */
export function takeEvent(book: OwnBook, event: PortfolioEvent): void {
  switch (event.kind) {
    case 'slices_missed':
      checkMissed(book, event);
      return missed(book, event);
    case 'slice_started':
      checkStarted(book, event);
      return started(book, event);
    case 'slice_arrived':
      return arrived(book, event);
    case 'slice_ended':
      return ended(book.leg(event.leg));
    case 'child_intended':
      checkChild(book, event);
      return intended(book, event);
    case 'edit_intended':
      return checkEdit(book, event);
    case 'child_rejected':
    case 'child_unsent':
      return settled(book, event, 'gone');
    case 'child_closed':
      return settled(book, event, 'closed');
    case 'fill_booked':
      return filled(book, event);
    case 'amended':
      return checkAmended(book, event);
    default:
      return takeCourse(book, event);
  }
}

function takeCourse(book: OwnBook, event: PortfolioEvent): void {
  switch (event.kind) {
    case 'paused':
      book.isPaused = true;
      return;
    case 'resumed':
      book.isPaused = false;
      book.resumedAt = event.at;
      book.freeSince = event.at;
      return;
    case 'time_over':
      if (event.at < book.endsAt)
        book.reportBreach(`its time is over ${book.endsAt - event.at} ms early`);
      book.timeOverAt = event.at;
      book.freeSince = event.at;
      return;
    case 'part_started':
      if (event.part !== book.partsDone)
        book.reportBreach(`part ${event.part} follows ${book.partsDone}`);
      book.stage = event.stage;
      book.freeSince = event.at;
      return;
    case 'part_chased':
      book.stage = event.stage;
      book.freeSince = event.at;
      return;
    case 'part_ended':
      book.partsDone = event.part + 1;
      book.stage = undefined;
      return;
    case 'cancelling':
      book.isTakenBack = true;
      return judgeCancelling(book, event);
    case 'hedge_left_open': {
      const leg = book.leg(event.leg);
      leg.leftOpen = lotsOf(Number(event.quantity), leg.terms.step);
      return;
    }
    case 'cancelled':
      checkEnd(book);
      if (event.reason === 'time_limit') book.timedOutAt = event.at;
      book.isOver = true;
      return;
    case 'filled':
      book.isOver = true;
      return;
    default:
  }
}

/** A portfolio is cancelled only on request. */
function judgeCancelling(
  { asked, form, id, reportBreach }: OwnBook,
  { reason }: Of<'cancelling'>,
): void {
  const isAsked =
    reason === 'cancel_all'
      ? asked.isCancelAllDemanded(form.accountId)
      : reason !== 'user_request' || asked.isDemanded(id, 'cancel');
  if (!isAsked) reportBreach(`is cancelled for ${reason}, which was not requested`);
}

function missed(book: OwnBook, { leg: index, to, skipped }: Of<'slices_missed'>): void {
  const leg = book.leg(index);
  leg.next = to + 1;
  if (skipped !== undefined) leg.skipped += lotsOf(Number(skipped), leg.terms.step);
}

function started(book: OwnBook, event: Of<'slice_started'>): void {
  const { leg: index, slice, dueAt, endsAt, quantity, at, traded } = event;
  const leg = book.leg(index);
  leg.next = slice + 1;
  if (event.isCover === true) leg.covers.add(slice);
  leg.begun += 1;
  leg.changedAt = at;
  leg.current = {
    slice,
    dueAt,
    endsAt,
    filled: 0,
    attempts: 0,
    parts: 0,
    triedAt: 0,
    lots: lotsOf(Number(quantity), leg.terms.step),
    isRefused: false,
    arrival: undefined,
  };
  leg.tapeFrom ??= traded === undefined ? undefined : Number(traded);
}

function arrived(book: OwnBook, { leg: index, slice, price }: Of<'slice_arrived'>): void {
  const { current } = book.leg(index);
  if (current?.slice === slice) current.arrival = Number(price);
}

function ended(leg: LegBook): void {
  leg.ended = leg.current;
  leg.current = undefined;
}

function intended(book: OwnBook, event: Of<'child_intended'>): void {
  const { leg: index, label, slice, quantity, at } = event;
  const leg = book.leg(index);
  const counted = countedFor(book, event);
  if (counted !== undefined) leg.placed.set(counted, [...(leg.placed.get(counted) ?? []), label]);
  const lots = lotsOf(Number(quantity), leg.terms.step);
  leg.intended(label, { slice, lots, isPart: mayBePart(book, event), at });
}

/** The slice of the plan, or the part, that an order belongs to; none after the end, nor of a Block RFQ. */
function countedFor(
  book: OwnBook,
  { leg: index, slice, block }: Of<'child_intended'>,
): number | undefined {
  if (block === true) return undefined;
  if (!book.isClocked) return book.stage === undefined ? undefined : book.partsDone;
  const leg = book.leg(index);
  return leg.terms.hedge || slice < leg.slices ? slice : undefined;
}

function settled(book: OwnBook, event: OrderStatusQueries, fate: 'gone' | 'closed'): void {
  const leg = book.legOf(event.label);
  if (leg === undefined) return;
  leg.settled(event.label, fate, book.orders.get(event.label));
  leg.changedAt = event.at;
  if (event.kind === 'child_rejected' && leg.current !== undefined) leg.current.isRefused = true;
}

function filled(book: OwnBook, { label, quantity, at }: Of<'fill_booked'>): void {
  const leg = book.legOf(label);
  if (leg === undefined) return;
  leg.filled(label, lotsOf(Number(quantity), leg.terms.step), book.orders.get(label));
  leg.changedAt = at;
}
