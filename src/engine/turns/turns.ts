// One writer per portfolio: commands wait in line, and all that wait are decided together and
// committed as one turn. Intents leave only after the ledger's word. Another process may move the
// same portfolio first; then the turn is decided again on what that process wrote.

import type { HoldLookup, Screen } from '../../core/portfolio/aggregate/draft.ts';
import { fold } from '../../core/portfolio/aggregate/evolve.ts';
import type { FreezeLookup } from '../../core/portfolio/aggregate/freeze-lookup.ts';
import type {
  PortfolioCommand,
  QuoteLookup,
} from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { decide } from '../../core/portfolio/decide.ts';
import { armedNow } from '../../core/portfolio/next-wake.ts';
import type { Rejection } from '../../core/rejection.ts';
import type { TradingState } from '../../core/risk/trading-switch.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, StoredPortfolio, Turn } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { EngineStats } from './engine-stats.ts';
import { type TurnFate, TurnLedger } from './turn-ledger.ts';
import { isDeferrable, turnRecord } from './turn-record.ts';

/** A turn that is durable. */
export interface CommittedTurn {
  readonly before: PortfolioState;
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly intents: readonly Intent[];
  /** What the ledger keeps of it; absent when nothing happened. */
  readonly stored: Turn | undefined;
}

export interface TurnsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Settings;
  /** Quotes of the venue that the portfolio's account trades on. */
  readonly quotesOf: (state: PortfolioState) => QuoteLookup;
  /** What of the portfolio may be frozen; absent: nothing of any. */
  readonly freezesOf?: ((state: PortfolioState) => FreezeLookup | undefined) | undefined;
  readonly venueOf: (state: PortfolioState) => VenueName;
  /** Portfolios that are over and stay in memory at most; absent: 200. */
  readonly retiredMax?: number | undefined;
  /** What the trading switches over it allow; absent: everything. */
  readonly tradingOf?: ((state: PortfolioState) => TradingState | undefined) | undefined;
  /** What the gate would say to a child of it; absent: nothing. */
  readonly screenOf?: ((state: PortfolioState) => Screen | undefined) | undefined;
  /** What has to wait since the start; absent: nothing. */
  readonly holdOver?: ((state: PortfolioState) => HoldLookup | undefined) | undefined;
  /** Called once per durable turn, in order per portfolio. */
  readonly onCommitted: (turn: CommittedTurn) => void;
  /** Called after a look at the clock without events too: what to wait for may have changed. */
  readonly onDecided: (state: PortfolioState) => void;
  /** A broken invariant, or any other mistake of ours: the portfolio is left as it is and the daemon must stop. */
  readonly onBroken: (portfolio: PortfolioId, error: unknown) => void;
}

interface Waiting {
  readonly command: PortfolioCommand;
  readonly done: (state: PortfolioState | undefined) => void;
  /** Why the last decision refused it. */
  rejections?: readonly Rejection[];
}

/** What became of a command that may be refused; no state when there is no such portfolio or no engine any more. */
export interface Answered {
  readonly state: PortfolioState | undefined;
  readonly rejections: readonly Rejection[];
}

interface Seat {
  state?: PortfolioState | undefined;
  /** Another process may have moved the portfolio: what is stored counts. */
  isStale: boolean;
  readonly waiting: Waiting[];
  running: boolean;
  /** While it runs: whatever had come in before then is durable. */
  durableTo?: Instant | undefined;
}

/** Races lost in a row after which a turn rests before it tries again. */
const RACES_MAX = 5;

const newSeat = (state?: PortfolioState): Seat => ({
  state,
  isStale: false,
  waiting: [],
  running: false,
});

/** Late notices of what was over longer ago have to be read up. */
const RETIRED_MAX = 200;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #ledger: TurnLedger;
  readonly #seats = new Map<PortfolioId, Seat>();
  /** Portfolios in memory that are over, the one that ended first in front. */
  readonly #retired = new Set<PortfolioId>();
  #stopped = false;
  #running = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#ledger = new TurnLedger(options);
  }

  /**
   * Runs the command in the portfolio's next turn. Resolves with the state after it became durable,
   * or `undefined` when there is no such portfolio or the engine has stopped.
   */
  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return new Promise((done) => this.#line(portfolio, { command, done }));
  }

  /** As {@link run}, for a command that may be refused. */
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

  /** The state in memory, as fresh as this process knows it. */
  peek(portfolio: PortfolioId): PortfolioState | undefined {
    return this.#seats.get(portfolio)?.state;
  }

  /** The next turn begins with what is stored, whatever this process remembers. */
  refresh(portfolio: PortfolioId): void {
    const seat = this.#seats.get(portfolio);
    if (seat !== undefined) seat.isStale = true;
  }

  /** Everything that is stored of a portfolio. */
  history(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    return this.#ledger.load(portfolio);
  }

  /**
   * Whatever had come in for the portfolio before then is durable or was decided to be nothing. It stands still while
   * a commit is under way, and so for as long as the ledger does not write.
   */
  durableTo(portfolio: PortfolioId): Instant {
    const seat = this.#seats.get(portfolio);
    const now = this.#options.clock.now();
    return seat?.running === true ? (seat.durableTo ?? now) : now;
  }

  isRunning(portfolio: PortfolioId): boolean {
    return this.#seats.get(portfolio)?.running ?? false;
  }

  /** Portfolios in memory that are not over. */
  *states(): IterableIterator<PortfolioState> {
    for (const { state } of this.#seats.values()) {
      if (state !== undefined && !isTerminal(state.status)) yield state;
    }
  }

  /** Takes in a portfolio this process has just created. */
  adopt(state: PortfolioState): void {
    if (!this.#seats.has(state.id)) this.#seats.set(state.id, newSeat(state));
  }

  /** Commands that come from now on are not run; those that wait are let go. */
  stop(): void {
    this.#stopped = true;
    this.#ledger.stop();
    for (const seat of this.#seats.values()) {
      for (const { done } of seat.waiting.splice(0)) done(undefined);
    }
  }

  /** True while a turn is being decided or committed. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  get held(): Pick<EngineStats, 'portfolios' | 'open' | 'retired' | 'commands'> {
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
    this.#running += 1;
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
    this.#running -= 1;
    if (seat.state === undefined) this.#seats.delete(portfolio);
    else if (isOver(seat.state)) this.#retire(portfolio);
  }

  /** What is over is remembered a while: late notices of it need not be read up in the ledger. */
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
    const { clock, settings, quotesOf, freezesOf, tradingOf, screenOf, holdOver, venueOf } =
      this.#options;
    // A command may have waited for a slow ledger; what it makes possible is decided as of now.
    const now = clock.now();
    const context = {
      ...{ settings, quotes: quotesOf(before), isFrozen: freezesOf?.(before) },
      trading: tradingOf?.(before),
      screen: screenOf?.(before),
      isHeld: holdOver?.(before),
    };
    const events: PortfolioEvent[] = [];
    const intents: Intent[] = [];
    let state = before;
    let at = now;
    for (const one of batch) {
      if (one.command.kind === 'advance') at = armedNow(state, at, settings);
      const decision = decide(state, asOf(one.command, at), context);
      one.rejections = decision.rejections;
      state = decision.state;
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

/** Nothing can happen to it any more, as far as is known. */
const isOver = (state: PortfolioState | undefined): boolean =>
  state === undefined || (isTerminal(state.status) && state.children.size === 0);
