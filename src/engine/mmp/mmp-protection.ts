// The protection of one account and kind. Notices are decided immediately in memory, so that a trip acts before
// anything slow; the ledger follows a moment later. If another process was faster, its state is loaded and
// everything not durable yet is decided again.
import { decideMmp } from '../../core/mmp/decide-mmp.ts';
import type { MmpCommand } from '../../core/mmp/mmp-command.ts';
import type { MmpFault } from '../../core/mmp/mmp-config.ts';
import type { MmpEvent } from '../../core/mmp/mmp-event.ts';
import { mmpFromRecord, mmpToRecord } from '../../core/mmp/mmp-record.ts';
import { EMPTY_MMP, type MmpState } from '../../core/mmp/mmp-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MmpOf, MmpRecords, MmpTurn } from '../../ports/mmp-records.ts';
import type { Observer } from '../../ports/observer.ts';
import { instant, later } from '../../values/instant.ts';

export interface ProtectionOptions {
  readonly records: MmpRecords;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Called when the state in force in this process has changed. */
  readonly onAhead: (of: MmpOf, before: MmpState, after: MmpState) => void;
  /**
   * Called when the durable state has changed: with the `events` of this process, or with none if another process
   * changed it.
   */
  readonly onDurable: (
    of: MmpOf,
    change: {
      readonly before: MmpState;
      readonly after: MmpState;
      readonly events: readonly MmpEvent[];
    },
  ) => void;
}

/** The outcome of a request with a waiting caller. */
export type MmpOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly fault: MmpFault }
  /** The ledger did not reply: the request may or may not have been applied. */
  | { readonly kind: 'unanswered'; readonly why: string };

interface Waiting {
  readonly command: MmpCommand;
  /** Set if a caller waits for the outcome; such a command takes effect only once durable. */
  readonly done?: (asked: MmpOutcome) => void;
}

interface Decided {
  readonly state: MmpState;
  readonly events: readonly MmpEvent[];
  readonly answers: readonly (() => void)[];
}

const RETRY_MS = 500;
const RECENT_MAX = 20_000;

export class MmpProtection {
  readonly of: MmpOf;
  readonly #parts: ProtectionOptions;
  #durable: MmpState;
  #ahead: MmpState;
  readonly #waiting: Waiting[] = [];
  /** Trades that need not be counted again. */
  readonly #recent = new RecentIds(RECENT_MAX);
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(of: MmpOf, parts: ProtectionOptions) {
    this.of = of;
    this.#parts = parts;
    this.#durable = EMPTY_MMP;
    this.#ahead = EMPTY_MMP;
  }

  /** The state in force, including decisions that are still being written to the ledger. */
  get state(): MmpState {
    return this.#ahead;
  }

  /** The latest version known to be durable. */
  get version(): number {
    return this.#durable.version;
  }

