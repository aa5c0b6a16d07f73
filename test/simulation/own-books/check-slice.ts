// Checks slices and orders of a portfolio against the referee's own account: which slice comes when and its size,
// the quantity of an order, and which slices may be missed; before and after amendments, by the clock, in parts, for hedges
// and after the end.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Course, Span } from './course.ts';
import type { LegBook } from './leg-book.ts';
import { lotsOf } from './leg-terms.ts';
import { dividedLots } from './order-cap.ts';
import type { OwnBook } from './own-book.ts';
import { clockSlice, orderable, orderablePart, partTarget } from './sizes.ts';

type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { kind: K }>;
type Started = Of<'slice_started'>;

const within = (value: number, { low, high }: Span): boolean => value >= low && value <= high;
const shown = ({ low, high }: Span): string => (low === high ? `${low}` : `${low} to ${high}`);

/** No slice is passed over, and what is given up is what the missed ones were to bring. */
export function checkMissed(book: OwnBook, event: Of<'slices_missed'>): void {
  const { leg: index, from, to, skipped } = event;
  const leg = book.leg(index);
  if (from !== leg.next)
    book.reportBreach(`slices from ${from} are missed, the next was ${leg.next}`);
  if (to >= leg.slices) book.reportBreach(`slice ${to} is missed of ${leg.slices}`);
  if (skipped === undefined) return;
  const lots = lotsOf(Number(skipped), leg.terms.step);
  const [before, after] = [leg.target(from - 1), leg.target(to)];
  const open = leg.terms.lots - leg.booked - leg.skipped;
  const meant: Span = {
    low: Math.min(open, after.low - before.high),
    high: Math.min(open, after.high - before.low),
  };
  if (!within(lots, meant))
    book.reportBreach(`${lots} lots are given up instead of ${shown(meant)}`);
}

export function checkStarted(book: OwnBook, event: Started): void {
  const { leg: index, slice } = event;
  const leg = book.leg(index);
  if (event.isCover === true) return judgeCover(book, event);
  if (!book.isClocked) return judgePart(book, event);
  const isAfterEnd = book.timeOverAt !== undefined;
  const next = isAfterEnd ? Math.max(leg.next, leg.slices) : leg.next;
  if (slice !== next)
    book.reportBreach(`slice ${slice} of leg ${index} is started, the next was ${next}`);
  if (isAfterEnd) return judgeAfterEnd(book, event);
  if (leg.terms.hedge) return judgeHedge(book, event);
  const { course } = leg;
  const place = slice - leg.first;
  if (course === undefined || place < 0 || place >= course.slices) {
    return book.reportBreach(`slice ${slice} of leg ${index} is none of ${leg.slices}`);
  }
  judgeInstants(book, event, { course, place });
  judgeClocked(book, event, { course, place });
}

interface Placed {
  readonly course: Course;
  /** Of the slice on its course. */
  readonly place: number;
}

function judgeInstants(book: OwnBook, event: Started, { course, place }: Placed): void {
  const { slice, dueAt, endsAt, at } = event;
  const [due, ends] = [course.due(place), course.ends(place)];
  if (!within(dueAt, due))
    book.reportBreach(`slice ${slice} is due at ${dueAt}, not at ${shown(due)}`);
  if (!within(endsAt, ends))
    book.reportBreach(`slice ${slice} ends at ${endsAt}, not at ${shown(ends)}`);
  const isLate = place + 1 < course.slices && course.due(place + 1).high <= at;
  if (isLate) book.reportBreach(`slice ${slice} is started when the next one is due`);
}

