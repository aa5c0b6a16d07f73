// Checks an amendment against the referee's own account: the new terms are those requested, and the
// schedule restarts where the next slice would have been, with everything left alongside the current slice.
import type {
  PortfolioEvent,
  ReplanRecord,
} from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { checkExpiry } from './check-expiry.ts';
import type { Span } from './course.ts';
import type { LegBook, SliceBook } from './leg-book.ts';
import { amendedTerms, lotsOf, type Terms } from './leg-terms.ts';
import type { OwnBook } from './own-book.ts';
import { orderable } from './sizes.ts';

type Amended = Extract<PortfolioEvent, { kind: 'amended' }>;

export function checkAmended(book: OwnBook, event: Amended): void {
  const terms = wished(book, event);
  if (terms === undefined) return book.reportBreach('is amended to what nobody asked for');
  const cuts = book.legs.map((leg, index) => cutOf(book, leg, { terms, event, index }));
  book.terms = terms;
  checkExpiry(book);
  for (const [index, leg] of book.legs.entries()) {
    leg.terms = terms.legs[index] ?? leg.terms;
    if (!book.isClocked) continue;
    const record = event.replans[index] ?? undefined;
    replan(book, leg, { record, cut: cuts[index] });
    leg.changedAt = event.at;
    if (record !== undefined) checkOrders(book, leg, index);
  }
}

/**
 * What is left makes no slices above the largest order. One slice fewer may be left than when the amendment was judged.
 */
function checkOrders({ orderUsdMax, reportBreach }: OwnBook, leg: LegBook, index: number): void {
  const { hedge, instrument, step } = leg.terms;
  if (orderUsdMax === undefined || hedge || instrument.amountUnit !== 'usd') return;
  for (let slice = leg.next; slice < leg.slices; slice += 1) {
    const left = leg.slices - leg.next;
    const most = ((orderUsdMax / step) * (left + 1)) / left + 1;
    const size = leg.target(slice).low - leg.target(slice - 1).high;
    if (size > most) reportBreach(`is amended to ${size} lots in slice ${slice} of leg ${index}`);
  }
}

/** The terms by the wish that the amendment fulfils. */
function wished(book: OwnBook, { after }: Amended): Terms | undefined {
  for (const wish of book.asked.amends(book.id)) {
    const terms = withDust(book, after, amendedTerms(book.terms, wish));
    const isMeant =
      terms.durationMs === after.durationMs &&
      terms.legs.every(
        ({ lots, step }, index) => lotsOf(Number(after.legs[index]?.quantity), step) === lots,
      ) &&
      terms.limits.maxCatchUp === (after.limits?.maxCatchUp ?? terms.limits.maxCatchUp) &&
      terms.limits.bandBps === after.limits?.bandBps &&
      terms.limits.spreadMaxBps === after.limits?.spreadMaxBps &&
      terms.limits.slippageMaxBps === after.limits?.slippageMaxBps;
    if (isMeant) return terms;
  }
  return undefined;
}

/** A hedge whose rest could not be traded gets what it has committed as its total. */
function withDust({ legs: books, orders }: OwnBook, after: Amended['after'], terms: Terms): Terms {
  const legs = terms.legs.map((leg, index) => {
    const known = books[index]?.committed(orders).leg;
    const said = lotsOf(Number(after.legs[index]?.quantity), leg.step);
    if (!leg.hedge || known === undefined || leg.lots - known.high >= leg.least) return leg;
    return said >= known.low && said <= known.high ? { ...leg, lots: said } : leg;
  });
  return { ...terms, legs };
}

interface Cut {
  readonly slice: number;
  readonly from: Span;
  /** What counts as done; `undefined` where the outcome of an order is not known. */
  readonly done: number | undefined;
}

interface Amending {
  readonly terms: Terms;
  readonly event: Amended;
  readonly index: number;
}

