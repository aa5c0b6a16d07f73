// One writer per portfolio: commands queue up, and all queued ones are decided together and committed as one turn.
// Intents are performed only after the ledger has confirmed it. If another process changes the portfolio first, the
// turn is decided again on the state it wrote.

import type { DecisionInputs } from '../../core/portfolio/aggregate/decision-inputs.ts';
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../../core/portfolio/aggregate/replay.ts';
import { decide } from '../../core/portfolio/decide.ts';
import { departedLabels, needsHistory } from '../../core/portfolio/history-needed.ts';
import { armedNow } from '../../core/portfolio/next-wake.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { StoredPortfolio, Turn } from '../../ports/ledger.ts';
import type { StateChange } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Resting, RestingPortfolios } from '../resting/resting-portfolios.ts';
import type { CommittedTurn, TurnsOptions } from './committed-turn.ts';
import type { EngineStats } from './engine-stats.ts';
import { activeOf, StateChanges } from './state-changes.ts';
import { type StoredState, type TurnFate, TurnLedger } from './turn-ledger.ts';
import { deferrableMs, turnRecord } from './turn-record.ts';
import { TurnWindow, urgencyOf } from './turn-window.ts';
import { type Answered, CROWDED, isCrowded, requestsIn, type Waiting } from './waiting-requests.ts';

interface Seat {
  state?: PortfolioState | undefined;
  /** Another process may have changed the portfolio: reload the stored state. */
  isStale: boolean;
  readonly waiting: Waiting[];
  running: boolean;
  /** While a turn runs: everything received before this instant is durable. */
  durableTo?: Instant | undefined;
}