function judgeClocked(book: OwnBook, event: Started, { course, place }: Placed): void {
  const { leg: index, slice } = event;
  const leg = book.leg(index);
  const { step, least, lots: total } = leg.terms;
  const planned = lotsOf(Number(event.planned), step);
  const [before, after] = [leg.target(slice - 1), leg.target(slice)];
  const meant = { low: after.low - before.high, high: after.high - before.low };
  if (!within(planned, meant)) {
    book.reportBreach(`slice ${slice} is planned at ${planned} lots, not at ${shown(meant)}`);
  }
  const { leg: committed } = leg.committed(book.orders);
  const { maxCatchUp } = book.terms.limits;
  const isFront = book.form.execution.catchUp === 'front';
  const of = { total, least, planned, left: course.slices - place, maxCatchUp, isFront };
  const sized = (had: number, reach: number): number =>
    clockSlice({ ...of, committed: had + leg.skipped, before: reach });
  const isLast = place === course.slices - 1;
  const least2 = sized(committed.high, before.low);
  const most = sized(committed.low, before.high);
  // A rest that joins the last slice may come or go with a lot.
  const dust = isLast || committed.low !== committed.high ? least - 1 : 0;
  judgeLots(book, event, { low: least2 - dust, high: most + dust });
}

function judgeLots(book: OwnBook, event: Started, meant: Span): void {
  const { leg: index, slice } = event;
  const { step } = book.leg(index).terms;
  const lots = lotsOf(Number(event.quantity), step);
  if (within(lots, meant)) return;
  book.reportBreach(
    `slice ${slice} of leg ${index} asks for ${lots} lots, not for ${shown(meant)}`,
  );
}

/** What the fills of the others call for, all of it. */
function judgeHedge(book: OwnBook, event: Started): void {
  const { leg: index } = event;
  const leg = book.leg(index);
  const { least } = leg.terms;
  const target = book.allowance(index);
  const { leg: committed } = leg.committed(book.orders);
  const low = orderable(target - committed.high, least);
  judgeLots(book, event, { low, high: orderable(target - committed.low, least) });
}

/** Once stopped, a portfolio hedges what it has filled and does nothing else. */
function judgeCover(book: OwnBook, event: Started): void {
  const { terms } = book.leg(event.leg);
  if (!terms.hedge) book.reportBreach(`leg ${event.leg} is no hedge, and trades after a stop`);
  if (!book.isPaused && !book.isTakenBack)
    book.reportBreach(`slice ${event.slice} of leg ${event.leg} follows a stop that was not`);
  if (book.isClocked) judgeHedge(book, event);
}

/** A hedge that lacks an order's worth when its portfolio ends is named. */
export function checkEnd(book: OwnBook): void {
  for (const [index, leg] of book.legs.entries()) {
    if (!leg.terms.hedge) continue;
    const lacks = orderable(Math.max(0, book.allowance(index) - leg.booked), leg.terms.least);
    if (book.isClocked && lacks > 0 && leg.leftOpen !== lacks) {
      book.reportBreach(
        `ends with ${lacks} lots of leg ${index} not hedged, and names ${leg.leftOpen}`,
      );
    }
  }
}

/** One slice for all that is left; where the portfolio is extended none above the cap of an even one. */
function judgeAfterEnd(book: OwnBook, event: Started): void {
  const { leg: index, slice } = event;
  const leg = book.leg(index);
  const { endAction } = book;
  const { least, lots: total, hedge } = leg.terms;
  if (endAction === 'cancel' && !hedge) {
    return book.reportBreach(
      `slice ${slice} of leg ${index} follows the end, where nothing was to`,
    );
  }
  const { leg: committed } = leg.committed(book.orders);
  const isBlock = endAction === 'rfq';
  // Legs of a Block RFQ are traded together: a hedge does not wait for the others.
  const allowed = isBlock ? total : book.allowance(index);
  const most = Math.min(allowed - committed.low, total - leg.booked - leg.skipped);
  const least2 = Math.min(allowed - committed.high, total - committed.high - leg.skipped);
  const cap = endAction === 'extend' ? extendedLots(book, leg) : Number.POSITIVE_INFINITY;
  const low = isBlock ? 0 : orderable(Math.min(least2, cap), least);
  judgeLots(book, event, { low, high: orderable(Math.min(most, cap), least) });
}

function extendedLots(book: OwnBook, { terms, slices }: LegBook): number {
  const even = Math.ceil(terms.lots / Math.max(1, slices) - 1e-9);
  const most = Math.floor(even * book.terms.limits.maxCatchUp + 1e-9);
  return orderable(most, terms.least) || terms.least;
}

