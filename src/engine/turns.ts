// One writer per portfolio: commands wait in line, and all that wait are decided together and
// committed as one turn. Intents leave only after the ledger's word. Another process may move the
// same portfolio first; then the turn is decided again on what that process wrote.
import type { PortfolioCommand, QuoteLookup } from '../core/portfolio/command.ts';
import { decide } from '../core/portfolio/decide.ts';
import type { PortfolioEvent } from '../core/portfolio/event.ts';
import { fold } from '../core/portfolio/evolve.ts';
import type { Intent } from '../core/portfolio/intent.ts';
import type { Settings } from '../core/portfolio/settings.ts';
import { isTerminal, type PortfolioState } from '../core/portfolio/state.ts';
import type { Clock } from '../ports/clock.ts';
import { type Ledger, LedgerFailure } from '../ports/ledger.ts';
import type { Observer } from '../ports/observer.ts';
import { assert, InvariantBroken } from '../values/assert.ts';
import type { PortfolioId, VenueName } from '../values/ids.ts';
import { later } from '../values/instant.ts';
import { turnRecord } from './turn-record.ts';

/** A turn that is durable. */
export interface CommittedTurn {
  readonly before: PortfolioState;
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
  readonly intents: readonly Intent[];
}

export interface TurnsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly settings: Settings;
  /** Quotes of the venue that the portfolio's account trades on. */
  readonly quotesOf: (state: PortfolioState) => QuoteLookup;
  readonly venueOf: (state: PortfolioState) => VenueName;
  /** Called once per durable turn, in order per portfolio. */
  readonly onCommitted: (turn: CommittedTurn) => void;
  /** Called after a look at the clock without events too: what to wait for may have changed. */
  readonly onDecided: (state: PortfolioState) => void;
  /** A broken invariant: the portfolio is left as it is and the daemon must stop. */
  readonly onBroken: (portfolio: PortfolioId, error: unknown) => void;
}

interface Waiting {
  readonly command: PortfolioCommand;
  readonly done: (state: PortfolioState | undefined) => void;
}

interface Seat {
  state?: PortfolioState | undefined;
  readonly waiting: Waiting[];
  running: boolean;
}