type Departed = DecisionInputs['departed'];

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
  readonly #changes: StateChanges;
  readonly #window: TurnWindow;
  #stopped = false;
  /** What is owned and not in memory. */
  readonly resting = new RestingPortfolios();
  /** Turns being decided or committed. */
  readonly inFlight = new InFlight();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#ledger = new TurnLedger(options);
    this.#window = new TurnWindow(options);
    this.#changes = new StateChanges(options.observer);
  }

  /**
   * Runs the command in the portfolio's next turn. Resolves with the state after it became durable, or with
   * `undefined` if the portfolio does not exist or the engine has stopped.
   */
  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return new Promise((done) => this.#line(portfolio, { command, done }));
  }

  /**
   * Like {@link run}, for a client's request, which may be refused. It is refused at once while too many wait; a
   * first cancel always has a place.
   */
  request(portfolio: PortfolioId, command: PortfolioCommand): Promise<Answered> {
    if (isCrowded(this.#seats.get(portfolio)?.waiting ?? [], command)) {
      return Promise.resolve(CROWDED);
    }
    return new Promise((answer) => {
      const done = (state: PortfolioState | undefined): void =>
        answer({ state, rejections: one.rejections ?? [] });
      const one: Waiting = { command, done, isRequest: true };
      this.#line(portfolio, one);
    });
  }

  #line(portfolio: PortfolioId, one: Waiting): void {
    if (this.#stopped) return one.done(undefined);
    const seat = this.#seats.get(portfolio) ?? newSeat();
    this.#seats.set(portfolio, seat);
    seat.waiting.push(one);
    if (!seat.running) void this.#drain(portfolio, seat);
    else this.#window.hasten(seat, urgencyOf([one]));
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

  /** The portfolio as stored, whichever process runs it; `undefined` if it does not exist. */
  async stored(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    return (await this.#ledger.state(portfolio))?.state;
  }

  /** Its complete stored history, whichever process runs it; `undefined` if it does not exist. */
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

  /** True while a turn of the portfolio is decided or written. */
  isRunning(portfolio: PortfolioId): boolean {
    return this.#seats.get(portfolio)?.running ?? false;
  }

  /** The portfolios in memory that have not ended. */
  *states(): IterableIterator<PortfolioState> {
    for (const { state } of this.#seats.values()) {
      const active = activeOf(state);
      if (active !== undefined) yield active;
    }
  }

  /** Reports {@link states} to the listener, and from then on how each turn changed them. */
  follow(listener: (change: StateChange) => void): () => void {
    for (const after of this.states()) listener({ after });
    for (const resting of this.resting.values()) listener({ resting });
    return this.#changes.add(listener);
  }

  /** Adds a portfolio that this process has just created. */
  adopt(state: PortfolioState): void {
    if (this.#seats.has(state.id)) return;
    this.#seats.set(state.id, newSeat(state));
    this.#changes.report(undefined, state);
  }

  /** Keeps of the portfolio only this; false if a turn of it runs or is going to. */
  rest(one: Resting): boolean {
    const seat = this.#seats.get(one.portfolio);
    if (seat !== undefined && (seat.running || seat.state?.version !== one.version)) return false;
    this.#seats.delete(one.portfolio);
    const woken = this.resting.add(one);
    this.#changes.rests({ before: activeOf(seat?.state), resting: one, woken });
    return true;
  }

  /** Runs no more commands; queued ones resolve without a state. */
  stop(): void {
    this.#stopped = true;
    this.#ledger.stop();
    for (const seat of this.#seats.values()) {
      for (const { done } of seat.waiting.splice(0)) done(undefined);
    }
  }

  get stats(): Pick<
    EngineStats,
    'portfolios' | 'open' | 'retired' | 'resting' | 'commands' | 'requests'
  > {
    let [open, commands, requests] = [0, 0, 0];
    for (const seat of this.#seats.values()) {
      if (seat.running || !isOver(seat.state)) open += 1;
      const asked = requestsIn(seat.waiting).length;
      requests += asked;
      commands += seat.waiting.length - asked;
    }
    const [{ size: retired }, { size: resting }] = [this.#retired, this.resting];
    return { portfolios: this.#seats.size, open, retired, resting, commands, requests };
  }

  async #drain(portfolio: PortfolioId, seat: Seat): Promise<void> {
    const { clock } = this.#options;
    seat.running = true;
    seat.durableTo = clock.now();
    this.inFlight.enter();
    // What arrives in one piece, such as a trade and the end of its order, is one turn.
    await Promise.resolve();
    while (seat.waiting.length > 0) {
      const entered = this.#window.enter(seat, urgencyOf(seat.waiting));
      const place = entered instanceof Promise ? await entered : entered;
      const begunAt = clock.now();
      const { state: before } = seat;
      const batch = seat.waiting.splice(0);
      const state = await this.#turn(portfolio, seat, batch).catch((error: unknown) => {
        this.#options.onBroken(portfolio, error);
        return undefined;
      });
      this.#window.leave(place);
      const woken = seat.state && this.resting.take(portfolio);
      this.#changes.report(before, seat.state, woken);
      for (const { done } of batch) done(state);
      seat.durableTo = begunAt;
    }
    seat.running = false;
    if (seat.state === undefined) this.#seats.delete(portfolio);
    else if (!this.#isOwned(seat.state)) this.#release(portfolio);
    else if (isOver(seat.state)) this.#retire(portfolio);
    this.inFlight.leave();
  }

  /** True while a turn runs of a portfolio in memory that another process owns by now. */
  get isBusyWithForeign(): boolean {
    for (const { state, running } of this.#seats.values()) {
      if (running && state !== undefined && !this.#isOwned(state)) return true;
    }
    return false;
  }

  /** Lets go of every portfolio that another process owns by now, unless a turn of it runs: then after that. */
  releaseForeign(owns: (shard: number) => boolean): void {
    for (const { portfolio, shard } of [...this.resting.values()]) {
      if (owns(shard)) continue;
      this.#changes.rests({ woken: this.resting.take(portfolio) });
      this.#options.onReleased(portfolio);
    }
    for (const [portfolio, { state, running }] of this.#seats) {
      if (!running && state !== undefined && !this.#isOwned(state)) this.#release(portfolio);
    }
  }

  #isOwned(state: PortfolioState): boolean {
    return this.#options.isOwned(state);
  }

  #release(portfolio: PortfolioId): void {
    this.#changes.report(this.#seats.get(portfolio)?.state, undefined);
    this.#seats.delete(portfolio);
    this.#retired.delete(portfolio);
    this.#options.onReleased(portfolio);
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
    const commands = batch.map(({ command }) => command);
    for (let races = 0; !this.#stopped; races += 1) {
      if (races >= RACES_MAX) await this.#ledger.rest();
      if (seat.isStale) seat.state = undefined;
      seat.isStale = false;
      const isAtHand = seat.state !== undefined && !needsHistory(seat.state, commands);
      const departed = isAtHand ? undefined : await this.#read(portfolio, seat, commands);
      if (seat.state === undefined) return undefined;
      const decided = this.#decideAll(seat.state, batch, departed);
      const { stored } = decided;
      this.#options.promises.decided(decided);
      const fate = stored === undefined ? 'committed' : await this.#commit(decided, stored);
      if (fate === 'committed') {
        this.#accept(seat, decided, batch);
        return seat.state;
      }
      this.#options.promises.undone(decided);
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

  /** Loads the stored state if it is not at hand. Returns the children that the commands name and that have left it. */
  async #read(
    portfolio: PortfolioId,
    seat: Seat,
    commands: readonly PortfolioCommand[],
  ): Promise<Departed | undefined> {
    const loaded = seat.state === undefined ? await this.#load(portfolio) : undefined;
    seat.state ??= loaded?.state;
    if (seat.state === undefined || !needsHistory(seat.state, commands)) return undefined;
    const replay = loaded?.replay ?? (await this.#replay(portfolio));
    seat.state = replay?.state;
    return seat.state && replay?.childrenOf(departedLabels(seat.state, commands));
  }

  async #load(portfolio: PortfolioId): Promise<StoredState | undefined> {
    const loaded = await this.#ledger.state(portfolio);
    const learning = loaded && this.#options.onLoaded(loaded.state);
    if (learning !== undefined) await learning;
    return loaded;
  }

  async #replay(portfolio: PortfolioId): Promise<Replay | undefined> {
    const stored = await this.#ledger.load(portfolio);
    return stored && new Replay(portfolio, stored.events);
  }

  #decideAll(
    before: PortfolioState,
    batch: readonly Waiting[],
    departed: Departed | undefined,
  ): CommittedTurn {
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
    let inputs: DecisionInputs = { ...inputsOf(before, now), departed };
    let at = now;
    for (const one of batch) {
      if (one.command.kind === 'advance') at = armedNow(state, at, settings, one.command.sliceAt);
      const decision = decided(state, asOf(one.command, at), inputs);
      one.rejections = decision.rejections;
      if (decision.isDeferred) onDeferred(decision.state);
      state = decision.state;
      inputs = decision.inputs;
      events.push(...decision.events);
      intents.push(...decision.intents);
    }
    const commands = batch.map(({ command }) => command);
    const mayWaitMs = deferrableMs(commands, { intents, now });
    const lease = this.#options.leaseOf(before);
    const isRequested = batch.some((one) => one.isRequest === true);
    const parts = {
      before,
      state,
      events,
      settings,
      venue: venueOf(state),
      mayWaitMs,
      isRequested,
      lease,
    };
    const stored = events.length === 0 ? undefined : turnRecord(parts);
    return { before, state, events, intents, stored };
  }

  async #commit({ state, events }: CommittedTurn, stored: Turn): Promise<TurnFate> {
    const { clock, observer } = this.#options;
    const from = clock.monotonicMs();
    const fate = await this.#ledger.commit(stored);
    const commitMs = clock.monotonicMs() - from;
    if (fate !== 'lost')
      observer.observe({ event: 'turn_committed', portfolio: state.id, events, state, commitMs });
    return fate;
  }
}

const asOf = (command: PortfolioCommand, now: Instant): PortfolioCommand =>
  command.now < now ? { ...command, now } : command;

/** True if nothing more can happen to it, as far as is known. */
const isOver = (state: PortfolioState | undefined): boolean =>
  state === undefined || (isTerminal(state.status) && state.children.size === 0);
