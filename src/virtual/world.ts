// The production engine on the paper exchange in virtual time. Events run one at a time; all work started by an
// event completes before the next. Market events that no listener received need no waiting.
import { openPaperVenue } from '../adapters/paper/open-paper-venue.ts';
import type { PaperAccount } from '../adapters/paper/paper-account.ts';
import type { DrawnLatency, Latency } from '../adapters/paper/request-line.ts';
import type { SubmitLimits } from '../core/portfolio/admission/submit-limits.ts';
import { isTerminal } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { ControlLimits } from '../core/risk/gate/control-limits.ts';
import type { PortfolioForm } from '../core/terms/form.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { Actor } from '../core/terms/spec.ts';
import { EngineOperations } from '../engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../engine/assemble-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Outcome, Submitted } from '../engine/interface/operations.ts';
import { type EngineGate, unlimitedGate, WatchedGate } from '../engine/risk/watch-gate.ts';
import type { ExchangeOptions } from '../exchange/exchange.ts';
import type { MarketSource } from '../exchange/market/market-source.ts';
import { SPEED_BUMPS } from '../exchange/model/instruments/contract-rules.ts';
import { drainAndStop } from '../lifetime/lifetime.ts';
import type { Clock } from '../ports/clock.ts';
import type { CostRecord } from '../ports/costs/cost-record.ts';
import type { Observer } from '../ports/observer.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';
import type { PortfolioId } from '../values/ids.ts';
import { venueName } from '../values/ids.ts';
import { DAY_MS, earliest, HOUR_MS, type Instant, later } from '../values/instant.ts';
import { MemoryEventBus } from './memory/memory-event-bus.ts';
import { MemoryLedger } from './memory/memory-ledger.ts';
import { type Settle, VirtualClock } from './virtual-clock.ts';
import { VirtualQueue } from './virtual-queue.ts';

export interface WorldOptions {
  readonly startAt: Instant;
  readonly market: MarketSource;
  readonly accounts: readonly PaperAccount[];
  readonly settings: Settings;
  readonly limits: SubmitLimits;
  /** Limits of the controls at the gate, as on a daemon; absent: nothing is limited there. */
  readonly controls?: ControlLimits | undefined;
  /** The time from a request to the exchange's reply. */
  readonly latencyMs: Latency;
  /** How long the exchange can be queried for closed orders and trades. Default: that of the paper exchange. */
  readonly retention?: ExchangeOptions['retention'];
  /** Where the market is recorded for reports on costs; absent: nowhere. */
  readonly costRecord?: CostRecord | undefined;
  /** Waits until all started work has completed; one turn of the event loop is enough. */
  readonly settle: Settle;
  /** Called before each event; a returned promise is awaited. */
  readonly beforeEach?: (() => Promise<void> | undefined) | undefined;
}

/** Name of its only venue. */
export const WORLD_VENUE = venueName('recorded');

/**
 * Rarely, and far ahead: the queue of virtual time loses no wake-up and its venue no notice, and whatever happens
 * interrupts a market that passes over its rows.
 */
const SWEEP_MS = HOUR_MS;
const COMPARE_MS = HOUR_MS;
const WAKES_AHEAD_MS = 7 * DAY_MS;

/** More than the engine waits for a first quote. */
const SUBMIT_MS = 10_000;
/** Work that needs no time is over after a few. */
const IDLE_TURNS_MAX = 10_000;

