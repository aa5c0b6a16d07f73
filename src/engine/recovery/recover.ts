// Recovery, at the start and of every shard that this process begins to own later: every portfolio that has not ended
// is resumed from the ledger, every request with an unknown outcome is queried, open orders at the venues are
// compared, and shadows are sent what they may have missed. Until then no request that could place an order is sent.

import { isInShards } from '../../core/ownership/shards.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, PortfolioAtWork } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import { INSTANT_MAX, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { ShadowNotifier } from '../mirrors/notify-shadows.ts';
import type { ChildOrderExecutor } from '../orders/child-order-executor.ts';
import { type ExecutionReports, RECENT_MS } from '../orders/execution-reports.ts';
import type { Connections } from '../ownership/account-connections.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import type { RecoveryBarrier } from './recovery-barrier.ts';

export interface RecoverOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  readonly barrier: RecoveryBarrier;
  readonly engine: Pick<Engine, 'releaseForeign'> & {
    readonly turns: Pick<Engine['turns'], 'run' | 'peek' | 'rest' | 'isBusyWithForeign'>;
    readonly homes: Pick<Engine['homes'], 'learn'>;
  };
  /** A portfolio that has not begun and is due later than this is not loaded. */
  readonly horizonMs: () => number;
  readonly ownership: Ownership;
  readonly connections: Pick<Connections, 'caughtUp' | 'isCaughtUp'>;
  readonly executor: Pick<ChildOrderExecutor, 'query' | 'busy'>;
  readonly reports: Pick<ExecutionReports, 'compare'>;
  readonly shadows: Pick<ShadowNotifier, 'sendHistory'>;
}

/** The number of portfolios loaded concurrently. */
const AT_ONCE = 32;
/** The delay before a venue that did not report its open orders is queried again. */
const RETRY_MS = 1_000;
/** How long shards that are given up wait for what is under way. */
const GIVE_UP_MS_MAX = 1_000;
const GIVE_UP_REST_MS = 10;

export class Recovery implements EngineComponent {
  readonly #options: RecoverOptions;
  /** Shards being taken up, and accounts being compared. */
  readonly #comparisons = new InFlight();
  readonly #retries = new Map<AccountId, () => void>();
  /** Accounts that are compared until the venue has replied. */
  readonly #compared = new Set<AccountId>();
  #isStopped = false;
  #resumed: Promise<void> = Promise.resolve();

  constructor(options: RecoverOptions) {
    this.#options = options;
  }

  /** Begins to resume every portfolio. */
  start(): Promise<void> {
    const { ownership } = this.#options;
    ownership.onGain((shards) => this.#comparisons.track(this.#takeUp(shards)));
    ownership.onLoss((shards) => this.#giveUp(shards));
    this.#resumed = this.#resumeAll();
    // Unexamined: `caughtUp` rejects with it, and may be called after it.
    void this.#comparisons.track(this.#resumed.catch(() => undefined));
    return Promise.resolve();
  }

  /** Resolves when each portfolio of the start is loaded, whatever the venues have replied by then. */
  caughtUp(): Promise<void> {
    return this.#resumed;
  }

  async #resumeAll(): Promise<void> {
    const { ledger, barrier, ownership } = this.#options;
    await this.#resume(await ledger.atWork(ownership.shards()));
    if (this.#isStopped) return;
    barrier.allRecovered();
    this.#compareAll();
  }

  /** Resumes the portfolios of shards that belonged to another process; again until the ledger has listed them. */
  async #takeUp(shards: readonly number[]): Promise<void> {
    const { barrier, ownership } = this.#options;
    barrier.takingUp(shards);
    this.#blockUnconnected(shards);
    for (let isDone = false; !isDone && !this.#isStopped; ) {
      const own = shards.filter((shard) => ownership.owns(shard));
      isDone = own.length === 0 || (await this.#tookUp(own));
    }
    barrier.tookUp(shards);
    this.#compareAll();
  }

  /** What is at the venue for these accounts is learned over a connection that is only being opened. */
  #blockUnconnected(shards: readonly number[]): void {
    const { barrier, connections, ownership, venues } = this.#options;
    for (const account of (venues.accounts?.() ?? []).filter(isInShards(shards))) {
      const isMissing = ownsAccount(ownership, account) && !connections.isCaughtUp(account);
      if (isMissing) barrier.registerAccount(account);
    }
  }

  /**
   * Nothing new is sent for the shards from now on. What is under way is completed first, within a bound: its answers
   * spare the next owner the queries.
   */
  async #giveUp(shards: readonly number[]): Promise<void> {
    const { clock, barrier, engine, executor } = this.#options;
    barrier.gaveUp(shards);
    const isMeant = isInShards(shards);
    const until = clock.monotonicMs() + GIVE_UP_MS_MAX;
    while (engine.turns.isBusyWithForeign || executor.busy.some(isMeant)) {
      if (this.#isStopped || clock.monotonicMs() >= until) break;
      await new Promise<void>((done) => clock.at(later(clock.now(), GIVE_UP_REST_MS), done));
    }
    engine.releaseForeign();
  }

  async #tookUp(shards: readonly number[]): Promise<boolean> {
    const { clock, ledger, observer } = this.#options;
    try {
      await this.#resume(await ledger.atWork(shards));
      return true;
    } catch (error) {
      observer.observe({ event: 'failed', where: 'take_up', error });
      await new Promise<void>((done) => clock.at(later(clock.now(), RETRY_MS), done));
      return false;
    }
  }

