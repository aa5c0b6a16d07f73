// Performs intents at the venue and records the replies as commands. A request is sent once; if its reply is
// missing, it is recorded as unknown and resolved by a query.

import { isUnsent, notSent, type Refused, refusalText } from '../../core/order/answer-class.ts';
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { OrderIntent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { isCoverChild } from '../../core/portfolio/slices/open-exposure.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
import { maySend } from '../../core/risk/trading-switch.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { NewOrder, OrderChange, Reply, Worked } from '../../ports/trading-desk.ts';
import type { Reconciled, Venue, VenueDirectory } from '../../ports/venue.ts';
import type { AccountId, ChildLabel } from '../../values/ids.ts';
import { earliest, type Instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import { tradingUnder } from '../kill-switch/apply-trading-switches.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import { childFence } from '../mmp/mmp-fence.ts';
import { MMP_TRIGGER, type MmpProtecting } from '../mmp/mmp-guard.ts';
import { venueOf } from '../portfolio-venue.ts';
import { type Gate, noteAnswer } from '../risk/gate.ts';
import { passChild } from '../risk/gate-orders.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { ChildReconciliation } from './child-reconciliation.ts';
import { offGrid } from './price-grid.ts';
import { venueCall } from './venue-call.ts';

export interface ChildOrderExecutorOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  /** A request is no longer sent if less than half of its validity remains until its deadline. */
  readonly settings: Pick<Settings, 'validForMs' | 'skewMs'>;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'peek'> };
  readonly mmp: MmpProtecting;
  readonly gate: Gate;
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
}

type Of<K extends OrderIntent['kind']> = Extract<OrderIntent, { kind: K }>;

/** The minimum delay between two queries about one child. */
const QUERY_REST_MS = 500;

/** A query about a child, in progress or just ended. */
interface Query {
  readonly askedAt: Instant;
  /** Runs the query that was requested meanwhile. */
  again?: (() => void) | undefined;
}

export class ChildOrderExecutor implements EngineComponent {
  readonly #options: ChildOrderExecutorOptions;
  /** Children being queried; one query at a time each. */
  readonly #asking = new Map<ChildLabel, Query>();
  readonly #reconciliation: ChildReconciliation;
  /** Children with a cancel that was sent and is not answered yet. */
  readonly cancelling = new Set<ChildLabel>();
  /** Intents in progress: sent without a reply yet, or waiting for their instant. */
  readonly inFlight = new InFlight();
  /** The accounts whose intents they are. */
  readonly busy = new BusyAccounts();

  constructor(options: ChildOrderExecutorOptions) {
    this.#options = options;
    this.#reconciliation = new ChildReconciliation(options.settings.skewMs);
  }

  /** The number of children being queried, or queried just now. */
  get asking(): number {
    return this.#asking.size;
  }

