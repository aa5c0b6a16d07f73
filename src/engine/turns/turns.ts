// One writer per portfolio: commands queue up, and all queued ones are decided together and committed as one turn.
// Intents are performed only after the ledger has confirmed it. If another process changes the portfolio first, the
// turn is decided again on the state it wrote.

import type { DecisionInputs } from '../../core/portfolio/aggregate/decision-inputs.ts';
import { fold } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { type Decide, decide } from '../../core/portfolio/decide.ts';
import { armedNow } from '../../core/portfolio/next-wake.ts';
import type { Rejection } from '../../core/rejection.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, StoredPortfolio, Turn } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { InFlight } from '../lifetime/in-flight.ts';
import type { EngineStats } from './engine-stats.ts';
import { type TurnFate, TurnLedger } from './turn-ledger.ts';
import { isDeferrable, turnRecord } from './turn-record.ts';

/** A durable turn. */
export interface CommittedTurn {
  readonly before: PortfolioState;
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly intents: readonly Intent[];
  /** The turn's ledger record; absent if nothing happened. */
  readonly stored: Turn | undefined;
}

export interface TurnsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Settings;
  /** Everything that decisions about the portfolio depend on, as of `now`. */
  readonly inputsOf: (state: PortfolioState, now: Instant) => DecisionInputs;
  /** Default: the decision of the core. */
  readonly decide?: Decide | undefined;
  readonly venueOf: (state: PortfolioState) => VenueName;
  /** The maximum number of ended portfolios in memory; default 200. */
  readonly retiredMax?: number | undefined;
  /** Called when recovery kept a decision from sending something, before the decision is committed. */
  readonly onDeferred: (state: PortfolioState) => void;
  /** Called once per durable turn, in order per portfolio. */
  readonly onCommitted: (turn: CommittedTurn) => void;
  /** Also called after an evaluation without events: the next wake-up may have changed. */
  readonly onDecided: (state: PortfolioState) => void;
  /** Called on a broken invariant or any other bug: the portfolio is left unchanged and the daemon must stop. */
  readonly onBroken: (portfolio: PortfolioId, error: unknown) => void;
}

interface Waiting {
  readonly command: PortfolioCommand;
  readonly done: (state: PortfolioState | undefined) => void;
  /** Why the latest decision refused it. */
  rejections?: readonly Rejection[];
}

/**
 * The outcome of a command that may be refused; no state if the portfolio does not exist or the engine has stopped.
 */
export interface Answered {
  readonly state: PortfolioState | undefined;
  readonly rejections: readonly Rejection[];
}

interface Seat {
  state?: PortfolioState | undefined;
  /** Another process may have changed the portfolio: reload the stored state. */
  isStale: boolean;
  readonly waiting: Waiting[];
  running: boolean;
  /** While a turn runs: everything received before this instant is durable. */
  durableTo?: Instant | undefined;
}

/** The number of consecutive lost races after which a turn waits before it retries. */
const RACES_MAX = 5;

const newSeat = (state?: PortfolioState): Seat => ({
  state,
  isStale: false,
  waiting: [],
  running: false,
});

