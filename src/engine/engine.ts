// The core loop: a fact becomes a command, a command becomes a durable turn, the turn's intents are performed, and
// the replies to them are facts again. The same engine runs live, in backtests and in fault simulation; only the
// ports differ. Every start runs the recovery.

import type { VenueTrade } from '../core/order/venue-report.ts';
import { fold } from '../core/portfolio/aggregate/evolve.ts';
import type {
  PortfolioCommand,
  QuoteLookup,
} from '../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import { summarize } from '../core/portfolio/summary/summarize.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { Venue } from '../ports/venue.ts';
import { type AccountId, instrumentName, type PortfolioId, parseRfqLabel } from '../values/ids.ts';
import { type Instant, later } from '../values/instant.ts';
import { Submission } from './api/submit-portfolio.ts';
import type { EngineOptions } from './engine-options.ts';
import { ImbalanceReport } from './imbalance-report.ts';
import { applyTradingSwitches, tradingUnder } from './kill-switch/apply-trading-switches.ts';
import type { TradingSwitches } from './kill-switch/trading-switches.ts';
import { MarketSubscriptions } from './market-subscriptions.ts';
import { ShadowNotifier } from './mirrors/notify-shadows.ts';
import { freezeLookup } from './mmp/mmp-children.ts';
import { ChildOrderExecutor } from './orders/child-order-executor.ts';
import { ExecutionReports } from './orders/execution-reports.ts';
import { OpenOrderReconciliation } from './orders/open-order-reconciliation.ts';
import { Recovery } from './recovery/recover.ts';
import { RecoveryBarrier } from './recovery/recovery-barrier.ts';
import { ResidualRfqExecutor } from './residual-rfq/residual-rfq-executor.ts';
import { Gate } from './risk/gate.ts';
import { screenOf } from './risk/gate-child.ts';
import { ForeignCompletions } from './scheduling/foreign-completions.ts';
import { OverdueSweeper } from './scheduling/overdue-sweeper.ts';
import { Wakes } from './scheduling/wake-portfolio.ts';
import type { EngineStats } from './turns/engine-stats.ts';
import { newsOf } from './turns/publish-events.ts';
import { type Answered, type CommittedTurn, Turns } from './turns/turns.ts';

const NO_RELEASE = (): void => undefined;