  /** Decides before it returns; durable soon after. A trade counted before is skipped. */
  notify(command: MmpCommand): void {
    if (command.kind === 'count' && this.#recent.has(command.tradeId)) return;
    const decision = decideMmp(this.of.kind, this.#ahead, command);
    if (decision.events.length === 0 && this.#waiting.length === 0) return;
    if (command.kind === 'count') this.#recent.add(command.tradeId);
    this.#waiting.push({ command });
    this.#goAhead(decision.state);
    this.#start();
  }

  /** Decides on the durable state; in force once durable. */
  request(command: MmpCommand): Promise<MmpOutcome> {
    if (this.#stopped) return Promise.resolve(STOPPING);
    return new Promise((done) => {
      this.#waiting.push({ command, done });
      this.#start();
    });
  }

  /** Loads the state from the ledger; afterwards it is known which of `trades` have been counted. */
  async reload(trades: readonly string[] = []): Promise<void> {
    await this.settled();
    this.#running = this.#load(trades);
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
      if (this.#waiting.length > 0) this.#start();
    }
  }

  /** Resolves when nothing is being written to the ledger. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  stop(): void {
    this.#stopped = true;
    for (const { done } of this.#waiting.splice(0)) done?.(STOPPING);
  }

  #start(): void {
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
      if (this.#waiting.length > 0) this.#start();
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopped) {
      try {
        await this.#turn(this.#waiting.length);
      } catch (error) {
        this.#parts.observer.observe({ event: 'failed', where: 'mmp.ledger', error });
        this.#giveUpAsked(error);
        await this.#rest();
        await this.#loadAgain();
      }
    }
  }

  /** Decides the first `size` pending commands and writes them. */
  async #turn(size: number): Promise<void> {
    const before = this.#durable;
    const batch = this.#waiting.slice(0, size);
    const decided = this.#decideAll(batch);
    if (decided.events.length === 0) return this.#accept(decided, size);
    const fate = await this.#parts.records.commit(this.#turnRecord(batch, decided));
    if (this.#stopped) return;
    if (fate.kind === 'committed') {
      this.#accept(decided, size);
      const { events, state } = decided;
      return this.#parts.onDurable(this.of, { before, after: state, events });
    }
    if (fate.kind === 'counted') this.#forget(fate.trades);
    await this.#load();
  }

  #decideAll(batch: readonly Waiting[]): Decided {
    let state = this.#durable;
    const events: MmpEvent[] = [];
    const answers: (() => void)[] = [];
    for (const { command, done } of batch) {
      const decision = decideMmp(this.of.kind, state, command);
      state = decision.state;
      events.push(...decision.events);
      const { fault } = decision;
      if (done !== undefined) answers.push(() => done(fault ? { kind: 'refused', fault } : DONE));
    }
    return { state, events, answers };
  }

  #turnRecord(batch: readonly Waiting[], { state, events }: Decided): MmpTurn {
    const counted = new Map(
      events.flatMap((event) =>
        event.kind === 'counted' || event.kind === 'exceeded'
          ? [[event.tradeId, instant(event.tradedAt)] as const]
          : [],
      ),
    );
    const trades = Array.from(counted, ([tradeId, at]) => ({ tradeId, at }));
    const now = batch.at(-1)?.command.now ?? this.#parts.clock.now();
    const fromVersion = this.#durable.version;
    return { ...this.of, fromVersion, events, trades, now, state: mmpToRecord(state) };
  }

  #accept({ state, answers }: Decided, size: number): void {
    this.#waiting.splice(0, size);
    this.#durable = state;
    this.#applyPending();
    for (const answer of answers) answer();
  }

  /** Drops trades counted by another process. */
  #forget(counted: readonly string[]): void {
    if (counted.length === 0) return;
    const trades = new Set(counted);
    const rest = this.#waiting.filter(
      ({ command }) => command.kind !== 'count' || !trades.has(command.tradeId),
    );
    this.#waiting.splice(0, this.#waiting.length, ...rest);
  }

  async #load(trades: readonly string[] = []): Promise<void> {
    const told = this.#waiting.flatMap(({ command }) =>
      command.kind === 'count' ? [command.tradeId] : [],
    );
    const stored = await this.#parts.records.load(this.of, [...told, ...trades]);
    const before = this.#durable;
    const counted = stored?.counted ?? [];
    for (const trade of counted) this.#recent.add(trade);
    this.#forget(counted);
    const after = stored === undefined ? EMPTY_MMP : mmpFromRecord(stored.state);
    this.#durable = after;
    this.#applyPending();
    if (after.version !== before.version) {
      this.#parts.onDurable(this.of, { before, after, events: [] });
    }
  }

  /** Applies pending notices on top of the durable state; requests with a waiting caller do not count yet. */
  #applyPending(): void {
    const told = this.#waiting.filter(({ done }) => done === undefined);
    this.#goAhead(
      told.reduce(
        (state, { command }) => decideMmp(this.of.kind, state, command).state,
        this.#durable,
      ),
    );
  }

  #goAhead(after: MmpState): void {
    const before = this.#ahead;
    this.#ahead = after;
    if (before !== after) this.#parts.onAhead(this.of, before, after);
  }

  /** Replies to waiting callers that the outcome is unknown; notices are retried. */
  #giveUpAsked(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const told = this.#waiting.filter(({ done }) => done === undefined);
    const asked = this.#waiting.splice(0, this.#waiting.length, ...told);
    for (const { done } of asked) done?.({ kind: 'unanswered', why });
  }

  async #loadAgain(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: 'mmp.ledger', error });
    }
  }

  #rest(): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      clock.at(later(clock.now(), RETRY_MS), resolve);
    });
  }
}

const DONE: MmpOutcome = { kind: 'done' };
const STOPPING: MmpOutcome = { kind: 'unanswered', why: 'the daemon is stopping' };

/** Remembers recent ids, so that a duplicate is processed only once; beyond the maximum the oldest is dropped. */
class RecentIds {
  readonly #max: number;
  readonly #names = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
    if (this.#names.size <= this.#max) return;
    const [oldest] = this.#names;
    if (oldest !== undefined) this.#names.delete(oldest);
  }
}