/** BALANCE: all that the part allows, where the fills are known to the last lot. */
function judgePart(book: OwnBook, event: Started): void {
  const { leg: index, slice } = event;
  const leg = book.leg(index);
  if (slice !== leg.next)
    book.reportBreach(`slice ${slice} of leg ${index} is not the next, ${leg.next}`);
  const view = book.partView();
  const own = view.legs[index];
  const { leg: committed, isExact } = leg.committed(book.orders);
  if (own === undefined || !isExact) return;
  const { parts, done } = view;
  const size = partTarget(own, parts, done + 1) - partTarget(own, parts, done);
  const planned = lotsOf(Number(event.planned), leg.terms.step);
  if (planned !== size)
    book.reportBreach(`part ${done} of leg ${index} has ${planned} lots, not ${size}`);
  const target = own.hedge ? own.total : partTarget(own, parts, done + 1);
  const open = target - committed.low;
  const meant = orderablePart(book.allowance(index) - committed.low, open, own.least);
  judgeLots(book, event, { low: meant, high: meant });
}

/** An order requests all that its slice has left, or the most that one order may, and no more. */
export function checkChild(book: OwnBook, event: Of<'child_intended'>): void {
  const found = orderOf(book, event);
  if (found === undefined) return;
  const { lots, wanted, largest, least } = found;
  const meant = largest.map((most) => divided(wanted, most, least));
  if (meant.some((span) => within(lots, span))) return;
  book.reportBreach(`${event.label} is for ${lots} lots, not for ${meant.map(shown).join(' or ')}`);
}

/** It is as large as one order may be, and its slice may want more. */
export function mayBePart(book: OwnBook, event: Of<'child_intended'>): boolean {
  const found = orderOf(book, event);
  if (found === undefined) return false;
  const { lots, wanted, largest, least } = found;
  return largest.some((most) => wanted.high > most && lots > most - least && lots <= most);
}

interface OrderFound {
  readonly lots: number;
  readonly least: number;
  readonly wanted: Span;
  /** What one order may be, by each limit that may be in force. */
  readonly largest: readonly number[];
}

function orderOf(book: OwnBook, event: Of<'child_intended'>): OrderFound | undefined {
  const { leg: index, slice, block } = event;
  const leg = book.leg(index);
  const { current } = leg;
  if (block === true || current?.slice !== slice) return undefined;
  const { least, step } = leg.terms;
  const { leg: committed, slice: own } = leg.committed(book.orders);
  const allowed = book.allowance(index);
  const isBetter = book.form.execution.would?.some((one) => one.leg === index) === true;
  const most = isBetter ? allowed : current.lots - own.low;
  const least2 = Math.min(current.lots - own.high, allowed - committed.high);
  const room = book.participationLots(index, event.at);
  const lowest = Math.min(
    orderable(Math.min(least2, room), least),
    // A rest that could not be ordered is left larger.
    room < least2 ? orderablePart(room, least2, least) || least : least2,
  );
  const wanted: Span = {
    low: isBetter ? 0 : lowest,
    high: orderable(Math.min(most, allowed - committed.low), least),
  };
  const lots = lotsOf(Number(event.quantity), step);
  const order = { price: Number(event.price), lots: wanted.low, at: event.at };
  return { lots, least, wanted, largest: book.largestOrders(index, order) };
}

/** Just above the largest order more is left for the next, so that it can be ordered. */
function divided({ low, high }: Span, most: number, least: number): Span {
  const reached = (lots: number): number => Math.min(high, Math.max(low, lots));
  const sizes = [low, high, reached(most), reached(most + 1)].map((wanted) =>
    dividedLots(wanted, most, least),
  );
  return { low: Math.min(...sizes), high: Math.max(...sizes) };
}

/** An order that a new price would make larger than one may be is not edited to it. */
export function checkEdit(book: OwnBook, event: Of<'edit_intended'>): void {
  const { label, at } = event;
  const leg = book.legOf(label);
  const lots = leg?.lotsOf(label);
  if (leg === undefined || lots === undefined) return;
  const order = { price: Number(event.price), lots, at };
  const most = Math.max(...book.largestOrders(book.legs.indexOf(leg), order));
  if (lots > most) book.reportBreach(`${label} of ${lots} lots is edited where ${most} may be`);
}