/** Late notices for portfolios that ended before the latest 200 require a read of the ledger. */
const RETIRED_MAX = 200;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #ledger: TurnLedger;
  readonly #seats = new Map<PortfolioId, Seat>();
  /** The ended portfolios in memory, the earliest first. */
  readonly #retired = new Set<PortfolioId>();
  #stopped = false;
  /** Turns being decided or committed. */
  readonly inFlight = new InFlight();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#ledger = new TurnLedger(options);
  }

  /**
   * Runs the command in the portfolio's next turn. Resolves with the state after it became durable, or with
   * `undefined` if the portfolio does not exist or the engine has stopped.
   */
  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return new Promise((done) => this.#line(portfolio, { command, done }));
  }

  /** Like {@link run}, for a command that may be refused. */
  ask(portfolio: PortfolioId, command: PortfolioCommand): Promise<Answered> {
    return new Promise((answer) => {
      const done = (state: PortfolioState | undefined): void =>
        answer({ state, rejections: one.rejections ?? [] });
      const one: Waiting = { command, done };
      this.#line(portfolio, one);
    });
  }

  #line(portfolio: PortfolioId, one: Waiting): void {
    if (this.#stopped) return one.done(undefined);
    const seat = this.#seats.get(portfolio) ?? newSeat();
    this.#seats.set(portfolio, seat);
    seat.waiting.push(one);
    if (!seat.running) void this.#drain(portfolio, seat);
  }

  /** The state in memory, as recent as this process knows it. */
  peek(portfolio: PortfolioId): PortfolioState | undefined {
    return this.#seats.get(portfolio)?.state;
  }

  /** Makes the next turn start from the stored state instead of the one in memory. */
  refresh(portfolio: PortfolioId): void {
    const seat = this.#seats.get(portfolio);
    if (seat !== undefined) seat.isStale = true;
  }

  /** The complete stored history of a portfolio. */
  history(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    return this.#ledger.load(portfolio);
  }

  /**
   * Everything that this process received for the portfolio before the returned instant is durable or had no
   * effect. The instant does not advance during a commit, and so for as long as the ledger does not write.
   */
  durableTo(portfolio: PortfolioId): Instant {
    const seat = this.#seats.get(portfolio);
    const now = this.#options.clock.now();
    return seat?.running === true ? (seat.durableTo ?? now) : now;
  }

  isRunning(portfolio: PortfolioId): boolean {
    return this.#seats.get(portfolio)?.running ?? false;
  }

  /** The portfolios in memory that have not ended. */
  *states(): IterableIterator<PortfolioState> {
    for (const { state } of this.#seats.values()) {
      if (state !== undefined && !isTerminal(state.status)) yield state;
    }
  }

  /** Adds a portfolio that this process has just created. */
  adopt(state: PortfolioState): void {
    if (!this.#seats.has(state.id)) this.#seats.set(state.id, newSeat(state));
  }

  /** Runs no more commands; queued ones resolve without a state. */
  stop(): void {
    this.#stopped = true;
    this.#ledger.stop();
    for (const seat of this.#seats.values()) {
      for (const { done } of seat.waiting.splice(0)) done(undefined);
    }
  }

  get stats(): Pick<EngineStats, 'portfolios' | 'open' | 'retired' | 'commands'> {
    let [open, commands] = [0, 0];
    for (const seat of this.#seats.values()) {
      if (seat.running || !isOver(seat.state)) open += 1;
      commands += seat.waiting.length;
    }
    return { portfolios: this.#seats.size, open, retired: this.#retired.size, commands };
  }

  async #drain(portfolio: PortfolioId, seat: Seat): Promise<void> {
    const { clock } = this.#options;
    seat.running = true;
    seat.durableTo = clock.now();
    this.inFlight.enter();
    while (seat.waiting.length > 0) {
      const begunAt = clock.now();
      const batch = seat.waiting.splice(0);
      const state = await this.#turn(portfolio, seat, batch).catch((error: unknown) => {
        this.#options.onBroken(portfolio, error);
        return undefined;
      });
      for (const { done } of batch) done(state);
      seat.durableTo = begunAt;
    }
    seat.running = false;
    if (seat.state === undefined) this.#seats.delete(portfolio);
    else if (isOver(seat.state)) this.#retire(portfolio);
    this.inFlight.leave();
  }

  /** Keeps an ended portfolio in memory for a while, so that late notices need no read of the ledger. */
  #retire(portfolio: PortfolioId): void {
    const { retiredMax = RETIRED_MAX } = this.#options;
    this.#retired.delete(portfolio);
    this.#retired.add(portfolio);
    for (const oldest of this.#retired) {
      if (this.#retired.size <= retiredMax) return;
      this.#retired.delete(oldest);
      if (!this.isRunning(oldest)) this.#seats.delete(oldest);
    }
  }

  async #turn(
    portfolio: PortfolioId,
    seat: Seat,
    batch: readonly Waiting[],
  ): Promise<PortfolioState | undefined> {
    for (let races = 0; !this.#stopped; races += 1) {
      if (races >= RACES_MAX) await this.#ledger.rest();
      if (seat.isStale) seat.state = undefined;
      seat.isStale = false;
      seat.state ??= await this.#load(portfolio);
      if (seat.state === undefined) return undefined;
      const decided = this.#decideAll(seat.state, batch);
      const { stored } = decided;
      const fate = stored === undefined ? 'committed' : await this.#commit(decided, stored);
      if (fate === 'committed') {
        this.#accept(seat, decided, batch);
        return seat.state;
      }
      seat.state = undefined;
      if (fate === 'found') this.#options.onCommitted({ ...decided, intents: [] });
    }
    return undefined;
  }

  #accept(seat: Seat, turn: CommittedTurn, batch: readonly Waiting[]): void {
    const isChanged = turn.events.length > 0;
    seat.state = turn.state;
    if (isChanged || turn.intents.length > 0) this.#options.onCommitted(turn);
    const isLook = batch.some(({ command }) => command.kind === 'advance');
    // Another process may have ended it: then nothing is awaited here any more.
    if (isChanged || isLook || isOver(turn.state)) this.#options.onDecided(turn.state);
  }

  #decideAll(before: PortfolioState, batch: readonly Waiting[]): CommittedTurn {
    const {
      clock,
      settings,
      inputsOf,
      onDeferred,
      venueOf,
      decide: decided = decide,
    } = this.#options;
    // A command may have waited for a slow ledger; its consequences are decided as of now.
    const now = clock.now();
    const events: PortfolioEvent[] = [];
    const intents: Intent[] = [];
    let state = before;
    let inputs = inputsOf(before, now);
    let at = now;
    for (const one of batch) {
      if (one.command.kind === 'advance') at = armedNow(state, at, settings);
      const decision = decided(state, asOf(one.command, at), inputs);
      one.rejections = decision.rejections;
      if (decision.isDeferred) onDeferred(decision.state);
      state = decision.state;
      inputs = decision.inputs;
      events.push(...decision.events);
      intents.push(...decision.intents);
    }
    const commands = batch.map(({ command }) => command);
    const mayWait = isDeferrable(commands, { intents, now });
    const parts = { before, state, events, settings, venue: venueOf(state), mayWait };
    const stored = events.length === 0 ? undefined : turnRecord(parts);
    return { before, state, events, intents, stored };
  }

  async #load(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const stored = await this.#ledger.load(portfolio);
    return stored && fold(portfolio, stored.events);
  }

  async #commit({ state, events }: CommittedTurn, stored: Turn): Promise<TurnFate> {
    const { clock, observer } = this.#options;
    const from = clock.monotonicMs();
    const fate = await this.#ledger.commit(stored);
    const commitMs = clock.monotonicMs() - from;
    if (fate !== 'lost') observer.turnCommitted({ portfolio: state.id, events, state, commitMs });
    return fate;
  }
}

const asOf = (command: PortfolioCommand, now: Instant): PortfolioCommand =>
  command.now < now ? { ...command, now } : command;

/** True if nothing more can happen to it, as far as is known. */
const isOver = (state: PortfolioState | undefined): boolean =>
  state === undefined || (isTerminal(state.status) && state.children.size === 0);
