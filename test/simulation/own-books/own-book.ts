// The referee's own account of one portfolio: starts from the form its client submitted, and follows the
// people's requests and the exchange's state.
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { PortfolioSpec } from '../../../src/core/terms/spec.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { TrueOrder } from '../oracles/exchange.oracle.ts';
import type { Asked } from './asked.ts';
import type { CourseTerms, Span } from './course.ts';
import { LegBook } from './leg-book.ts';
import { differenceOf, lotsOf, type Terms, termsOfForm } from './leg-terms.ts';
import { largestOrders, type OrderCase, type OrderLimits } from './order-cap.ts';
import { hedgeLots, type PartView, partLots } from './sizes.ts';
import type { TapeRecord } from './tape-record.ts';

export interface OwnBookParts {
  readonly id: PortfolioId;
  readonly form: PortfolioForm;
  readonly asked: Asked;
  /** What the exchange has of it, by label. */
  readonly orders: ReadonlyMap<string, TrueOrder>;
  readonly tape: TapeRecord;
  /** On single orders. */
  readonly limits: OrderLimits;
  readonly reportBreach: ReportBreach;
}

/** Of sums of floats, in lots. */
const PARTICIPATION_SLACK = 1e-6;

export class OwnBook {
  readonly id: PortfolioId;
  readonly form: PortfolioForm;
  readonly startAt: number;
  readonly legs: readonly LegBook[];
  readonly #parts: OwnBookParts;
  terms: Terms;
  isPaused = false;
  isTakenBack = false;
  isOver = false;
  /** When it ended because its time was over. */
  timedOutAt: number | undefined;
  /** When it was resumed last, or came to its present part or to its end. */
  freeSince = 0;
  resumedAt = 0;
  timeOverAt: number | undefined;
  /** BALANCE only. */
  partsDone = 0;
  stage: PartView['stage'] | undefined;

  constructor(parts: OwnBookParts, startAt: number) {
    const { id, form } = parts;
    this.#parts = parts;
    this.id = id;
    this.form = form;
    this.startAt = startAt;
    this.terms = termsOfForm(form);
    this.legs = this.terms.legs.map((leg) => new LegBook(leg));
    // A hedge has no schedule, but its slices after the end are numbered as if it had.
    for (const leg of this.legs) if (this.isClocked) leg.plan(this.course());
  }

  get isClocked(): boolean {
    return this.form.balanceTrade === undefined;
  }

  get endAction(): string {
    const { balanceTrade, execution } = this.form;
    if (balanceTrade !== undefined) {
      return balanceTrade.totalEndAction === 'fill_by_market' ? 'market' : 'cancel';
    }
    return execution.endAction ?? 'cancel';
  }

  get endsAt(): number {
    const { durationMs } = this.terms;
    return durationMs === 0 ? Number.POSITIVE_INFINITY : this.startAt + durationMs;
  }

  get frequencyMs(): number {
    return (this.form.twapTrade?.frequencySec ?? 0) * 1_000;
  }

  /** The largest order of the deployment in USD; those of the gate may be tighter. */
  get orderUsdMax(): number | undefined {
    return this.#parts.limits.orderUsdMax;
  }

  get orders(): ReadonlyMap<string, TrueOrder> {
    return this.#parts.orders;
  }

  get asked(): Asked {
    return this.#parts.asked;
  }

  readonly reportBreach = (what: string): void => {
    this.#parts.reportBreach('I25', `${this.id}: ${what}`);
  };

  /** By the label of one of its orders. */
  legOf(label: string): LegBook | undefined {
    for (const leg of this.legs) if (leg.has(label)) return leg;
    return undefined;
  }

  /** The schedule from `from` to the end. */
  course(from = this.startAt): Omit<CourseTerms, 'lots' | 'least'> {
    const { phase = 0, aim, randomSize = 0, randomTime = 0 } = this.form.execution;
    return {
      startAt: from,
      durationMs: this.endsAt - from,
      frequencyMs: this.frequencyMs,
      phase,
      aim,
      randomSize,
      randomTime,
    };
  }