  async #resume(portfolios: readonly PortfolioAtWork[]): Promise<void> {
    const { clock, observer, engine } = this.#options;
    const from = clock.monotonicMs();
    let unsettled = 0;
    for (const one of portfolios) engine.homes.learn(one.portfolio, one.shard);
    const loaded = portfolios.filter((one) => !this.#rests(one)).sort(byNeed);
    for (let i = 0; i < loaded.length; i += AT_ONCE) {
      if (this.#isStopped) return;
      const batch = loaded.slice(i, i + AT_ONCE);
      const counts = await Promise.all(
        batch.map(({ portfolio }) => this.#reloadAndAdvance(portfolio)),
      );
      for (const count of counts) unsettled += count;
    }
    const elapsedMs = clock.monotonicMs() - from;
    observer.observe({ event: 'recovered', portfolios: portfolios.length, unsettled, elapsedMs });
  }

  /** Whether the portfolio has not begun and does not soon: then its state is loaded when it is needed. */
  #rests({ isPending, dueAt, ...known }: PortfolioAtWork): boolean {
    const { clock, barrier, engine, horizonMs } = this.#options;
    if (engine.turns.peek(known.portfolio) !== undefined) return false;
    if (!isPending || dueAt === undefined || dueAt <= later(clock.now(), horizonMs())) return false;
    if (!engine.turns.rest({ ...known, dueAt, status: 'pending' })) return false;
    barrier.registerAccount(known.account);
    return true;
  }

  #compareAll(): void {
    for (const account of this.#options.barrier.accounts()) {
      if (this.#compared.has(account)) continue;
      this.#compared.add(account);
      const ended = this.#compare(account).finally(() => this.#compared.delete(account));
      void this.#comparisons.track(ended);
    }
  }

  drain(): Promise<void> {
    this.stop();
    return this.#comparisons.idle();
  }

  stop(): void {
    this.#isStopped = true;
    for (const endRest of this.#retries.values()) endRest();
    this.#retries.clear();
  }

  async #reloadAndAdvance(portfolio: PortfolioId): Promise<number> {
    const { clock, engine, barrier, executor, shadows } = this.#options;
    const state = await engine.turns.run(portfolio, { kind: 'advance', now: clock.now() });
    if (state === undefined) return 0;
    for (const label of barrier.register(state)) executor.query(state, label);
    for (const { label, state: was, intendedAt } of state.children.values()) {
      // A young order may be open although it is missing from the list of open orders.
      if (was === 'live' && later(intendedAt, RECENT_MS) >= clock.now()) {
        executor.query(state, label);
      }
    }
    if (state.spec.mirrorOf !== undefined) await shadows.sendHistory(state);
    return state.children.size;
  }

  /** Compares the open orders of an account until the venue has replied. One that does not delays only its own accounts. */
  async #compare(account: AccountId): Promise<void> {
    const { venues, reports, barrier, connections } = this.#options;
    const onKnown = (): void => barrier.known(account);
    while (!this.#isStopped && barrier.accounts().includes(account)) {
      const venue = venues.forAccount(account);
      await connections.caughtUp(account);
      if (venue !== undefined) await reports.compare(venue, account, onKnown);
      if (barrier.accounts().includes(account)) await this.#rest(account);
    }
  }

  /** Ends early with this process. */
  async #rest(account: AccountId): Promise<void> {
    const { clock } = this.#options;
    if (this.#isStopped) return;
    await new Promise<void>((done) => {
      const stopTimer = clock.at(later(clock.now(), RETRY_MS), done);
      this.#retries.set(account, () => {
        stopTimer();
        done();
      });
    });
    this.#retries.delete(account);
  }
}

/** What may have open orders first, then what is due first. */
const byNeed = (a: PortfolioAtWork, b: PortfolioAtWork): number =>
  Number(a.isPending) - Number(b.isPending) || (a.dueAt ?? INSTANT_MAX) - (b.dueAt ?? INSTANT_MAX);
