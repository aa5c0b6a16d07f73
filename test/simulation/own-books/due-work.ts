// The work that a portfolio has to do by itself, by the referee's own account: slices to start, orders to
// place, ends to carry out. Says from when, and how long it may take without hindrance.
import type { Committed, LegBook } from './leg-book.ts';
import type { OwnBook } from './own-book.ts';
import { orderable, orderablePart, partTarget } from './sizes.ts';

export interface DueWork {
  /** Index of the leg whose market has to be open for it; absent: none. */
  readonly leg?: number;
  readonly what: string;
  /** By the clock of the one who decides. */
  readonly from: number;
  readonly withinMs: number;
  /** From this instant on it need not be started any more; absent: always. */
  readonly before?: number;
  /** Through the opposite side, whatever the leg follows. */
  readonly isSweep: boolean;
}

/** Decided, written and sent. */
const PROMPT_MS = 500;
/** A further attempt comes after the rest between two, with the next look at the market. */
export const AGAIN_MS = 2_200;
/** The end action trades for so long at least. */
const SWEEP_MS = 2_500;

/** What is due, or will be, while nothing changes. */
export function dueWork(book: OwnBook, attemptsSure: number): readonly DueWork[] {
  const { isOver, isTakenBack, isPaused, timeOverAt, endsAt } = book;
  if (isOver || isTakenBack) return [];
  const end = { what: 'to notice that its time is over', from: endsAt, withinMs: PROMPT_MS };
  const noticed = timeOverAt === undefined && Number.isFinite(endsAt);
  const ending = noticed ? [{ ...end, isSweep: false }] : [];
  if (isPaused) return ending;
  return [
    ...ending,
    ...book.legs.flatMap((leg, index) => ofLeg(book, { leg, index, attemptsSure })),
  ];
}

interface LegOf {
  readonly leg: LegBook;
  readonly index: number;
  /** Beyond so many attempts a slice may be given up. */
  readonly attemptsSure: number;
}

function ofLeg(book: OwnBook, of: LegOf): readonly DueWork[] {
  const { leg, index } = of;
  const order = orderOf(book, of);
  const due = book.timeOverAt === undefined ? book.dueOf(index, leg.next) : undefined;
  if (due === undefined) return order;
  const what = `to start slice ${leg.next} of leg ${index}`;
  return [...order, { what, from: due.high, withinMs: PROMPT_MS, isSweep: false }];
}

function orderOf(book: OwnBook, { leg, index, attemptsSure }: LegOf): readonly DueWork[] {
  if (!leg.isIdle || leg.terms.lots === 0) return [];
  const committed = leg.committed(book.orders);
  const lots = wanted(book, leg, { index, committed });
  if (lots < leg.terms.least) return [];
  const { current, changedAt } = leg;
  const isAfterEnd = book.timeOverAt !== undefined;
  const isFresh = current === undefined || (isAfterEnd && current.dueAt < (book.timeOverAt ?? 0));
  const attempts = isFresh ? 0 : current.attempts;
  if (attempts >= attemptsSure || current?.isRefused) return [];
  const from = Math.max(changedAt, book.freeSince, isFresh ? 0 : current.dueAt);
  const isPlain = attempts === 0 && book.isClocked && !isAfterEnd;
  const withinMs = isPlain ? PROMPT_MS : AGAIN_MS;
  // A part continues after the end that its slice was started with, if the total limit is amended.
  const endsAt = book.isClocked || isAfterEnd ? current?.endsAt : book.endsAt;
  const until = isFresh || endsAt === undefined ? Number.POSITIVE_INFINITY : endsAt;
  // Shortly before a slice ends nothing more is placed.
  const before = Math.min(until, actsUntil(book)) - PROMPT_MS;
  if (from + withinMs > before) return [];
  const isSweep = isAfterEnd && book.endAction !== 'extend';
  const what = `to order ${lots} lots of leg ${index}`;
  return [{ leg: index, what, from, withinMs, before, isSweep }];
}

/** What the end action would still have had to trade, of a portfolio that ended for its time. */
export function leftAtEnd(book: OwnBook, attemptsSure: number): readonly DueWork[] {
  const { timeOverAt, endAction, isPaused, timedOutAt = 0 } = book;
  if (isPaused) return [];
  if (timeOverAt === undefined) return [leftWork(undefined, 'to wait for its end', 0)];
  return book.legs.flatMap((leg, index) => {
    const { current } = leg;
    const attempts = current !== undefined && current.dueAt >= timeOverAt ? current.attempts : 0;
    if (attempts >= attemptsSure || current?.isRefused) return [];
    // What it placed last may have left it no time for more.
    if (attempts > 0 && timedOutAt - leg.changedAt < AGAIN_MS) return [];
    if (endAction === 'extend' && timedOutAt >= actsUntil(book)) return [];
    const lots = wanted(book, leg, { index, committed: leg.committed(book.orders) });
    if (lots < leg.terms.least) return [];
    const what = `to trade ${lots} lots of leg ${index} after its end`;
    return [leftWork(index, what, timeOverAt)];
  });
}

function leftWork(leg: number | undefined, what: string, from: number): DueWork {
  return { ...(leg !== undefined && { leg }), what, from, withinMs: 0, isSweep: true };
}

function actsUntil(book: OwnBook): number {
  const { timeOverAt, endAction, form, endsAt } = book;
  if (timeOverAt === undefined) return Number.POSITIVE_INFINITY;
  if (endAction === 'extend') return endsAt + (form.execution.extendMs ?? 0);
  return timeOverAt + SWEEP_MS;
}

interface Asking {
  readonly index: number;
  readonly committed: Committed;
}

/** What the leg lacks at this moment and could order. */
function wanted(book: OwnBook, leg: LegBook, { index, committed }: Asking): number {
  const { least, hedge, lots: total } = leg.terms;
  const had = committed.leg.high;
  if (!book.isClocked) return wantedOfPart(book, index, had);
  if (book.timeOverAt !== undefined) {
    const { endAction } = book;
    if (endAction === 'rfq' || (endAction === 'cancel' && !hedge)) return 0;
    // What an extension leaves of a hedge is brought level slice by slice.
    const open = Math.min(book.allowance(index), total - leg.skipped) - had;
    return orderable(Math.max(0, open), least);
  }
  if (hedge) return orderable(Math.max(0, book.allowance(index) - had), least);
  const { current } = leg;
  if (current === undefined) return 0;
  return orderable(Math.max(0, Math.min(current.lots - committed.slice.high, total - had)), least);
}

function wantedOfPart(book: OwnBook, index: number, had: number): number {
  const view = book.partView();
  const leg = view.legs[index];
  const isEnding = book.timeOverAt !== undefined && book.endAction === 'cancel';
  if (leg === undefined || book.stage === undefined || isEnding) return 0;
  const target = leg.hedge ? leg.total : partTarget(leg, view.parts, view.done + 1);
  return orderablePart(book.allowance(index) - had, target - had, leg.least);
}