  leg(index: number): LegBook {
    const leg = this.legs[index];
    if (leg === undefined) throw new Error(`${this.id} has no leg ${index}`);
    return leg;
  }

  /** A pause holds every slice back until it is resumed, or until the end, when what was missed is recorded. */
  get heldUntil(): number {
    return this.isPaused ? this.endsAt : this.resumedAt;
  }

  /** When a slice by the clock is due; `undefined` for any other. */
  dueOf(index: number, slice: number): Span | undefined {
    const { course, first, terms } = this.leg(index);
    const place = slice - first;
    const isOne = course !== undefined && place >= 0 && place < course.slices;
    return isOne && !terms.hedge ? course.due(place) : undefined;
  }

  /** Where a BALANCE portfolio is, by the fills that are booked. */
  partView(): PartView {
    return {
      legs: this.legs.map(({ terms, booked }) => ({ ...terms, total: terms.lots, filled: booked })),
      parts: this.form.balanceTrade?.parts ?? 1,
      done: this.partsDone,
      stage: this.stage ?? 'work',
    };
  }

  /** What the leg may have committed at this moment. */
  allowance(index: number): number {
    const { terms } = this.leg(index);
    if (!this.isClocked) {
      const view = this.partView();
      const leg = view.legs[index];
      return leg === undefined ? 0 : partLots(view, leg);
    }
    if (!terms.hedge) return terms.lots;
    const others = this.legs.flatMap(({ booked, terms: other }) =>
      other.hedge ? [] : [{ filled: booked, total: other.submittedLots }],
    );
    return Math.min(terms.lots, hedgeLots(terms.submittedLots, others));
  }

  /** What had traded in the leg's instrument, as far as something decided at `at` could know. */
  tapeSpan(index: number, at: number): Span {
    const { name } = this.leg(index).terms.instrument;
    const { tape } = this.#parts;
    return { low: tape.knownAt(name, at), high: tape.count(name) };
  }

  /** In lots; more than one where it is not certain which limits are in force. */
  largestOrders(index: number, order: Pick<OrderCase, 'price' | 'lots' | 'at'>): readonly number[] {
    const { instrument, side } = this.leg(index).terms;
    return largestOrders({ ...order, instrument, side }, this.#parts.limits);
  }

  /** Lots that participation left to the leg at least when something was decided at `at`. */
  participationLots(index: number, at: number): number {
    const { participationMax } = this.terms.limits;
    const { tapeFrom, terms } = this.leg(index);
    if (participationMax === undefined || terms.hedge) return Number.POSITIVE_INFINITY;
    if (tapeFrom === undefined) return 0;
    const most = (this.tapeSpan(index, at).low - tapeFrom) * participationMax;
    const { high } = this.leg(index).committed(this.orders).leg;
    return Math.floor(most / terms.step - PARTICIPATION_SLACK) - high;
  }

  /** True time since which participation leaves the leg its smallest order. */
  participationSince(index: number): number {
    const { participationMax } = this.terms.limits;
    const leg = this.leg(index);
    const { tapeFrom, terms } = leg;
    if (participationMax === undefined || terms.hedge) return 0;
    if (tapeFrom === undefined) return Number.POSITIVE_INFINITY;
    const lots = leg.committed(this.orders).leg.high + terms.least + PARTICIPATION_SLACK;
    const count = tapeFrom + (lots * terms.step) / participationMax;
    return this.#parts.tape.reachedAt(terms.instrument.name, count);
  }

  /** What the engine takes for the terms is what was requested. */
  judgeTerms(spec: PortfolioSpec): void {
    const difference = differenceOf(this.terms, spec);
    if (difference !== undefined) this.reportBreach(difference);
  }

  /** The engine counts as committed no more than what may be. */
  judgeCounted(index: number, counted: number): void {
    const leg = this.leg(index);
    const lots = lotsOf(counted, leg.terms.step);
    const { high } = leg.committed(this.orders).leg;
    // A Block RFQ that is accepted is under way without an order.
    if (lots > high && this.endAction !== 'rfq') {
      this.reportBreach(`leg ${index} counts ${lots} lots, at most ${high} can be`);
    }
  }
}
