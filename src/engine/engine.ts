// The core loop: a fact becomes a command, a command becomes a durable turn, and the turn goes to the engine's
// components, which perform its intents, publish it and plan the next wake-up. The replies to intents are facts again.
// The same engine runs live, in backtests and in fault simulation; only the ports differ.

import { shardOf } from '../core/ownership/shards.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../core/portfolio/aggregate/replay.ts';
import { allIdle, type InFlight } from '../lifetime/in-flight.ts';
import type { Lifetime } from '../lifetime/lifetime.ts';
import type { PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { EngineComponent } from './engine-component.ts';
import type { Ownership } from './ownership/ownership.ts';
import { PortfolioHomes } from './ownership/portfolio-homes.ts';
import type { TurnsOptions } from './turns/committed-turn.ts';
import { Turns } from './turns/turns.ts';

export interface EngineOptions
  extends Omit<
    TurnsOptions,
    | 'onCommitted'
    | 'onDecided'
    | 'onBroken'
    | 'isOwned'
    | 'onLoaded'
    | 'onReleased'
    | 'leaseOf'
    | 'onLeaseLost'
  > {
  readonly ownership: Ownership;
  /** Called when an invariant is broken: the process must end, and the next start recovers. */
  readonly onBroken: (error: unknown) => void;
}

export class Engine implements Lifetime {
  readonly #options: EngineOptions;
  /** The states in memory, and the commands of portfolios. */
  readonly turns: Turns;
  /** Which portfolios this process owns. */
  readonly homes: PortfolioHomes;
  readonly #components: EngineComponent[] = [];
  /** Turns, and the requests of components whose replies are commands. */
  readonly #inFlight: InFlight[] = [];
  #isReady = false;
  #isEnding = false;
  /** The number of components that are started before everything is resumed. */
  #recoveredFrom = Number.POSITIVE_INFINITY;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.homes = new PortfolioHomes({
      ownership: options.ownership,
      peek: (portfolio) => this.turns.peek(portfolio),
      shardOf: (portfolio) => options.ledger.shardOf(portfolio),
    });
    this.turns = new Turns({
      ...options,
      isOwned: (state) => this.homes.isOwned(state),
      leaseOf: (state) => this.homes.leaseOf(state),
      onLeaseLost: (lease) => options.ownership.superseded(lease),
      onLoaded: (state) => this.#loaded(state),
      onReleased: (portfolio) => {
        this.homes.forget(portfolio);
        for (const component of this.#components) component.released?.(portfolio);
      },
      onCommitted: (turn) => {
        for (const component of this.#components) component.committed?.(turn);
      },
      onDecided: (state) => this.#decided(state),
      onBroken: (portfolio, error) => this.#broken(portfolio, error),
    });
    this.#inFlight.push(this.turns.inFlight);
  }

  /** Adds a component. It receives turns, and is started, after those added before it; it is drained before them. */
  add(component: EngineComponent): void {
    this.#components.push(component);
    if (component.inFlight !== undefined) this.#inFlight.push(component.inFlight);
  }

  /** Those added from now on are started when every portfolio is resumed. */
  startNextOnceRecovered(): void {
    this.#recoveredFrom = this.#components.length;
  }

  /** {@link begin} and {@link caughtUp}. */
  async start(): Promise<void> {
    await this.begin();
    await this.caughtUp();
  }

  /** Starts recovery and what it needs. Requests may be made from now on; recovery holds back what could place an order. */
  async begin(): Promise<void> {
    for (const component of this.#components.slice(0, this.#recoveredFrom)) {
      await component.start?.();
    }
  }

  /** Resolves when every portfolio that was at work is resumed and the other components are started, or it is stopped. */
  async caughtUp(): Promise<void> {
    for (const component of this.#components) await component.caughtUp?.();
    for (const component of this.#components.slice(this.#recoveredFrom)) {
      if (this.#isEnding) return;
      await component.start?.();
    }
    this.#isReady = !this.#isEnding;
  }

  /** Accepts no more wake-ups; resolves when no turn runs and no reply is pending. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    this.#isReady = false;
    const { observer } = this.#options;
    const drains = [...this.#components].reverse().map(async (one) => await one.drain?.());
    for (const drain of await Promise.allSettled(drains)) {
      if (drain.status === 'rejected')
        observer.observe({ event: 'failed', where: 'drain', error: drain.reason });
    }
    await allIdle(this.#inFlight);
  }

  /** Runs no more commands, and releases everything. */
  stop(): void {
    this.#isEnding = true;
    this.#isReady = false;
    this.turns.stop();
    for (const component of [...this.#components].reverse()) component.stop?.();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** True while turns run or replies of a venue are pending. */
  get isBusy(): boolean {
    return this.#inFlight.some(({ count }) => count > 0);
  }

  /** Resolves when no turn runs and no reply is pending. */
  idle(): Promise<void> {
    return allIdle(this.#inFlight);
  }

  /** Lets go of what another process owns by now. */
  releaseForeign(): void {
    const { ownership } = this.#options;
    this.turns.releaseForeign((shard) => ownership.owns(shard));
  }

  /** Has the state leave memory, unless a turn of the portfolio runs. */
  letGo({ id: portfolio, spec, status, version }: PortfolioState, dueAt: Instant): void {
    const { accountId: account, legs } = spec;
    if (status !== 'pending' && status !== 'active') return;
    const state = this.turns.peek(portfolio);
    const instruments = legs.map(({ instrument }) => instrument);
    const shard = shardOf(account);
    const one = { portfolio, account, status, instruments, shard, version, dueAt };
    if (state === undefined || !this.turns.rest(one)) return;
    this.#options.snapshots.letGo(state);
    for (const component of this.#components) component.released?.(portfolio);
  }

  /** The version of the portfolio as this process knows it; `undefined` if it has neither its state nor a note of it. */
  versionOf(portfolio: PortfolioId): number | undefined {
    return this.turns.peek(portfolio)?.version ?? this.turns.resting.get(portfolio)?.version;
  }

  /** Its whole history, with the children that have left its state. */
  async replayed(portfolio: PortfolioId): Promise<Replay | undefined> {
    const history = await this.turns.history(portfolio);
    return history && new Replay(portfolio, history.events);
  }

  /** Does whatever is due for the portfolio, and decides the slice that is due at `sliceAt` ahead of its instant. */
  async advance(portfolio: PortfolioId, sliceAt?: Instant): Promise<void> {
    const now = this.#options.clock.now();
    const state = await this.turns.run(portfolio, { kind: 'advance', now, sliceAt });
    if (state === undefined || isTerminal(state.status)) return;
    for (const component of this.#components) {
      const advancing = component.advanced?.(state);
      // Nearly none has anything to do: awaiting each would cost a turn of the promises each.
      if (advancing !== undefined) await advancing;
    }
  }

  /** Reloads the portfolio from the ledger, whatever this process has in memory, and advances it. */
  reloadAndAdvance(portfolio: PortfolioId): Promise<void> {
    this.turns.refresh(portfolio);
    return this.advance(portfolio);
  }

  /** Adds a portfolio that this process has just stored; one that another process owns is only published. */
  adopt(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    const isOwned = this.homes.isOwned(state);
    if (isOwned) this.turns.adopt(state);
    this.#options.observer.observe({
      event: 'turn_committed',
      portfolio: state.id,
      events,
      state,
      commitMs: 0,
    });
    for (const component of this.#components) component.created?.(state, events);
    this.#decided(state);
  }

  #loaded(state: PortfolioState): Promise<void> | undefined {
    return this.homes.isKnown(state) ? undefined : this.#learn(state);
  }

  async #learn(state: PortfolioState): Promise<void> {
    try {
      await this.homes.read(state.id);
    } catch (error) {
      // It counts as another's until it is read again.
      this.#options.observer.observe({
        event: 'failed',
        where: 'ledger',
        error,
        portfolio: state.id,
      });
    }
  }

  #decided(state: PortfolioState): void {
    if (!this.homes.isOwned(state)) return;
    for (const component of this.#components) component.decided?.(state);
  }

  #broken(portfolio: PortfolioId, error: unknown): void {
    const { observer, onBroken } = this.#options;
    observer.observe({ event: 'failed', where: 'invariant', error, portfolio });
    onBroken(error);
  }
}
