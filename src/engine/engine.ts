// The core loop: a fact becomes a command, a command becomes a durable turn, and the turn goes to the engine's
// components, which perform its intents, publish it and plan the next wake-up. The replies to intents are facts again.
// The same engine runs live, in backtests and in fault simulation; only the ports differ.

import { fold } from '../core/portfolio/aggregate/evolve.ts';
import type { PortfolioCommand } from '../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { StoredPortfolio } from '../ports/ledger.ts';
import type { PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { EngineComponent } from './engine-component.ts';
import { allIdle, type InFlight } from './lifetime/in-flight.ts';
import type { Lifetime } from './lifetime/lifetime.ts';
import { type Answered, Turns, type TurnsOptions } from './turns/turns.ts';

export interface EngineOptions
  extends Omit<TurnsOptions, 'onCommitted' | 'onDecided' | 'onBroken'> {
  /** Called when an invariant is broken: the process must end, and the next start recovers. */
  readonly onBroken: (error: unknown) => void;
}

export class Engine implements Lifetime {
  readonly #options: EngineOptions;
  readonly #turns: Turns;
  readonly #components: EngineComponent[] = [];
  /** Turns, and the requests of components whose replies are commands. */
  readonly #inFlight: InFlight[] = [];
  #isReady = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#turns = new Turns({
      ...options,
      onCommitted: (turn) => {
        for (const component of this.#components) component.committed?.(turn);
      },
      onDecided: (state) => this.#decided(state),
      onBroken: (portfolio, error) => this.#broken(portfolio, error),
    });
    this.#inFlight.push(this.#turns.inFlight);
  }

  /** Adds a component. It receives turns, and is started, after those added before it; it is drained before them. */
  add(component: EngineComponent): void {
    this.#components.push(component);
    if (component.inFlight !== undefined) this.#inFlight.push(component.inFlight);
  }

  /** Starts the components in order: recovery first, then wake-ups. */
  async start(): Promise<void> {
    for (const component of this.#components) await component.start?.();
    this.#isReady = true;
  }

  /** Accepts no more wake-ups; resolves when no turn runs and no reply is pending. */
  async drain(): Promise<void> {
    this.#isReady = false;
    const { observer } = this.#options;
    const drains = [...this.#components].reverse().map(async (one) => await one.drain?.());
    for (const drain of await Promise.allSettled(drains)) {
      if (drain.status === 'rejected') observer.failed({ where: 'drain', error: drain.reason });
    }
    await allIdle(this.#inFlight);
  }

  /** Runs no more commands, and releases everything. */
  stop(): void {
    this.#isReady = false;
    this.#turns.stop();
    for (const component of [...this.#components].reverse()) component.stop?.();
  }

  get settings(): Settings {
    return this.#options.settings;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** True while turns run or replies of a venue are pending. */
  get isBusy(): boolean {
    return this.#inFlight.some(({ count }) => count > 0);
  }

  get stats(): Turns['stats'] {
    return this.#turns.stats;
  }

  /** The active portfolios of this process. */
  states(): Iterable<PortfolioState> {
    return this.#turns.states();
  }

  /** The portfolio as this process has it in memory. */
  peek(portfolio: PortfolioId): PortfolioState | undefined {
    return this.#turns.peek(portfolio);
  }

  /** True while a turn of the portfolio is decided or written. */
  isRunning(portfolio: PortfolioId): boolean {
    return this.#turns.isRunning(portfolio);
  }

  /** Everything that this process received for the portfolio before the returned instant is in the ledger. */
  durableTo(portfolio: PortfolioId): Instant {
    return this.#turns.durableTo(portfolio);
  }

  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return this.#turns.run(portfolio, command);
  }

  /** Like {@link run}, for a command that may be refused. */
  ask(portfolio: PortfolioId, command: PortfolioCommand): Promise<Answered> {
    return this.#turns.ask(portfolio, command);
  }

  /** The stored history, whichever process runs the portfolio; `undefined` if it does not exist. */
  history(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    return this.#turns.history(portfolio);
  }

  /** The portfolio as stored, whichever process runs it; `undefined` if it does not exist. */
  async stored(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const history = await this.#turns.history(portfolio);
    return history && fold(portfolio, history.events);
  }

  /** Does whatever is due for the portfolio. */
  async advance(portfolio: PortfolioId): Promise<void> {
    const state = await this.run(portfolio, { kind: 'advance', now: this.#options.clock.now() });
    if (state === undefined || isTerminal(state.status)) return;
    for (const component of this.#components) await component.advanced?.(state);
  }

  /** Makes the portfolio's next turn start from the stored state instead of the one in memory. */
  refresh(portfolio: PortfolioId): void {
    this.#turns.refresh(portfolio);
  }

  /** Reloads the portfolio from the ledger, whatever this process has in memory, and advances it. */
  reloadAndAdvance(portfolio: PortfolioId): Promise<void> {
    this.#turns.refresh(portfolio);
    return this.advance(portfolio);
  }

  /** Adds a portfolio that this process has just stored. */
  adopt(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    this.#turns.adopt(state);
    this.#options.observer.turnCommitted({ portfolio: state.id, events, state, commitMs: 0 });
    for (const component of this.#components) component.created?.(state, events);
    this.#decided(state);
  }

  #decided(state: PortfolioState): void {
    for (const component of this.#components) component.decided?.(state);
  }

  #broken(portfolio: PortfolioId, error: unknown): void {
    const { observer, onBroken } = this.#options;
    observer.failed({ where: 'invariant', error, portfolio });
    onBroken(error);
  }
}
