// The only gate before the venues. Every request that may trade is checked by all controls at the moment of
// sending, and only a cleared request can be passed to a venue. Cancels are counted and never blocked.
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { SnapshotScope } from '../../core/risk/gate/account-exposure.ts';
import { type ControlLimits, NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import type { GateInputs } from '../../core/risk/gate/gate-inputs.ts';
import type { GateContext, GateOrder } from '../../core/risk/gate/gate-order.ts';
import {
  blockText,
  type Exception,
  type GateBlock,
  judgeBlockLeg,
  judgeOrder,
} from '../../core/risk/gate/judge-order.ts';
import type { Unrest } from '../../core/risk/gate/market-unrest.ts';
import { type Override, Overrides } from '../../core/risk/gate/overrides.ts';
import type { MessageRoom } from '../../core/risk/message-room.ts';
import type { Cleared } from '../../ports/cleared.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type { ControlStage } from '../../ports/risk-observer.ts';
import type { Reply, Worked } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type {
  AccountId,
  ChildLabel,
  InstrumentName,
  PortfolioId,
  VenueName,
} from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';
import type { GateAccounts } from './gate-accounts.ts';
import type { MarketTrails } from './market-trails.ts';
import { type BudgetLevel, MessageBudgets, type MessageOf } from './message-budgets.ts';

export interface GateOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  /** The limits in force at the moment: a reload may change them. */
  readonly limits: () => ControlLimits;
  /** Without it controls on an account's orders or positions cannot be checked. */
  readonly accounts?: GateAccounts | undefined;
  /** Default: no market counts as volatile. */
  readonly trails?: MarketTrails | undefined;
}

/** Whose orders are going to be judged, and as of when. */
export interface InputsScope extends SnapshotScope {
  readonly portfolio: PortfolioId;
  readonly venue: Venue;
  readonly account: AccountId;
  readonly now: Instant;
}

/** The subject of the check: all orders of one request. */
export interface Passing {
  readonly venue: Venue;
  readonly account: AccountId;
  readonly stage: ControlStage;
  readonly orders: readonly GateOrder[];
  /** Of a request for one instrument. */
  readonly instrument?: InstrumentName | undefined;
  /** Set if it was looked up already; otherwise the venue's current quote is used. */
  readonly quote?: Quote | undefined;
  readonly portfolio?: PortfolioId | undefined;
}

export type Passage<T> =
  | {
      readonly kind: 'cleared';
      readonly request: Cleared<T>;
      /** Called if the venue refused the request, or nothing of it works any longer: releases its reservations. */
      readonly refused: () => void;
      /** Replaces the reservations with the venue's record of the order. */
      readonly accepted: (order: OrderRecord) => void;
    }
  | { readonly kind: 'blocked'; readonly block: GateBlock };

/** Applies the venue's answer to the order of a request that was let through; an unknown outcome changes nothing. */
export function noteAnswer(
  { accepted, refused }: Extract<Passage<unknown>, { readonly kind: 'cleared' }>,
  answer: Reply<Worked>,
): void {
  if (answer.kind === 'done') accepted(answer.value.order);
  if (answer.kind === 'refused') refused();
}

const nothing = (): void => undefined;

/** What of an account is in memory alone. */
export interface AccountMemory {
  /** Default: its messages are not limited, or its budget is unchanged. */
  readonly budget?: BudgetLevel | undefined;
  readonly overrides: readonly Override[];
}

/** Explains why nothing may be sent for an account yet, if so. */
export interface AccountHold {
  objectionTo(account: AccountId): string | undefined;
}

export class Gate {
  /** Set while requests from before the restart are unresolved; absent once everything is known. */
  hold: AccountHold | undefined;
  readonly overrides = new Overrides();
  readonly #parts: GateOptions;
  readonly #budgets = new MessageBudgets();

  constructor(parts: GateOptions) {
    this.#parts = parts;
  }

  /** A gate without limits. */
  static open(parts: Pick<GateOptions, 'clock' | 'observer'>): Gate {
    return new Gate({ ...parts, limits: () => NO_LIMITS });
  }

  get limits(): ControlLimits {
    return this.#parts.limits();
  }

  /** Clears a request, or returns the objection to it, and reports either outcome. */
  pass<T>(request: T, passing: Passing): Passage<T> {
    const { clock, accounts, limits } = this.#parts;
    const why = this.hold?.objectionTo(passing.account);
    if (why !== undefined) return this.#held(why);
    if (limits() === NO_LIMITS) return unjudged(request);
    const used: Override[] = [];
    const isExcepted: Exception = (order, control) => {
      const override = this.overrides.find(order, control, clock.now());
      if (override !== undefined) used.push(override);
      return override !== undefined;
    };
    const undone: (() => void)[] = [];
    for (const order of passing.orders) {
      const block = this.#judged(order, passing, isExcepted);
      if (block !== undefined) {
        for (const undo of undone) undo();
        this.#report(passing, block);
        return { kind: 'blocked', block };
      }
      undone.push(accounts?.reserve(order) ?? nothing);
    }
    for (const override of used) this.#use(override, passing);
    this.count(passing);
    const refused = (): void => {
      for (const undo of undone) undo();
    };
    const accepted = (order: OrderRecord): void => {
      refused();
      accounts?.answered(passing.venue, order);
    };
    return { kind: 'cleared', request: clear(request), refused, accepted };
  }