const CONFLICTS_MAX = 20;
/** Rest between tries while the ledger is out of reach. */
const LEDGER_RETRY_MS = 500;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #seats = new Map<PortfolioId, Seat>();
  #stopped = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs the command in the portfolio's next turn. Resolves with the state after it became durable,
   * or `undefined` when there is no such portfolio or the engine has stopped.
   */
  run(portfolio: PortfolioId, command: PortfolioCommand): Promise<PortfolioState | undefined> {
    return new Promise((done) => {
      if (this.#stopped) return done(undefined);
      const seat = this.#seats.get(portfolio) ?? { waiting: [], running: false };
      this.#seats.set(portfolio, seat);
      seat.waiting.push({ command, done });
      if (!seat.running) void this.#drain(portfolio, seat);
    });
  }

  /** The state in memory, as fresh as this process knows it. */
  peek(portfolio: PortfolioId): PortfolioState | undefined {
    return this.#seats.get(portfolio)?.state;
  }

  /** Portfolios in memory that are not over. */
  *states(): IterableIterator<PortfolioState> {
    for (const { state } of this.#seats.values()) {
      if (state !== undefined && !isTerminal(state.status)) yield state;
    }
  }

  /** Takes in a portfolio this process has just created. */
  adopt(state: PortfolioState): void {
    if (!this.#seats.has(state.id)) {
      this.#seats.set(state.id, { state, waiting: [], running: false });
    }
  }

  /** Commands that come from now on are not run; those that wait are let go. */
  stop(): void {
    this.#stopped = true;
    for (const seat of this.#seats.values()) {
      for (const { done } of seat.waiting.splice(0)) done(undefined);
    }
  }

  /** True while a turn is being decided or committed. */
  get isBusy(): boolean {
    return [...this.#seats.values()].some((seat) => seat.running);
  }

  async #drain(portfolio: PortfolioId, seat: Seat): Promise<void> {
    seat.running = true;
    try {
      while (seat.waiting.length > 0) {
        const batch = seat.waiting.splice(0);
        const state = await this.#turn(portfolio, seat, batch);
        for (const { done } of batch) done(state);
      }
    } finally {
      seat.running = false;
      const isOver = seat.state === undefined || isTerminal(seat.state.status);
      if (isOver && seat.waiting.length === 0) this.#seats.delete(portfolio);
    }
  }

  async #turn(
    portfolio: PortfolioId,
    seat: Seat,
    batch: readonly Waiting[],
  ): Promise<PortfolioState | undefined> {
    for (let conflicts = 0; !this.#stopped; conflicts += 1) {
      assert(conflicts <= CONFLICTS_MAX, `turn of ${portfolio} lost ${conflicts} races in a row`);
      seat.state ??= await this.#load(portfolio);
      if (seat.state === undefined) return undefined;
      const decided = this.#decideAll(seat.state, batch);
      if (decided === undefined) return seat.state;
      if (decided.events.length === 0 || (await this.#commit(decided))) {
        this.#accept(seat, decided, batch);
        return seat.state;
      }
      seat.state = undefined;
    }
    return undefined;
  }

  #accept(seat: Seat, turn: CommittedTurn, batch: readonly Waiting[]): void {
    const isChanged = turn.events.length > 0;
    seat.state = turn.state;
    if (isChanged || turn.intents.length > 0) this.#options.onCommitted(turn);
    const isLook = batch.some(({ command }) => command.kind === 'advance');
    if (isChanged || isLook) this.#options.onDecided(turn.state);
  }

  #decideAll(before: PortfolioState, batch: readonly Waiting[]): CommittedTurn | undefined {
    const { settings, quotesOf, onBroken } = this.#options;
    const context = { settings, quotes: quotesOf(before) };
    const events: PortfolioEvent[] = [];
    const intents: Intent[] = [];
    let state = before;
    try {
      for (const { command } of batch) {
        const decision = decide(state, command, context);
        state = decision.state;
        events.push(...decision.events);
        intents.push(...decision.intents);
      }
    } catch (error) {
      if (!(error instanceof InvariantBroken)) throw error;
      onBroken(before.id, error);
      return undefined;
    }
    return { before, state, events, intents };
  }

  async #load(portfolio: PortfolioId): Promise<PortfolioState | undefined> {
    const stored = await this.#withLedger(portfolio, () => this.#options.ledger.load(portfolio));
    return stored && fold(portfolio, stored.events);
  }

  /** True when committed; false when another process was faster. */
  async #commit(turn: CommittedTurn): Promise<boolean> {
    const { ledger, clock, observer, settings, venueOf } = this.#options;
    const { before, state, events } = turn;
    const record = turnRecord({ before, state, events, settings, venue: venueOf(state) });
    const from = clock.monotonicMs();
    const outcome = await this.#withLedger(state.id, () => ledger.commit([record]));
    if (outcome === undefined) return false;
    if (outcome.kind !== 'committed') {
      observer.turnConflicted(state.id);
      return false;
    }
    const commitMs = clock.monotonicMs() - from;
    observer.turnCommitted({ portfolio: state.id, events, state, commitMs });
    return true;
  }

  /** Tries again while the ledger is away: nothing is sent meanwhile, and nothing is lost. */
  async #withLedger<T>(portfolio: PortfolioId, act: () => Promise<T>): Promise<T | undefined> {
    const { clock, observer } = this.#options;
    while (!this.#stopped) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof LedgerFailure)) throw error;
        observer.failed({ where: 'ledger', error, portfolio });
        // Whether a commit took effect is found out by deciding again on what is stored.
        if (error.maybe) return undefined;
        await new Promise<void>((done) => clock.at(later(clock.now(), LEDGER_RETRY_MS), done));
      }
    }
    return undefined;
  }
}