export class World {
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
  readonly engine: Engine;
  readonly operations: EngineOperations;
  readonly #venue: Venue;
  readonly #observer: WorldObserver = worldObserver();
  readonly #options: WorldOptions;
  /** Time does not pass beyond this before the caller decides something. */
  #until: Instant;
  /** Requests take no time before. */
  #isStarted = false;
  /** True while the latest event was the venue's own and no listener was notified of it. */
  #isUnheard = false;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#until = options.startAt;
    const clock = new VirtualClock(options.startAt);
    const ledger = new MemoryLedger({ now: () => clock.now() });
    const venue = this.#openVenue(clock);
    const fail = (where: string) => (error: unknown) =>
      this.#observer.observe({ event: 'failed', where, error });
    const venues = directoryOf(venue, options);
    this.clock = clock;
    this.ledger = ledger;
    this.#venue = venue;
    const { engine, submission } = assembleEngine({
      ...ALONE,
      clock,
      ledger,
      queue: new VirtualQueue(clock, { onFault: fail('queue') }),
      bus: new MemoryEventBus(fail('bus')),
      venues,
      gate: this.#gate(clock, venues),
      observer: this.#observer,
      settings: options.settings,
      limits: () => options.limits,
      sweepMs: SWEEP_MS,
      compareMs: COMPARE_MS,
      wakesAheadMs: WAKES_AHEAD_MS,
      costRecord: options.costRecord,
      onBroken: fail('invariant'),
    });
    this.engine = engine;
    this.operations = new EngineOperations({ engine, submission, ledger, clock });
  }

  /** Takes no time: the accounts that the gate reads answer at once. */
  async start(): Promise<void> {
    await this.#during(this.engine.start(), this.#options.startAt);
    this.#isStarted = true;
  }

  /** Takes as long as the engine waits for a first quote, where a limit needs one. */
  submit(form: PortfolioForm, by: Actor): Promise<Outcome<Submitted>> {
    const until = later(this.clock.now(), SUBMIT_MS);
    return this.#during(this.operations.submit(form, by), until);
  }

  get venue(): Venue {
    return this.#venue;
  }

  /** True while a portfolio is active. */
  get isAtWork(): boolean {
    return this.#observer.atWork.size > 0;
  }

  /** Lets time pass until `until`, or until no portfolio is active. Throws the first failure. */
  run(until: Instant): Promise<void> {
    return this.#pass(until, () => this.isAtWork);
  }

  /** Lets time pass until `until`, whether a portfolio is active or not. Throws the first failure. */
  runOn(until: Instant): Promise<void> {
    return this.#pass(until, () => true);
  }

  async close(): Promise<void> {
    await drainAndStop(this.engine, { clock: this.clock, graceMs: 0 });
    await this.#venue.close();
  }

  /** Lets time pass while the engine is at work, at most until `until`. */
  async #during<T>(work: Promise<T>, until: Instant): Promise<T> {
    const { settle, beforeEach } = this.#options;
    this.#until = until;
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    for (let idle = 0; idle < IDLE_TURNS_MAX; idle += 1) {
      await settle();
      if (isOver) return await over;
      await beforeEach?.();
      if (this.clock.runNext(until)) idle = 0;
      this.#observer.check();
    }
    throw new Error('the engine waits for something that virtual time does not bring');
  }

  async #pass(until: Instant, isWanted: () => boolean): Promise<void> {
    const { settle, beforeEach } = this.#options;
    this.#until = until;
    await settle();
    for (;;) {
      const before = beforeEach?.();
      if (before !== undefined) await before;
      this.#isUnheard = false;
      if (!isWanted() || !this.clock.runNext(until)) break;
      if (this.#isUnheard && !this.engine.isBusy) continue;
      await settle();
      this.#observer.check();
    }
    this.#observer.check();
  }

  #gate(clock: Clock, venues: VenueDirectory): EngineGate {
    const { controls } = this.#options;
    const observer = this.#observer;
    if (controls === undefined) return unlimitedGate({ clock, observer });
    const { ownership, connections } = ALONE;
    const limits = (): ControlLimits => controls;
    return new WatchedGate({ clock, venues, observer, ownership, connections, limits });
  }

  #latency(): Latency {
    const { controls, latencyMs } = this.#options;
    if (controls === undefined) return latencyMs;
    const { arrival, answer } = drawn(latencyMs);
    return {
      arrival: (sentAt) => (this.#isStarted ? arrival(sentAt) : sentAt),
      answer: (sentAt) => (this.#isStarted ? answer(sentAt) : sentAt),
    };
  }

  #openVenue(clock: Clock): Venue {
    const { accounts, market, retention } = this.#options;
    const venue = openPaperVenue({
      name: WORLD_VENUE,
      clock: this.#noting(clock),
      accounts,
      market: () => market,
      latencyMs: this.#latency(),
      rules: { speedBumpMs: SPEED_BUMPS.ms },
      ...(retention !== undefined && { retention }),
      quietUntil: () => {
        const next = this.clock.nextDueAt();
        const beyond = later(this.#until, 1);
        return next === undefined ? beyond : earliest(next, beyond);
      },
      quotesWithout: new Set(accounts.map(({ account }) => account)),
      onFault: (error) => this.#observer.observe({ event: 'failed', where: 'venue', error }),
    });
    venue.subscribe(() => {
      this.#isUnheard = false;
    });
    return venue;
  }

  /** The clock as passed to the venue: its calls count as unheard until a notice is published. */
  #noting(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      at: (dueAt, then) =>
        clock.at(dueAt, () => {
          this.#isUnheard = true;
          then();
        }),
    };
  }
}

function directoryOf(venue: Venue, { accounts }: WorldOptions): VenueDirectory {
  const names = accounts.map(({ account }) => account);
  return {
    forAccount: (account) => (names.includes(account) ? venue : undefined),
    all: () => [venue],
    accounts: () => names,
  };
}

/** A fixed latency as a function, half of it each way. */
function drawn(latency: Latency): DrawnLatency {
  if (typeof latency !== 'number') return latency;
  const halfMs = Math.floor(latency / 2);
  return {
    arrival: (sentAt) => later(sentAt, halfMs),
    answer: (sentAt) => later(sentAt, latency - halfMs),
  };
}

/**
 * An Observer for virtual time: tracks which portfolios are still active, and keeps the first failure, because
 * there must be none in a world without faults.
 */
interface WorldObserver extends Observer {
  readonly atWork: ReadonlySet<PortfolioId>;
  /** Throws the first failure, if any. */
  readonly check: () => void;
}

function worldObserver(): WorldObserver {
  const atWork = new Set<PortfolioId>();
  let first: { readonly where: string; readonly error: unknown } | undefined;
  return {
    atWork,
    check: () => {
      if (first === undefined) return;
      throw new Error(`${first.where} failed in virtual time`, { cause: first.error });
    },
    observe: (seen) => {
      if (seen.event === 'turn_committed') {
        if (isTerminal(seen.state.status)) atWork.delete(seen.portfolio);
        else atWork.add(seen.portfolio);
      } else if (seen.event === 'failed') first ??= seen;
    },
  };
}