  /** Drops queries that were postponed. */
  stop(): void {
    for (const query of this.#asking.values()) query.again = undefined;
  }

  /** Performs the order intents of a durable turn. */
  committed({ state, intents }: CommittedTurn): void {
    for (const intent of intents) {
      if ('rfqLabel' in intent) continue;
      // A child that was reconciled or ended by a later command of the same turn needs no query and follows nothing.
      const isOfOpen = intent.kind === 'settle' || intent.kind === 'edit';
      if (isOfOpen && !state.children.has(intent.label)) continue;
      void this.#perform(state, intent);
    }
  }

  /** Queries the venue for the state of a child, unless its portfolio no longer waits for it. */
  query(state: PortfolioState, label: ChildLabel): void {
    const child = state.children.get(label);
    const leg = child && state.spec.legs[child.leg];
    if (child === undefined || leg === undefined || child.block) return;
    const { instrument } = leg;
    void this.#perform(state, { kind: 'settle', label, instrument });
  }

  /** Never throws: a failure becomes a command or is reported. */
  async #perform(state: PortfolioState, intent: OrderIntent): Promise<void> {
    const { accountId } = state.spec;
    this.inFlight.enter();
    this.busy.enter(accountId);
    try {
      await this.#performed(state, venueOf(this.#options.venues, state), intent);
    } catch (error) {
      this.#options.observer.observe({
        event: 'failed',
        where: `work_order.${intent.kind}`,
        error,
        portfolio: state.id,
      });
    } finally {
      this.busy.leave(accountId);
      this.inFlight.leave();
    }
  }

  #performed(state: PortfolioState, venue: Venue, intent: OrderIntent): Promise<void> {
    switch (intent.kind) {
      case 'place':
        return this.#place(state, venue, intent);
      case 'edit':
        return this.#edit(state, venue, intent);
      case 'cancel':
        return this.#cancel(state, venue, intent);
      case 'settle':
        return this.#settle(state, venue, intent);
    }
  }

  /** A slice is decided ahead, so changes of its portfolio until it is due still count. */
  async #place(decided: PortfolioState, venue: Venue, intent: Of<'place'>): Promise<void> {
    const { clock } = this.#options;
    const { label } = intent;
    let state = decided;
    for (let at = this.#leavesAt(state, venue, intent); at > clock.now(); ) {
      await this.#until(at);
      state = this.#options.engine.turns.peek(decided.id) ?? decided;
      at = this.#leavesAt(state, venue, intent);
    }
    this.#options.gate.withdraw(label);
    const moved = offGrid(state, venue, intent, this.#options);
    const answer =
      moved === undefined
        ? (this.#fenced(state, intent) ?? (await this.#protected(state, venue, intent)))
        : await moved;
    if (answer.kind === 'done') return this.#report(state, [answer.value.order], answer.value);
    const now = clock.now();
    if (answer.kind === 'unknown') {
      await this.#run(state, { kind: 'record_unknown', now, label, reason: answer.reason });
      return;
    }
    const retry = answer.class === 'later';
    await this.#run(state, { kind: 'record_refusal', now, label, ...recorded(answer), retry });
  }

  /** The slice's own instant, or when the message budget allows it; a late request does not wait. */
  #leavesAt({ spec }: PortfolioState, venue: Venue, intent: Of<'place'>): Instant {
    const { clock, gate, settings } = this.#options;
    const now = clock.now();
    if (intent.notBefore > now) return intent.notBefore;
    if (this.#isLate(intent)) return now;
    const { instrument, validUntil } = intent;
    const waitMs = gate.waitMs({ venue, account: spec.accountId, instrument });
    // From then on it is late, however long the budget takes.
    return earliest(later(now, waitMs), later(validUntil, 1 - Math.ceil(settings.validForMs / 2)));
  }

  #isLate({ validUntil }: Pick<Of<'place'>, 'validUntil'>): boolean {
    const { clock, settings } = this.#options;
    return validUntil - clock.now() < settings.validForMs / 2;
  }

  /** A child of a frozen group is not sent. If the venue's own protection has tripped, it may be sent later. */
  async #protected(
    state: PortfolioState,
    venue: Venue,
    intent: Of<'place'>,
  ): Promise<Reply<Worked>> {
    const fence = childFence(this.#options.mmp, state, intent);
    const objection = fence?.objection()?.reply;
    if (objection !== undefined) return notSent(objection.message, objection.code);
    const answer = await this.#sent(state, venue, intent);
    fence?.answered(answer);
    const isFlagged = state.spec.execution.mmpGroup !== undefined;
    const isTripped = isFlagged && answer.kind === 'refused' && answer.code === MMP_TRIGGER;
    return isTripped ? { ...answer, class: 'later' } : answer;
  }

  /** Passes the gate and sends in one moment. */
  async #sent(state: PortfolioState, venue: Venue, intent: Of<'place'>): Promise<Reply<Worked>> {
    const { gate, clock, observer } = this.#options;
    const { label, leg, slice, dueAt } = intent;
    const order = orderOf(state, intent);
    const passage = passChild(gate, order, { venue, state, child: intent });
    if (passage.kind === 'blocked') return notSent(blockText(passage.block));
    const { request } = passage;
    if (dueAt !== undefined) {
      observer.observe({
        event: 'slice_sent',
        portfolio: state.id,
        label,
        leg,
        slice,
        lateMs: clock.now() - dueAt,
      });
    }
    const call = { venue, method: 'place', label } as const;
    const answer = await venueCall(this.#options, state.id, call, () => venue.place(request));
    noteAnswer(passage, answer);
    return answer;
  }

  #until(at: Instant): Promise<void> {
    return new Promise((due) => this.#options.clock.at(at, due, 'exact'));
  }

  async #edit(state: PortfolioState, venue: Venue, intent: Of<'edit'>): Promise<void> {
    const { clock } = this.#options;
    const { label, number } = intent;
    const moved = offGrid(state, venue, intent, this.#options);
    const answer =
      moved === undefined
        ? (this.#fenced(state, intent) ?? (await this.#edited(state, venue, intent)))
        : await moved;
    if (answer.kind === 'done') {
      return this.#report(state, [answer.value.order], { ...answer.value, editNumber: number });
    }
    const now = clock.now();
    if (answer.kind === 'unknown') {
      const { reason } = answer;
      await this.#run(state, { kind: 'record_edit_unknown', now, label, number, reason });
      return;
    }
    await this.#run(state, {
      kind: 'record_edit_refusal',
      now,
      label,
      number,
      ...recorded(answer),
    });
    // The order is closed, or cancelled by the refusal itself: its final state must be queried.
    if (answer.class !== 'later')
      await this.#settle(state, venue, { kind: 'settle', label, instrument: intent.instrument });
  }

  async #edited(state: PortfolioState, venue: Venue, intent: Of<'edit'>): Promise<Reply<Worked>> {
    const { gate } = this.#options;
    const account = state.spec.accountId;
    const child = state.children.get(intent.label);
    if (child === undefined) return notSent('the order is over');
    const { instrument } = intent;
    if (gate.waitMs({ venue, account, instrument }) > 0) {
      return notSent('the message budget is used up');
    }
    const { leg, slice } = child;
    const terms = { ...intent, leg, slice };
    const change = changeOf(account, intent);
    const passage = passChild(gate, change, { venue, state, child: terms });
    if (passage.kind === 'blocked') return notSent(blockText(passage.block));
    const { request } = passage;
    const call = { venue, method: 'edit', label: intent.label } as const;
    const answer = await venueCall(this.#options, state.id, call, () => venue.edit(request));
    noteAnswer(passage, answer);
    return answer;
  }

  async #cancel(state: PortfolioState, venue: Venue, intent: Of<'cancel'>): Promise<void> {
    const { label, instrument, orderId } = intent;
    this.#options.gate.count({ venue, account: state.spec.accountId, instrument });
    const of = orderId === undefined ? { label, instrument } : { orderId, instrument };
    this.cancelling.add(label);
    const answer = await venueCall(
      this.#options,
      state.id,
      { venue, method: 'cancel', label },
      () => venue.cancel({ account: state.spec.accountId, of }),
    );
    // Without a reply it may be repeated at once; an answer counts once it is recorded.
    if (answer.kind === 'unknown') this.cancelling.delete(label);
    try {
      if (answer.kind === 'done') return await this.#report(state, [answer.value], NO_TRADES);
      // No effect or no reply: query the order's current state. The retry time is in the state.
      await this.#settle(state, venue, { kind: 'settle', label, instrument });
    } finally {
      if (answer.kind !== 'unknown') this.cancelling.delete(label);
    }
  }

  async #settle(state: PortfolioState, venue: Venue, intent: Of<'settle'>): Promise<void> {
    const { clock, engine } = this.#options;
    const { label, instrument, dueAt } = intent;
    const last = this.#asking.get(label);
    if (last !== undefined) {
      const isAnswered = dueAt !== undefined && dueAt <= last.askedAt;
      if (!isAnswered) last.again = () => void this.#perform(state, intent);
      return;
    }
    const askedAt = clock.now();
    const query: Query = { askedAt };
    this.#asking.set(label, query);
    const childNow = () => engine.turns.peek(state.id)?.children.get(label);
    try {
      const account = state.spec.accountId;
      const answer = await venueCall(
        this.#options,
        state.id,
        { venue, method: 'query', label },
        () => this.#reconciliation.reconcile(venue, { account, instrument, label }, childNow()),
      );
      if (answer.kind !== 'done') return;
      const { orders, trades } = answer.value;
      if (orders.length > 0 || trades.length > 0)
        await this.#report(state, orders, { trades, askedAt });
      else await this.#run(state, { kind: 'record_absent', now: clock.now(), label, askedAt });
    } finally {
      clock.at(later(clock.now(), QUERY_REST_MS), () => {
        this.#asking.delete(label);
        if (childNow() !== undefined) query.again?.();
      });
    }
  }

  /**
   * The fence. After a pause of this process the venue must not receive an outdated request, and a request
   * overtaken by a cancel of the same turn must not be sent at all.
   */
  #fenced(state: PortfolioState, intent: Of<'place' | 'edit'>): Refused | undefined {
    const { switches } = this.#options;
    if (!maySend(tradingUnder(switches, state) ?? 'active', intent)) {
      return notSent('trading is switched off');
    }
    const child = state.children.get(intent.label);
    const isCover = child !== undefined && isCoverChild(state, child);
    if (state.status !== 'pending' && state.status !== 'active' && !isCover) {
      return notSent('the portfolio is being taken back');
    }
    const isWithdrawn = child === undefined || child.cancel !== undefined;
    if (isWithdrawn || (state.paused !== undefined && !isCover)) {
      return notSent('taken back before it could leave');
    }
    return this.#isLate(intent) ? notSent('too close to its deadline') : undefined;
  }

  async #report(
    state: PortfolioState,
    orders: Reconciled['orders'],
    about: Pick<Reconciled, 'trades'> & {
      readonly editNumber?: number;
      readonly askedAt?: Instant;
    },
  ): Promise<void> {
    const { trades, editNumber, askedAt } = about;
    const now = this.#options.clock.now();
    await this.#run(state, { kind: 'record_report', now, orders, trades, editNumber, askedAt });
  }

  async #run(state: PortfolioState, command: PortfolioCommand): Promise<void> {
    await this.#options.engine.turns.run(state.id, command);
  }
}