export class Engine {
  readonly #options: EngineOptions;
  readonly #turns: Turns;
  readonly #work: ChildOrderExecutor;
  readonly #rfqWork: ResidualRfqExecutor;
  readonly #wakes: Wakes;
  readonly #ear: ExecutionReports;
  readonly #sweeper: OverdueSweeper;
  readonly #recovery: Recovery;
  readonly #comparison: OpenOrderReconciliation;
  readonly #endedElsewhere: ForeignCompletions;
  readonly #parts: ImbalanceReport;
  readonly #shadows: ShadowNotifier;
  /** Everything that this process sends must pass this gate. */
  readonly gate: Gate;
  readonly submission: Submission;
  readonly #markets: MarketSubscriptions;
  readonly #silence: (() => void)[] = [];
  /** Accounts that had an active portfolio since the start. */
  readonly #accounts = new Set<AccountId>();
  #isReady = false;
  /** Set from the start until everything from before the restart is known. */
  #hold: RecoveryBarrier | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { clock, ledger, observer, settings, queue, venues, limits } = options;
    const advance = (portfolio: PortfolioId): void => void this.advance(portfolio);
    const run = (portfolio: PortfolioId, command: PortfolioCommand) => this.run(portfolio, command);
    this.#turns = new Turns({
      ...{ ledger, clock, observer, settings },
      quotesOf: (state) => this.#quotesOf(state),
      freezesOf: (state) => freezeLookup(options.mmp, state),
      tradingOf: (state) => tradingUnder(options.switches, state),
      screenOf: (state) => screenOf(gate, this.#venueOf(state), state),
      holdOver: (state) => this.#hold?.over(state),
      venueOf: (state) => this.#venueOf(state).name,
      retiredMax: options.retiredMax,
      onCommitted: (turn) => this.#committed(turn),
      onDecided: (state) => this.#decided(state),
      onBroken: (portfolio, error) => this.#broken(portfolio, error),
    });
    const gate = options.gate?.gate ?? Gate.open({ clock, observer });
    this.gate = gate;
    this.#markets = new MarketSubscriptions(
      (...market) => options.gate?.follow(...market) ?? NO_RELEASE,
    );
    const peek = (portfolio: PortfolioId) => this.#turns.peek(portfolio);
    this.#work = new ChildOrderExecutor({
      ...options,
      gate,
      validForMs: settings.validForMs,
      run,
      peek,
    });
    const { rfqsFor = () => undefined } = options;
    const states = () => this.#turns.states();
    const stored = (portfolio: PortfolioId) => this.stored(portfolio);
    this.#rfqWork = new ResidualRfqExecutor({ ...options, rfqsFor, run, peek, states, stored });
    this.#parts = new ImbalanceReport(observer);
    const history = (portfolio: PortfolioId) => this.#turns.history(portfolio);
    this.#shadows = new ShadowNotifier({ clock, run, history });
    this.#wakes = new Wakes({ clock, queue, observer, settings, advance });
    this.#ear = new ExecutionReports({
      clock,
      observer,
      deployment: settings.deployment,
      run,
      settle: (state, label) => this.#settle(state, label),
      refresh: (portfolio) => this.#turns.refresh(portfolio),
      states: () => this.#turns.states(),
      peek,
    });
    const { sweepMs, compareMs } = options;
    this.#comparison = new OpenOrderReconciliation({
      ...{ clock, venues, compareMs, ear: this.#ear },
      atWork: () => this.#accounts,
      isHeld: (account) => this.heldAccounts.includes(account),
    });
    const takeUp = (portfolio: PortfolioId) => this.#takeUp(portfolio);
    this.#sweeper = new OverdueSweeper({
      ...{ clock, ledger, observer, sweepMs, rescue: takeUp },
      isTended: (portfolio) => this.#turns.isRunning(portfolio) || this.#wakes.isTended(portfolio),
    });
    this.#endedElsewhere = new ForeignCompletions({
      ...{ clock, ledger, observer, states, takeUp, everyMs: compareMs },
      isPassedBy: (portfolio, before) => this.#wakes.isPassedBy(portfolio, before),
    });
    this.#recovery = new Recovery({
      clock,
      ledger,
      observer,
      run,
      settle: (state, label) => this.#settle(state, label),
      compare: (account, onKnown) => this.#comparison.compare(account, onKnown),
      retell: (shadow) => this.#shadows.retell(shadow),
    });
    this.submission = new Submission({
      rfqsFor,
      mmp: options.mmp,
      switches: options.switches,
      gate: options.gate,
      observer,
      clock,
      ledger,
      venues,
      settings,
      limits,
      onCreated: (state, events) => this.#created(state, events),
    });
  }

  /** Recovers work in progress, then starts to accept wake-ups. */
  async start(): Promise<void> {
    const { queue, venues, mmp, switches } = this.#options;
    const hold = this.#holdAll();
    await mmp?.start();
    if (mmp !== undefined) this.#silence.push(mmp.onThaw((thawed) => this.#thawed(thawed)));
    for (const venue of venues.all()) this.#silence.push(this.#ear.listen(venue));
    if (this.#options.rfqsFor !== undefined) this.#silence.push(this.#rfqWork.hear(venues.all()));
    await this.#options.gate?.start(
      (portfolio, by) =>
        void this.run(portfolio, { kind: 'pause', now: this.#options.clock.now(), by }),
    );
    await this.#recovery.recover(hold);
    await queue.start((wake) => {
      // A stale state may find nothing due, and where nothing is committed no conflict reveals that it is stale.
      if (!this.#wakes.heard(wake).isOwn) this.#turns.refresh(wake.portfolio);
      return this.advance(wake.portfolio);
    });
    this.#sweeper.start();
    if (switches !== undefined) this.#silence.push(this.#obey(switches));
    this.#isReady = true;
    this.#comparison.start();
    this.#endedElsewhere.start();
  }

  get settings(): Settings {
    return this.#options.settings;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Accounts whose requests are still blocked, because their venue has not reported their open orders since the
   * start.
   */
  get heldAccounts(): readonly AccountId[] {
    return this.#hold?.accounts() ?? [];
  }

  /** True while turns run or replies of a venue are pending. */
  get isBusy(): boolean {
    return this.#turns.isBusy || this.#work.inFlight + this.#rfqWork.inFlight > 0;
  }

  /** The number of objects in memory at the moment. */
  held(): EngineStats {
    return {
      ...this.#turns.held,
      alarms: this.#wakes.count,
      watched: this.#markets.size,
      underWay: this.#work.inFlight + this.#rfqWork.inFlight,
      asking: this.#work.asking,
      notices: this.#ear.waiting,
    };
  }

  /** The active portfolios of this process. */
  states(): Iterable<PortfolioState> {
    return this.#turns.states();
  }

  peek(portfolio: PortfolioId): PortfolioState | undefined {
    return this.#turns.peek(portfolio);
  }

  /** Everything that this process received for the portfolio before the returned instant is in the ledger. */
  durableTo(portfolio: PortfolioId): Instant {
    return this.#turns.durableTo(portfolio);
  }

  /** A trade that a venue lists and whose notice has not come. */
  recordMissed(trade: VenueTrade): void {
    if (parseRfqLabel(trade.label) !== undefined) this.#rfqWork.ask(trade.label);
    else this.#ear.recordMissed(trade);
  }

  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return this.#turns.run(portfolio, command);
  }

  /** Like {@link run}, for a command that may be refused. */
  ask(portfolio: PortfolioId, command: PortfolioCommand): Promise<Answered> {
    return this.#turns.ask(portfolio, command);
  }

  /** The portfolio as stored, whichever process runs it; `undefined` if it does not exist. */
  async stored(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const history = await this.#turns.history(portfolio);
    return history && fold(portfolio, history.events);
  }

  async advance(portfolio: PortfolioId): Promise<void> {
    const state = await this.run(portfolio, { kind: 'advance', now: this.#options.clock.now() });
    if (state === undefined || isTerminal(state.status)) return;
    if (state.spec.mirrorOf !== undefined) await this.#shadows.retell(state);
  }

  /** Reloads the portfolio from the ledger, whatever this process has in memory, and advances it. */
  #takeUp(portfolio: PortfolioId): Promise<void> {
    this.#turns.refresh(portfolio);
    return this.advance(portfolio);
  }

  /** Requests wake-ups again after the queue has lost its jobs, or accepts again what it refused. */
  rearm(what: 'all' | 'refused' = 'all'): void {
    this.#wakes.rearm(what);
  }

  /** Accepts no more wake-ups, waits up to `graceMs` for pending replies, and releases all resources. */
  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#isReady = false;
    this.#sweeper.stop();
    this.#recovery.stop();
    this.#wakes.stop();
    for (const silence of this.#silence.splice(0)) silence();
    this.#options.mmp?.stop();
    this.#options.gate?.stop();
    this.#comparison.stop();
    this.#endedElsewhere.stop();
    const until = clock.monotonicMs() + graceMs;
    while (this.isBusy && clock.monotonicMs() < until) {
      await new Promise<void>((done) => clock.at(later(clock.now(), 5), done));
    }
    this.#turns.stop();
    this.#work.stop();
    this.#markets.releaseAll();
  }

  #venueOf(state: PortfolioState): Venue {
    const { accountId } = state.spec;
    const venue = this.#options.venues.forAccount(accountId);
    if (venue !== undefined) return venue;
    throw new Error(
      `portfolio ${state.id} is active on account ${accountId}, which no venue of the configuration ` +
        'lists; put the account back until the portfolio is over',
    );
  }

  #created(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    const { bus, observer } = this.#options;
    this.#turns.adopt(state);
    observer.turnCommitted({ portfolio: state.id, events, state, commitMs: 0 });
    bus.publish(newsOf(state, events, summarize(state)));
    this.#decided(state);
  }

  #committed({ state, events, intents, stored }: CommittedTurn): void {
    const { bus } = this.#options;
    const venue = this.#venueOf(state);
    this.#options.gate?.committed(state, events);
    this.#hold?.seen(state);
    if (this.#hold?.isOver) this.#hold = undefined;
    for (const intent of intents) {
      // A child that was reconciled by a later command of the same turn needs no query.
      if (intent.kind === 'settle' && !state.children.has(intent.label)) continue;
      if ('rfqLabel' in intent) void this.#rfqWork.perform(state, intent);
      else void this.#work.perform(state, venue, intent);
    }
    this.#parts.tell({ state, events, quotes: (name) => venue.quote(instrumentName(name)) });
    if (stored !== undefined) bus.publish(newsOf(state, events, stored.row.record));
    this.#shadows.tell(state, events);
  }

  #decided(state: PortfolioState): void {
    this.#wakes.plan(state);
    if (isTerminal(state.status)) this.#markets.release(state.id);
    else this.#watch(state);
  }

  #quotesOf(state: PortfolioState): QuoteLookup {
    const venue = this.#venueOf(state);
    this.#watch(state);
    return (name) => venue.quote(instrumentName(name));
  }

  #watch(state: PortfolioState): void {
    if (this.#markets.has(state.id) || isTerminal(state.status)) return;
    const venue = this.#venueOf(state);
    const isShadow = state.spec.mirrorOf !== undefined;
    const { mmpGroup } = state.spec.execution;
    if (mmpGroup !== undefined) this.#options.mmp?.know(state.id, mmpGroup);
    if (!isShadow) this.#accounts.add(state.spec.accountId);
    const names = isShadow ? [] : state.spec.legs.map((leg) => leg.instrument);
    this.#markets.need(state.id, venue, names);
  }

  #obey(switches: TradingSwitches): () => void {
    return applyTradingSwitches({
      ...{ ...this.#options, switches },
      states: () => this.#turns.states(),
      advance: (portfolio) => void this.advance(portfolio),
    });
  }

  /** Advances the portfolios that waited for the end of a freeze, instead of leaving them to their next check. */
  #thawed({ account, group }: { readonly account: AccountId; readonly group: string }): void {
    for (const { id, spec } of this.#turns.states()) {
      const isMeant = spec.accountId === account && spec.execution.mmpGroup !== undefined;
      if (isMeant && (group === '' || spec.execution.mmpGroup === group)) void this.advance(id);
    }
  }

  #settle(state: PortfolioState, label: string): void {
    const child = [...state.children.values()].find((one) => one.label === label);
    const leg = child && state.spec.legs[child.leg];
    if (child === undefined || leg === undefined || child.block) return;
    const { instrument } = leg;
    const intent = { kind: 'settle', label: child.label, instrument } as const;
    void this.#work.perform(state, this.#venueOf(state), intent);
  }

  /** Blocks every request that could place an order until the recovery barrier is lifted. */
  #holdAll(): RecoveryBarrier {
    const hold = new RecoveryBarrier({
      advance: (portfolio) => void this.advance(portfolio),
      onAccountsKnown: () => {
        this.gate.hold = undefined;
      },
    });
    this.#hold = hold;
    this.gate.hold = hold;
    return hold;
  }

  #broken(portfolio: PortfolioId, error: unknown): void {
    const { observer, onBroken } = this.#options;
    observer.failed({ where: 'invariant', error, portfolio });
    onBroken(error);
  }
}
