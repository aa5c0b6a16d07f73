// One leg in the referee's books, in whole lots: its schedule, its current slice, and the committed quantity of
// its orders at the exchange.
import { toNumber } from '../../../src/values/amounts.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import { type Course, type CourseTerms, courseOf, type Span } from './course.ts';
import type { LegTerms } from './leg-terms.ts';

/** An order that was intended and can still change what is filled. */
interface Attempt {
  readonly slice: number;
  readonly lots: number;
  /** Its slice may want more than one order may be. */
  readonly isPart: boolean;
  fate: 'open' | 'gone' | 'closed';
  /** Lots of its fills that are booked. */
  booked: number;
}

/** The slice a leg is at. */
export interface SliceBook {
  readonly slice: number;
  readonly dueAt: number;
  readonly endsAt: number;
  readonly lots: number;
  /** Filled by attempts that are settled. */
  filled: number;
  attempts: number;
  /** Those of them that filled whole and may have been a part of what was wanted: they do not count against the most. */
  parts: number;
  triedAt: number;
  /** The venue has refused one of its attempts. */
  isRefused: boolean;
  /** The middle of the market when it was first priced, where slippage is capped. */
  arrival: number | undefined;
}

export interface Committed {
  /** Of the leg: filled, or possibly going to be. */
  readonly leg: Span;
  /** The same of the slice under way. */
  readonly slice: Span;
  readonly isExact: boolean;
}

export class LegBook {
  terms: LegTerms;
  course: Course | undefined;
  /** Number of the first slice of the course, and what was done before it. */
  first = 0;
  done = 0;
  /** Where the course begins. */
  from = 0;
  /** The first slice that was neither started nor missed. */
  next = 0;
  skipped = 0;
  current: SliceBook | undefined;
  /** The slice that was ended last. */
  ended: SliceBook | undefined;
  /** Lots of fills that are booked. */
  booked = 0;
  /** Of a hedge: the lots that it was last said to lack. */
  leftOpen: number | undefined;
  isAmended = false;
  changedAt = 0;
  /** The exchange's count of what traded when the first slice began, where participation is limited. */
  tapeFrom: number | undefined;
  /** Slices that hedge what was filled before a stop, through the market. */
  readonly covers = new Set<number>();
  /** Slices begun, those after the end included. */
  begun = 0;
  /** Labels of the orders intended for each slice of the plan, or part. */
  readonly placed = new Map<number, string[]>();
  #settled = 0;
  readonly #attempts = new Map<string, Attempt>();
  readonly #labels = new Set<string>();

  constructor(terms: LegTerms) {
    this.terms = terms;
  }

  plan(course: Omit<CourseTerms, 'lots' | 'least'>, cut = { slice: 0, done: 0 }): void {
    const { lots, least } = this.terms;
    const left = lots - cut.done;
    this.first = cut.slice;
    this.done = cut.done;
    this.from = course.startAt;
    this.course = left < least ? undefined : courseOf({ ...course, lots: left, least });
  }

  /** All slices, those of before an amendment included. */
  get slices(): number {
    return this.first + (this.course?.slices ?? 0);
  }

  /** What is to be filled after the slice. */
  target(slice: number): Span {
    const after = this.course?.target(slice - this.first) ?? { low: 0, high: 0 };
    return { low: this.done + after.low, high: this.done + after.high };
  }

  /** Nothing of it is, or may be, at the venue. */
  get isIdle(): boolean {
    return this.#attempts.size === 0;
  }

  /** Of an order that can still change what is filled. */
  lotsOf(label: string): number | undefined {
    return this.#attempts.get(label)?.lots;
  }

  /** The order is one of this leg. */
  has(label: string): boolean {
    return this.#labels.has(label);
  }

  intended(
    label: string,
    attempt: Pick<Attempt, 'slice' | 'lots' | 'isPart'> & { readonly at: number },
  ): void {
    const { slice, lots, isPart, at } = attempt;
    this.#labels.add(label);
    this.#attempts.set(label, { slice, lots, isPart, fate: 'open', booked: 0 });
    this.changedAt = at;
    if (this.current?.slice !== slice) return;
    this.current.attempts += 1;
    this.current.triedAt = at;
  }

  settled(label: string, fate: 'gone' | 'closed', known: TrueOrder | undefined): void {
    const attempt = this.#attempts.get(label);
    if (attempt === undefined) return;
    attempt.fate = fate;
    this.#settle(label, attempt, known);
  }

  filled(label: string, lots: number, known: TrueOrder | undefined): void {
    this.booked += lots;
    const attempt = this.#attempts.get(label);
    if (attempt === undefined) return;
    attempt.booked += lots;
    const { current } = this;
    const isWhole = attempt.booked === attempt.lots;
    if (isWhole && attempt.isPart && current?.slice === attempt.slice) current.parts += 1;
    this.#settle(label, attempt, known);
  }

  /** By what the exchange has at least, and by what may still come at most. */
  committed(orders: ReadonlyMap<string, TrueOrder>): Committed {
    let [low, high] = [this.#settled, this.#settled];
    const { current } = this;
    let [own, ownMost] = [current?.filled ?? 0, current?.filled ?? 0];
    for (const [label, { slice, lots }] of this.#attempts) {
      const order = orders.get(label)?.order;
      const has = order?.state === 'open' ? lots : this.#filledOf(order);
      low += has;
      high += lots;
      if (slice !== current?.slice) continue;
      own += has;
      ownMost += lots;
    }
    return {
      leg: { low, high },
      slice: { low: own, high: ownMost },
      isExact: low === high,
    };
  }

  #filledOf(order: TrueOrder['order'] | undefined): number {
    if (order === undefined) return 0;
    return Math.round(toNumber(order.filledQuantity) / this.terms.step);
  }

  #settle(label: string, attempt: Attempt, known: TrueOrder | undefined): void {
    const { fate, booked, slice } = attempt;
    if (fate === 'open' || booked < this.#filledOf(known?.order)) return;
    this.#attempts.delete(label);
    this.#settled += booked;
    if (this.current?.slice === slice) this.current.filled += booked;
  }
}
