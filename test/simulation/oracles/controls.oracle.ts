// Checks every order at the moment it is sent against the limits of the controls in force, independently of
// the gate's verdict. Each override granted by two people excuses one order.

import { toNumber } from '../../../src/values/amounts.ts';
import { type AccountId, childLabelOf, parseChildLabel } from '../../../src/values/ids.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { childOf, type Excess, excessOf, type Sent } from '../checks/check-controls.ts';
import type { CheckedOrder } from '../checks/checked-order.ts';
import type { OverridePlan } from '../plan/controls-plan.ts';
import type { FaultKind, SimulationPlan } from '../plan/plan.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { INSTRUMENTS, instrumentOf, type SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { Requested } from '../world/venue-of-life.ts';
import type { ControlsInForce } from './controls-in-force.ts';
import type { ExchangeOracle, TrueOrder } from './exchange.oracle.ts';
import { MessagesOracle } from './messages.oracle.ts';
import type { PortfolioBook } from './portfolio-book.ts';

export interface ControlsOracleOptions {
  readonly plan: SimulationPlan;
  readonly inForce: ControlsInForce;
  readonly truth: ExchangeOracle;
  readonly market: SimulatedMarket;
  readonly books: ReadonlyMap<string, PortfolioBook>;
  /** By the venue's clock, which the market goes by. */
  readonly venueNow: () => number;
  readonly clock: Pick<VirtualClock, 'now'>;
  readonly trouble: Trouble;
  readonly reportBreach: ReportBreach;
}

interface Leave extends OverridePlan {
  readonly life: SimulatedDaemon['life'];
  readonly account: AccountId;
}

interface UsedBudget {
  readonly index: number;
  readonly lives: number;
  readonly name: string;
  readonly atMs: number;
}

/** A gate that has just begun may not have looked at its markets yet. */
const BEGINS_MS = 1_500;
const SENT_MAX = 200;
const ALL = 'all accounts';
/** How old what a daemon sees can be: as good as new, or from before its line broke. */
const AT_ONCE_MS = 60;
const LINE_MS = 20_000;

export class ControlsOracle {
  readonly #parts: ControlsOracleOptions;
  readonly #messages: MessagesOracle;
  readonly isHeard: boolean;
  readonly #isWatched: boolean;
  /** Each account has one owner, who hands over what it has counted. */
  readonly #isHandedOver: boolean;
  /** Of each account, and of all together, who used it last and when. */
  readonly #budgets = new Map<AccountId | typeof ALL, UsedBudget>();
  readonly #sent: Sent[] = [];
  readonly #leaves: Leave[] = [];

  constructor(parts: ControlsOracleOptions) {
    this.#parts = parts;
    const { plan } = parts;
    this.#messages = new MessagesOracle(plan.margins.skewMs);
    this.isHeard = isHeard(plan);
    this.#isHandedOver =
      plan.hasLeases === true && plan.faults.every(({ kind }) => !kind.startsWith('leases_'));
    // A daemon that cannot read the ledger, or loses its leases, does not follow markets at times.
    this.#isWatched =
      isHeard(plan) && plan.faults.every(({ kind }) => !/^(?:ledger|leases)_/.test(kind));
  }

  /** One order may pass one control at this daemon. */
  left(daemon: SimulatedDaemon, account: AccountId, plan: OverridePlan): void {
    if (!plan.isBySame) this.#leaves.push({ ...plan, account, life: daemon.life });
  }

  /** A daemon hands a request to its venue. */
  requested(daemon: SimulatedDaemon, requested: Requested): void {
    const order = this.#orderOf(daemon, requested);
    if (order === undefined) return;
    const { reportBreach, trouble } = this.#parts;
    const nowMs = this.#parts.venueNow();
    this.#checkMessages(daemon, order, nowMs);
    const excess = this.#excessOf(order, nowMs);
    if (excess !== undefined && !this.#isLeft(order, excess)) {
      reportBreach('I10', `${excess.control}: ${order.label}: ${excess.why}`);
    }
    trouble.note('held against controls');
    this.#sent.push({ order, atMs: nowMs });
    if (this.#sent.length > SENT_MAX) this.#sent.shift();
  }

  #checkMessages(daemon: SimulatedDaemon, { account, label }: CheckedOrder, nowMs: number): void {
    const { messages } = this.#parts.inForce.numbers;
    const floods = [
      this.#messages.sent(this.#budgetOf(daemon, account), messages, nowMs),
      this.#messages.sent(this.#budgetOf(daemon, ALL), messages?.ofAll, nowMs),
    ];
    for (const flood of floods) {
      if (flood !== undefined) this.#parts.reportBreach('I10', `messages: ${label}: ${flood}`);
    }
  }

