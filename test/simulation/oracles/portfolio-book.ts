// The durable state of one portfolio, folded event by event, and the requests sent for it. Each event
// is checked when it becomes durable, against the exchange's own record where it concerns orders.

import { begin, evolve } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import {
  isTerminal,
  type PortfolioState,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { committedOf } from '../../../src/core/portfolio/aggregate/positions.ts';
import { requestedRfq } from '../../../src/core/portfolio/aggregate/residual-rfq-state.ts';
import type { Execution } from '../../../src/core/terms/execution.ts';
import type { LegPricing } from '../../../src/core/terms/spec.ts';
import type { Rfq } from '../../../src/exchange/rfq/rfq.ts';
import {
  isMore,
  type Price,
  plus,
  text,
  toNumber,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { assert } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { SIMULATED_SETTINGS } from '../checks/bounds.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { checkEvent, type Decider, type Intended, type JudgedBook } from '../checks/check-event.ts';
import { checkParts } from '../checks/check-parts.ts';
import type { Asked } from '../own-books/asked.ts';
import { checkExpiry } from '../own-books/check-expiry.ts';
import { OwnBook } from '../own-books/own-book.ts';
import { takeEvent } from '../own-books/take-event.ts';
import type { TapeRecord } from '../own-books/tape-record.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import { isReadable } from '../plan/plan-kinds.ts';
import type { TrueOrder } from './exchange.oracle.ts';

export type EditIntended = Extract<PortfolioEvent, { kind: 'edit_intended' }>;
export type AcceptIntended = Extract<PortfolioEvent, { kind: 'rfq_accept_intended' }>;
type RfqIntended = Extract<PortfolioEvent, { kind: 'rfq_intended' }>;

export interface BookParts {
  /** Where nothing but the queue is in trouble: how late a slice may be seen to. */
  readonly lateMaxMs: number | undefined;
  readonly plan: SimulationPlan;
  /** True time at which the run began. */
  readonly startAt: number;
  readonly asked: Asked;
  readonly tape: TapeRecord;
  readonly reportBreach: ReportBreach;
}

export class PortfolioBook implements JudgedBook {
  readonly id: PortfolioId;
  readonly lateMaxMs: number | undefined;
  readonly isPrompt: boolean;
  state: PortfolioState;
  readonly events: PortfolioEvent[];
  /** Every limit a leg has had, as it was submitted and amended. */
  readonly limits: LegPricing[][];
  /** Durable intents by label. */
  readonly intents = new Map<string, Intended>();
  /** The clock that each was intended by. */
  readonly clocksOf = new Map<string, string>();
  /** The options in force when each order was intended, and each edit by label and number. */
  readonly executions = new Map<string, Execution>();
  /** The latest durable edit by label. */
  readonly edits = new Map<string, EditIntended>();
  /** Labels and edits that have been handed to a venue. */
  readonly sent = new Set<string>();
  /** Prices of the edits that were sent, by label. */
  readonly sentEdits = new Map<string, readonly Price[]>();
  readonly #orders = new Map<string, TrueOrder>();
  /** The same by leg. */
  readonly #legOrders: Map<string, TrueOrder>[] = [];
  readonly bookedTrades = new Set<string>();
  /** Durable intents of Block RFQs, and the latest accept of each, by the label of the RFQ. */
  readonly rfqIntents = new Map<string, RfqIntended>();
  readonly acceptIntents = new Map<string, AcceptIntended>();
  /** What the exchange has of them. */
  readonly rfqs = new Map<string, Rfq>();
  /** The venue's count of what traded when each leg began, where that bounds it. */
  readonly countsFrom: (number | undefined)[] = [];
  /** The most that any of its daemons believes a quote for. */
  readonly quoteAgeMaxMs = SIMULATED_SETTINGS.quoteAgeMaxMs;
  /** Whose clock decided what last: instants of two clocks cannot be compared to the millisecond. */
  readonly #clocks = new Map<string, string>();
  /** The judge's own account of it; a shadow has none. */
  readonly own: OwnBook | undefined;

  constructor(
    id: PortfolioId,
    first: PortfolioEvent,
    { lateMaxMs, plan, startAt, asked, tape, reportBreach }: BookParts,
  ) {
    assert(first.kind === 'submitted', `portfolio ${id} does not begin with its submit`);
    this.id = id;
    this.lateMaxMs = lateMaxMs;
    this.isPrompt = isReadable(plan);
    this.state = begin(id, first);
    this.events = [first];
    const { spec } = this.state;
    const form = asked.form(spec.note);
    const isShadow = spec.mirrorOf !== undefined;
    if (form === undefined && !isShadow) reportBreach('I25', `${id} is what nobody asked for`);
    const { controls } = plan;
    const { orderUsdMax: most } = { ...SIMULATED_SETTINGS, ...plan.settings };
    const limits = { orderUsdMax: most && toNumber(most), controls, startAt };
    const parts = form && { id, form, asked, orders: this.#orders, tape, limits, reportBreach };
    this.own = isShadow || parts === undefined ? undefined : new OwnBook(parts, spec.startAt);
    if (this.own !== undefined) checkExpiry(this.own);
    this.own?.judgeTerms(spec);
    this.limits = this.state.spec.legs.map(({ pricing }) => [pricing]);
  }

  /** What the exchange has of it, by label. */
  get orders(): ReadonlyMap<string, TrueOrder> {
    return this.#orders;
  }

  get isOver(): boolean {
    return isTerminal(this.state.status);
  }

  /** True when `what` was last decided by the same clock, which is `clock` from now on. */
  isSameClock(what: string, clock: string): boolean {
    const isSame = this.#clocks.get(what) === clock;
    this.#clocks.set(what, clock);
    return isSame;
  }

  /** Folds one durable event in and judges it. */
  take(
    event: PortfolioEvent,
    by: { readonly daemon: Decider; readonly reportBreach: ReportBreach },
  ): void {
    checkEvent(this, event, by);
    if (this.own !== undefined) takeEvent(this.own, event);
    this.events.push(event);
    if (event.kind === 'child_intended') {
      this.intents.set(event.label, event);
      this.executions.set(event.label, this.state.spec.execution);
      this.clocksOf.set(event.label, by.daemon.clockName);
    }
    if (event.kind === 'edit_intended') {
      this.edits.set(event.label, event);
      this.executions.set(`${event.label} ${event.number}`, this.state.spec.execution);
    }
    if (event.kind === 'rfq_intended') this.rfqIntents.set(event.rfqLabel, event);
    if (event.kind === 'rfq_accept_intended') {
      this.acceptIntents.set(requestedRfq(this.state)?.label ?? '', event);
    }
    if (event.kind === 'slice_started' && event.traded !== undefined) {
      this.countsFrom[event.leg] ??= Number(event.traded);
    }
    if (event.kind === 'fill_booked') this.bookedTrades.add(event.tradeId);
    this.state = evolve(this.state, event);
    if (event.kind === 'amended') {
      this.own?.judgeTerms(this.state.spec);
      for (const [leg, { pricing }] of this.state.spec.legs.entries()) {
        this.limits[leg]?.push(pricing);
      }
    }
  }

  /** I1 and I2 by the exchange's truth: what it has never exceeds the total, nor what is counted as committed. */
  judgeExposure(leg: number, reportBreach: ReportBreach): void {
    const spec = this.state.spec.legs[leg];
    if (spec === undefined || this.state.broken) return;
    let atVenue = ZERO_QUANTITY;
    for (const { order } of this.ordersOf(leg)) {
      atVenue = plus(atVenue, order.state === 'open' ? order.quantity : order.filledQuantity);
    }
    if (isMore(atVenue, spec.quantity)) {
      reportBreach(
        'I1',
        `leg ${leg} has ${text(atVenue)} at the exchange of ${text(spec.quantity)}`,
      );
    }
    checkParts(this, reportBreach);
    const committed = committedOf(this.state, leg);
    if (isMore(atVenue, committed)) {
      reportBreach(
        'I1',
        `leg ${leg} has ${text(atVenue)} at the exchange, ${text(committed)} are counted`,
      );
    }
    this.own?.judgeCounted(leg, toNumber(committed));
  }

  /** The exchange has an order of the leg, or another state of it. */
  note(leg: number, known: TrueOrder): void {
    const { label } = known.order;
    this.#orders.set(label, known);
    this.#legOrders[leg] ??= new Map();
    this.#legOrders[leg].set(label, known);
  }

  ordersOf(leg: number): Iterable<TrueOrder> {
    return this.#legOrders[leg]?.values() ?? [];
  }
}