/** Where the schedule of the leg is to begin again; `undefined` where it is to stay as it is. */
function cutOf(book: OwnBook, leg: LegBook, { terms, event, index }: Amending): Cut | undefined {
  const total = terms.legs[index]?.lots ?? leg.terms.lots;
  const isSame = total === leg.terms.lots && terms.durationMs === book.terms.durationMs;
  const isUntouched = leg.next === 0 && event.at < book.startAt;
  if (isSame || leg.terms.hedge || !book.isClocked) return undefined;
  if (!leg.isAmended && isUntouched) return undefined;
  const from = nextCut(book, leg, event.at);
  const endsAt = book.startAt + terms.durationMs;
  const { leg: committed, slice: own, isExact } = leg.committed(book.orders);
  const under = sliceUnderWay(leg, event);
  const had = committed.low;
  const pending = under === undefined ? 0 : Math.min(under.lots - own.low, leg.terms.lots - had);
  const kept = Math.min(orderable(Math.max(0, pending), leg.terms.least), total - had);
  const rest = total - had - kept;
  const isDust = rest > 0 && rest < leg.terms.least;
  const isOpen = from.low < endsAt;
  const keeps = isOpen && !isDust;
  // What was done is only for certain where nothing is between the engine and the exchange.
  const isKnown = isExact && (under === leg.current || under === undefined);
  return {
    slice: leg.next,
    from: isOpen ? from : { low: event.at, high: event.at },
    done: isKnown ? had + (keeps ? kept : 0) : undefined,
  };
}

/** One that was ended by this very amendment was under way until then. */
const sliceUnderWay = ({ current, ended }: LegBook, { at }: Amended): SliceBook | undefined =>
  current ?? (ended !== undefined && ended.endsAt > at ? ended : undefined);

/** When the interval of the next slice begins, so that at the same pace it is due when it was. */
function nextCut(book: OwnBook, leg: LegBook, at: number): Span {
  const { course, next, first } = leg;
  const place = next - first;
  if (course === undefined || place >= course.slices) {
    const over = Math.max(at, book.endsAt);
    return { low: over, high: over };
  }
  const due = course.due(place);
  const beside = besideOf(leg, place) ?? course.ends(place);
  const { phase = 0, randomTime = 0 } = book.form.execution;
  if (randomTime > 0) return { low: at, high: Math.max(at, due.high) };
  const gapMs = Math.abs(due.low - beside.low);
  const slotMs = Math.min(gapMs, book.frequencyMs);
  const ahead = Math.ceil((gapMs - slotMs) / 2 + phase * slotMs);
  const from = Math.max(at, due.low - ahead);
  return { low: from, high: from };
}

/** The slice before, or where the course began again. */
function besideOf({ course, next, from }: LegBook, place: number): Span | undefined {
  if (place > 0) return course?.due(place - 1);
  return next > 0 ? { low: from, high: from } : undefined;
}

interface Replanning {
  readonly record: ReplanRecord | undefined;
  readonly cut: Cut | undefined;
}

function replan(book: OwnBook, leg: LegBook, { record, cut }: Replanning): void {
  if (record === undefined) {
    if (cut !== undefined) book.reportBreach('is amended, and a leg keeps its schedule');
    leg.plan(book.course());
    return;
  }
  const done = lotsOf(Number(record.done), leg.terms.step);
  if (cut !== undefined) {
    if (record.slice !== cut.slice)
      book.reportBreach(`begins anew with slice ${record.slice}, not ${cut.slice}`);
    if (record.from < cut.from.low - 1 || record.from > cut.from.high + 1) {
      book.reportBreach(
        `begins anew at ${record.from}, not at ${cut.from.low} to ${cut.from.high}`,
      );
    }
    if (cut.done !== undefined && done !== cut.done) {
      book.reportBreach(`begins anew with ${done} lots done, not ${cut.done}`);
    }
  }
  leg.isAmended = true;
  leg.plan(book.course(record.from), { slice: record.slice, done });
}