  /**
   * The budget that the order counts in: one for each life of a daemon, and with leases one for the account, whose next
   * owner continues with it, and one that the daemons share. A daemon that was born since may have begun alone, with a full
   * one.
   */
  #budgetOf({ index, lives, bornAtMs }: SimulatedDaemon, account: AccountId | typeof ALL): string {
    const last = this.#budgets.get(account);
    const isSameLife = last?.index === index && last.lives === lives;
    const goesOn =
      last !== undefined && (isSameLife || (this.#isHandedOver && bornAtMs < last.atMs));
    const name = goesOn ? last.name : `${index}.${lives}/${account}`;
    this.#budgets.set(account, { index, lives, name, atMs: this.#parts.clock.now() });
    if (goesOn && !isSameLife) {
      const what = account === ALL ? 'message budget shared' : 'message budget handed over';
      this.#parts.trouble.note(what);
    }
    return this.#isHandedOver ? name : `${index}.${lives}/${account}`;
  }

  #excessOf(order: CheckedOrder, nowMs: number): Excess | undefined {
    const { plan, inForce, truth, market } = this.#parts;
    const all = [...truth.all()];
    return excessOf({
      order,
      nowMs,
      numbers: inForce.numbers,
      skewMs: plan.margins.skewMs,
      shown: market.shown(order.instrument.name),
      ofAll: all,
      ofAccount: all.filter(({ account }) => account === order.account),
      isHeard: this.isHeard,
      unseenMs: plan.faults.some(({ kind }) => kind === 'line_down') ? LINE_MS : AT_ONCE_MS,
      isQuoted: order.daemon.isQuoted(order.instrument.name),
      watchedSinceMs: this.#watchedSinceMs(order),
      sent: this.#sent,
      isUnknown: (label) => truth.labelled(label).length === 0 && this.#isUnknown(label),
    });
  }

  #isUnknown(label: string): boolean {
    const address = parseChildLabel(label);
    const book = address && this.#parts.books.get(address.portfolio);
    return book?.state.children.get(childLabelOf(label))?.state === 'unknown';
  }

  /** One daemon alone, since it is up, by a portfolio that works in the market. */
  #watchedSinceMs({ daemon, instrument }: CheckedOrder): number | undefined {
    const { plan, books, inForce } = this.#parts;
    if (!this.#isWatched || plan.daemons.length > 1 || !inForce.isSince(BEGINS_MS * 10)) {
      return undefined;
    }
    const since = [...books.values()].flatMap(({ isOver, state: { spec }, events }) => {
      const isAtWork = !isOver && spec.mirrorOf === undefined;
      const isThere = spec.legs.some((leg) => leg.instrument === instrument.name);
      return isAtWork && isThere ? [Number(events[0]?.at ?? 0)] : [];
    });
    if (since.length === 0) return undefined;
    const bornMs = daemon.bornAtMs + plan.venueOffsetMs;
    return Math.max(bornMs, Math.min(...since)) + BEGINS_MS;
  }

  #isLeft(order: CheckedOrder, { control }: Excess): boolean {
    const at = this.#leaves.findIndex(
      (leave) =>
        leave.control === control &&
        // With leases it is handed over with the account.
        (this.#parts.plan.hasLeases === true || leave.life === order.daemon.life) &&
        leave.account === order.account &&
        leave.side === order.side &&
        order.instrument.name === INSTRUMENTS.perpetual.name &&
        order.quantity <= leave.usd,
    );
    if (at < 0) return false;
    this.#parts.trouble.note('let past a control');
    this.#leaves.splice(at, 1);
    return true;
  }

  #orderOf(daemon: SimulatedDaemon, { method, request }: Requested): CheckedOrder | undefined {
    switch (method) {
      case 'place':
      case 'enter': {
        const { account, side, label, price, reduceOnly } = request;
        if (price === undefined) return undefined;
        return {
          daemon,
          life: daemon.life,
          account,
          side,
          label,
          reduceOnly,
          before: undefined,
          takes: !request.postOnly,
          instrument: instrumentOf(request.instrument),
          quantity: toNumber(request.quantity),
          price: toNumber(price),
          child: method === 'place' ? childOf(label) : undefined,
        };
      }
      case 'edit':
        return this.#edited(daemon, request);
      case 'change':
        return this.#changed(daemon, request);
      default:
        return undefined;
    }
  }

  #edited(
    daemon: SimulatedDaemon,
    request: Extract<Requested, { method: 'edit' }>['request'],
  ): CheckedOrder | undefined {
    const address = parseChildLabel(request.label);
    const leg = address && this.#parts.books.get(address.portfolio)?.state.spec.legs[address.leg];
    if (leg === undefined) return undefined;
    const { account, label, postOnly, reduceOnly } = request;
    return {
      daemon,
      life: daemon.life,
      account,
      label,
      reduceOnly,
      side: leg.side,
      child: undefined,
      takes: !postOnly,
      instrument: instrumentOf(leg.instrument),
      quantity: toNumber(request.quantity),
      price: toNumber(request.price),
      // It may have been filled a moment ago.
      before: this.#parts.truth.labelled(label)[0],
    };
  }

  #changed(
    daemon: SimulatedDaemon,
    { account, of, quantity, price }: Extract<Requested, { method: 'change' }>['request'],
  ): CheckedOrder | undefined {
    const before = 'label' in of ? this.#openAs(of.label) : undefined;
    if (before === undefined || quantity === undefined || price === undefined) return undefined;
    const { side, label, instrument } = before.order;
    return {
      // No manual order of a run is post-only.
      daemon,
      life: daemon.life,
      account,
      side,
      label,
      before,
      takes: true,
      child: undefined,
      reduceOnly: false,
      instrument: instrumentOf(instrument),
      quantity: toNumber(quantity),
      price: toNumber(price),
    };
  }

  #openAs(label: string): TrueOrder | undefined {
    return this.#parts.truth.labelled(label).find(({ order }) => order.state === 'open');
  }
}

/** Faults that delay a daemon's notices from the venue. */
const DEAF: ReadonlySet<FaultKind> = new Set([
  'notice_lost',
  'notice_late',
  'notice_repeated',
  'line_down',
  'process_stops',
]);

/** A single daemon that receives every notice at once. */
const isHeard = ({ faults, latencyMs, daemons, rfqs }: SimulationPlan): boolean =>
  latencyMs === 0 &&
  rfqs.length === 0 &&
  daemons.length === 1 &&
  faults.every(({ kind }) => !DEAF.has(kind));
