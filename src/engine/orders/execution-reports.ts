// Handles the notices that venues publish: orders and trades go to the portfolio named in their label. After an
// interruption of the stream, and periodically, own open orders are compared with the portfolios' records.

import { whyNot } from '../../core/order/answer-class.ts';
import type { TradeRecord } from '../../core/order/order-record.ts';
import type { VenueOrder, VenueTrade } from '../../core/order/venue-report.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { childIn } from '../../core/portfolio/aggregate/settled-children.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer, StateChange } from '../../ports/observer.ts';
import type { VenueNotice } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { isMore } from '../../values/amounts.ts';
import {
  type AccountId,
  childLabelOf,
  labelPrefix,
  type PortfolioId,
  parseChildLabel,
} from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import type { ChildOrderExecutor } from './child-order-executor.ts';
import { EarlyNotices } from './early-notices.ts';

/** What the ledger does not know, because it is older than what the venue has. */
export interface UnaccountedOrders {
  /** Compares the venue with the ledger once; false if the venue does not answer, and nothing may be placed before. */
  check(venue: Venue, account: AccountId, unowned: readonly VenueOrder[]): Promise<boolean>;
  /** Whether the order stays open. */
  leaves(order: VenueOrder): Promise<boolean>;
}

/** Where nobody looks for it: the ledger counts as complete. */
export const ALL_ACCOUNTED: UnaccountedOrders = {
  check: () => Promise.resolve(true),
  leaves: () => Promise.resolve(false),
};

export interface ExecutionReportsOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Pick<Settings, 'deployment'>;
  readonly venues: VenueDirectory;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'refresh' | 'follow' | 'peek'> };
  readonly executor: Pick<ChildOrderExecutor, 'query'>;
  /** Notices about accounts of others are left to them. */
  readonly ownership: Pick<Ownership, 'owns'>;
  /** Finds out after a start whether the ledger is older than what the venue has. */
  readonly unaccounted: UnaccountedOrders;
}

/** An order this young may not be listed yet, and one closed this recently may still be listed. */
export const RECENT_MS = 2_000;

export class ExecutionReports implements Lifetime {
  readonly #options: ExecutionReportsOptions;
  readonly #early: EarlyNotices;
  readonly #withOrders = new PortfoliosWithOrders();
  readonly #comparisons = new InFlight();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(options: ExecutionReportsOptions) {
    this.#options = options;
    this.#early = new EarlyNotices(options);
    options.engine.turns.follow((change) => this.#withOrders.changed(change));
  }

  /** Subscribes to the notices of every venue. */
  start(): Promise<void> {
    for (const venue of this.#options.venues.all()) {
      this.#unsubscribe.push(venue.subscribe((notice) => this.#noticed(venue, notice)));
    }
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return this.#comparisons.idle();
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  /** The number of notices that wait for the reply they preceded. */
  get waiting(): number {
    return this.#early.count;
  }

  #noticed(venue: Venue, notice: VenueNotice): void {
    if (notice.kind === 'account') return;
    if (notice.kind === 'reconnected') {
      for (const account of notice.accounts) {
        if (this.#isOwned(account)) void this.compare(venue, account);
      }
      return;
    }
    const { account, label } = notice.kind === 'order' ? notice.order : notice.trade;
    if (!this.#isOwned(account)) return;
    if (notice.kind === 'trade' && isOwnLiquidation(notice.trade)) {
      const { instrument, side, quantity, price, tradeId } = notice.trade;
      const { observer } = this.#options;
      const trade = { instrument, side, quantity, price, tradeId };
      observer.observe({ event: 'position_liquidated', venue: venue.name, account, ...trade });
    }
    const portfolio = this.#ownerOf(label);
    if (portfolio === undefined) return;
    if (notice.kind === 'order') this.#early.receive(portfolio, { label, order: notice.order });
    else this.#early.receive(portfolio, { label, trade: notice.trade });
  }

  #isOwned(account: AccountId): boolean {
    return ownsAccount(this.#options.ownership, account);
  }

  /** Records a trade that the venue lists and whose notice has not come, as if it had just come. */
  recordMissed(trade: VenueTrade): void {
    const owner = this.#ownerOf(trade.label);
    if (owner === undefined) return;
    const { engine } = this.#options;
    const state = engine.turns.peek(owner);
    // Another process may have placed the order: then what is stored counts, not what this one remembers.
    if (state === undefined || childIn(state, trade.label) === undefined)
      engine.turns.refresh(owner);
    void this.#report(owner, [], [trade]);
  }

  #ownerOf(label: string): PortfolioId | undefined {
    const address = parseChildLabel(label);
    return address?.deployment === this.#options.settings.deployment
      ? address.portfolio
      : undefined;
  }

  /**
   * Compares the account's open orders with the open children of the portfolios. `onKnown` is called when every
   * listed order has been recorded by its portfolio; unowned orders are cancelled after that.
   */
  async compare(venue: Venue, account: AccountId, onKnown = (): void => undefined): Promise<void> {
    try {
      await this.#comparisons.track(this.#compare(venue, account, onKnown));
    } catch (error) {
      this.#options.observer.observe({ event: 'failed', where: 'compare', error });
    }
  }

  async #compare(venue: Venue, account: AccountId, onKnown: () => void): Promise<void> {
    const { settings, observer, clock } = this.#options;
    const asked = clock.now();
    const prefix = labelPrefix(settings.deployment);
    const answer = await venue.openOrders({ account, labelPrefix: prefix });
    if (answer.kind !== 'done') {
      observer.observe({
        event: 'failed',
        where: 'venue.open_orders',
        error: new Error(whyNot(answer)),
      });
      return;
    }
    const open = answer.value.toReversed();
    this.#queryMissing(account, new Set(open.map((order) => order.label)), asked);
    const unowned: VenueOrder[] = [];
    for (const order of open) if (!(await this.#takeIn(order))) unowned.push(order);
    const { unaccounted } = this.#options;
    if (!(await unaccounted.check(venue, account, unowned))) return;
    onKnown();
    for (const order of unowned) {
      if (later(order.updatedAt, RECENT_MS) > asked) continue;
      if (await unaccounted.leaves(order)) continue;
      await this.#cancelForeignOrder(venue, account, order);
    }
  }

  /** Queries live children that are not among the open orders: they were closed without a notice. */
  #queryMissing(account: AccountId, open: ReadonlySet<string>, asked: Instant): void {
    const { executor } = this.#options;
    for (const state of this.#withOrders.of(account)) {
      for (const child of state.children.values()) {
        const isOld = later(child.intendedAt, RECENT_MS) < asked;
        if (child.state === 'live' && isOld && !open.has(child.label)) {
          executor.query(state, child.label);
        }
      }
    }
  }

  /** Returns true if the order is an open child of a portfolio. */
  async #takeIn(order: VenueOrder): Promise<boolean> {
    const owner = this.#ownerOf(order.label);
    if (owner === undefined) return false;
    const { clock, engine, executor } = this.#options;
    const label = childLabelOf(order.label);
    let state = await this.#report(owner, [order]);
    if (state === undefined || childIn(state, label) === undefined) {
      // Another process may have placed it: use the stored state instead of the one in memory.
      engine.turns.refresh(owner);
      state = await this.#report(owner, [order]);
    }
    const child = state?.children.get(label);
    if (state === undefined || child === undefined) return false;
    if (isMore(order.filledQuantity, child.filled)) executor.query(state, label);
    if (isTerminal(state.status)) {
      await engine.turns.run(owner, { kind: 'advance', now: clock.now() });
    }
    return true;
  }