/** What the adapter could not send is recorded like what was held back. */
const recorded = (answer: Refused): Pick<Refused, 'code' | 'message'> =>
  isUnsent(answer)
    ? { code: 0, message: answer.details?.reason ?? answer.message }
    : { code: answer.code, message: refusalText(answer) };

const NO_TRADES: Pick<Reconciled, 'trades'> = { trades: [] };

/** A post-only child is refused rather than repriced: its price was decided here. */
const orderOf = ({ spec }: PortfolioState, intent: Of<'place'>): NewOrder => ({
  account: spec.accountId,
  instrument: intent.instrument,
  side: intent.side,
  type: 'limit',
  quantity: intent.quantity,
  price: intent.price,
  timeInForce: intent.timeInForce,
  postOnly: intent.postOnly,
  rejectPostOnly: intent.postOnly,
  reduceOnly: intent.reduceOnly,
  label: intent.label,
  mmp: spec.execution.mmpGroup !== undefined,
  validUntil: intent.validUntil,
});

/** A new price of a resting child. */
const changeOf = (account: AccountId, intent: Of<'edit'>): OrderChange => ({
  account,
  of: { label: intent.label, instrument: intent.instrument },
  quantity: intent.quantity,
  price: intent.price,
  postOnly: intent.postOnly,
  rejectPostOnly: intent.postOnly,
  reduceOnly: intent.reduceOnly,
  validUntil: intent.validUntil,
});

/** Accounts with requests in progress, and how many each has. */
class BusyAccounts {
  /** An account without any is absent. */
  readonly #counts = new Map<AccountId, number>();

  enter(account: AccountId): void {
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1);
  }

  leave(account: AccountId): void {
    const left = (this.#counts.get(account) ?? 1) - 1;
    if (left > 0) this.#counts.set(account, left);
    else this.#counts.delete(account);
  }

  some(isMeant: (account: AccountId) => boolean): boolean {
    for (const account of this.#counts.keys()) if (isMeant(account)) return true;
    return false;
  }
}