  #held(why: string): Passage<never> {
    return { kind: 'blocked', block: { control: 'recovery', why, version: this.limits.version } };
  }

  /** What the children of a portfolio are judged by while its turn is decided; `undefined` if no limits are set. */
  inputsFor(scope: InputsScope): GateInputs | undefined {
    const { limits } = this;
    if (limits === NO_LIMITS) return undefined;
    const { account, portfolio, now } = scope;
    const { accounts } = this.#parts;
    return {
      limits,
      overrides: this.overrides.inForce(account, now),
      account: accounts?.viewOf(account, now)?.snapshot(scope),
      sent: accounts?.sentFor(account).sentBy(portfolio),
      unrest: this.#unrestIn(scope),
    };
  }

  #unrestIn({ venue, instruments, now }: InputsScope): GateInputs['unrest'] {
    const { trails } = this.#parts;
    const found = new Map<string, Unrest>();
    for (const name of instruments.keys()) {
      const unrest = trails?.unrest(venue, name, now);
      if (unrest !== undefined) found.set(name, unrest);
    }
    return found;
  }

  /** This daemon takes its share of what the daemons of the deployment share, alongside others: {@link MessageBudgets.joined}. */
  joined(): void {
    this.#budgets.joined(this.#parts.clock.now());
  }

  memoryOf(of: Omit<MessageOf, 'instrument'>): AccountMemory {
    const now = this.#parts.clock.now();
    return {
      budget: this.#budgets.levelOf(of, this.limits, now),
      overrides: this.overrides.of(of.account, now),
    };
  }

  /** Continues from what is known of the account, in place of what this daemon had of it. */
  recall(of: Omit<MessageOf, 'instrument'>, { budget, overrides }: AccountMemory): void {
    if (budget !== undefined) this.#budgets.fill(of, budget);
    this.overrides.replace(of.account, overrides);
  }

  /** How long a new order or an edit must wait for the message budget. */
  waitMs(of: MessageOf): number {
    return this.#budgets.waitMs(of, this.limits, this.#parts.clock.now());
  }

  /** What the message budgets leave for the orders of a portfolio that are not intended yet. */
  roomFor({ venue, account, instruments, now }: InputsScope): MessageRoom | undefined {
    const { limits } = this;
    return this.#budgets.room({ venue, account }, instruments.keys(), { limits, now });
  }

  /** Holds a message for an order that is intended, until {@link withdraw}. */
  promise(label: ChildLabel, of: MessageOf): void {
    this.#budgets.promise(label, of, this.limits, this.#parts.clock.now());
  }

  /** The order is about to pass the gate, or is not going to be sent. */
  withdraw(label: ChildLabel): void {
    this.#budgets.withdraw(label);
  }

  /** How much of the account's message budget is used; `undefined` if it is not limited. */
  messageUse(of: Omit<MessageOf, 'instrument'>): ReturnType<MessageBudgets['useOf']> {
    return this.#budgets.useOf(of, this.limits, this.#parts.clock.now());
  }

  /** The remaining message budgets in use, one per account. */
  budgets(): Iterable<readonly [venue: VenueName, budget: RateBudget]> {
    return this.#budgets.left(this.#parts.clock.now());
  }

  /** Counts a message that is sent; for a cancel this is the gate's only effect. */
  count(of: MessageOf): void {
    this.#budgets.sent(of, this.limits, this.#parts.clock.now());
  }

  #judged(
    order: GateOrder,
    { venue, quote, stage }: Pick<Passing, 'venue' | 'quote' | 'stage'>,
    isExcepted: Exception,
  ): GateBlock | undefined {
    const { clock, accounts, trails, limits } = this.#parts;
    const now = clock.now();
    const { name } = order.instrument;
    const context: GateContext = {
      now,
      limits: limits(),
      quote: quote ?? venue.quote(name),
      account: accounts?.viewOf(order.account, now),
      sent: accounts?.sentFor(order.account),
      unrest: trails?.unrest(venue, name, now)?.why,
    };
    const judge = stage === 'quote' ? judgeBlockLeg : judgeOrder;
    return judge(order, context, isExcepted);
  }

  #use(override: Override, { account, portfolio, stage }: Passing): void {
    const { clock, observer } = this.#parts;
    this.overrides.use(override, clock.now());
    const { control, askedBy, grantedBy = '', reason } = override;
    observer.observe({
      event: 'control_overridden',
      control,
      stage,
      account,
      portfolio,
      askedBy,
      grantedBy,
      reason,
    });
  }

  #report({ account, portfolio, stage, orders }: Passing, block: GateBlock): void {
    // A refusal of a client's request is reported together with the reply.
    if (stage !== 'child') return;
    const leg = orders[0]?.child?.leg;
    const why = blockText(block);
    const { control } = block;
    this.#parts.observer.observe({
      event: 'control_refused',
      control,
      stage,
      account,
      portfolio,
      leg,
      why,
    });
  }
}

const unjudged = <T>(request: T): Passage<T> => ({
  kind: 'cleared',
  request: clear(request),
  refused: nothing,
  accepted: nothing,
});

/** The only place where a request is marked as cleared. */
const clear = <T>(request: T): Cleared<T> => request as Cleared<T>;