  /** Cancels an unowned order with a label of ours, once the venue has confirmed that it is open. */
  async #cancelForeignOrder(venue: Venue, account: AccountId, order: VenueOrder): Promise<void> {
    const { instrument, orderId } = order;
    const label = childLabelOf(order.label);
    // It may have been closed while the list was being made.
    const { clock } = this.#options;
    await new Promise<void>((done) => clock.at(later(clock.now(), RECENT_MS), done));
    const found = await venue.reconcile({ account, instrument, label });
    const again = found.kind === 'done' ? found.value.orders : [];
    if (!again.some((one) => one.orderId === orderId && one.state === 'open')) return;
    this.#options.observer.observe({ event: 'foreign_order', venue: venue.name, label, orderId });
    const answer = await venue.cancel({ account, of: { orderId, instrument } });
    const owner = this.#ownerOf(label);
    if (answer.kind === 'done' && owner !== undefined) await this.#report(owner, [answer.value]);
  }

  #report(
    portfolio: PortfolioId,
    orders: readonly VenueOrder[],
    trades: readonly VenueTrade[] = [],
  ): Promise<PortfolioState | undefined> {
    const { clock, engine } = this.#options;
    const now = clock.now();
    return engine.turns.run(portfolio, { kind: 'record_report', now, orders, trades });
  }
}

/** Whether it was the account's own side of the trade that the venue liquidated. */
const isOwnLiquidation = ({ liquidation, liquidity }: TradeRecord): boolean =>
  liquidation?.includes(liquidity === 'maker' ? 'M' : 'T') === true;

/**
 * The portfolios in memory that have orders under way, by account: a comparison with a venue costs what is open on
 * that account, however many portfolios wait.
 */
export class PortfoliosWithOrders {
  readonly #accounts = new Map<AccountId, Map<PortfolioId, PortfolioState>>();

  /** As of their last turn. */
  of(account: AccountId): Iterable<PortfolioState> {
    return this.#accounts.get(account)?.values() ?? [];
  }

  changed({ before, after }: StateChange): void {
    if (after !== undefined && after.children.size > 0) this.#keep(after);
    else if (before !== undefined && before.children.size > 0) this.#drop(before);
  }

  #keep(state: PortfolioState): void {
    const { accountId } = state.spec;
    const known = this.#accounts.get(accountId);
    if (known === undefined) this.#accounts.set(accountId, new Map([[state.id, state]]));
    else known.set(state.id, state);
  }

  #drop({ id, spec }: PortfolioState): void {
    const known = this.#accounts.get(spec.accountId);
    known?.delete(id);
    if (known?.size === 0) this.#accounts.delete(spec.accountId);
  }
}
