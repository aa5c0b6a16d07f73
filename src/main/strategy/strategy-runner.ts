// Submits strategies when they are due. Exactly once per due instant across restarts and crashes: the submit
// carries an idempotency key of name and instant, and a cursor in the ledger records how far the past is
// decided. Strategies do not wait for each other: each has its own sequence of checks.
import type { Actor } from '../../core/terms/spec.ts';
import type { Operations, Outcome, Submitted } from '../../engine/interface/operations.ts';
import type { StrategySwitch } from '../../engine/interface/strategies-api.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { type Ledger, LedgerFailure } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import { type Instant, instant, isoText, later } from '../../values/instant.ts';
import { faultText } from '../fault.ts';
import { firingKey, type Strategy, startKey } from './strategy.ts';
import { nextDue } from './strategy-schedule.ts';
import type { StrategySet } from './strategy-set.ts';
import { isOn, readStrategySwitch } from './strategy-switches.ts';

export interface StrategyRunnerOptions {
  readonly operations: Pick<Operations, 'submit' | 'page'>;
  readonly ledger: Pick<Ledger, 'getMetadata' | 'setMetadata' | 'findByKey'>;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Counts the starts of the daemon; part of the key of strategies that run at each start. */
  readonly start: number;
}

/** Every strategy is checked at least this often, so that a clock step is noticed. */
const LOOK_AGAIN_MS = 60_000;
/** Between two tries: at first short, so that a strategy without grace has some while its due instant is on time. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 5_000;
const BY: Actor = { uid: 'strategy', nickname: 'strategy' };
const STILL_ACTIVE = ['active', 'cancelling'] as const;

interface Firing {
  readonly dueAt: Instant;
  readonly key: string;
}

type Created = Pick<Submitted, 'portfolio' | 'created'>;

/** What a strategy owes, and the instant up to which it is decided. */
interface Owed extends Due {
  readonly cursor: Instant;
}

const cursorMark = (name: string): string => `strategy-cursor:${name}`;

export class StrategyRunner implements Lifetime {
  readonly #parts: StrategyRunnerOptions;
  readonly #timers = new Map<string, StopTimer>();
  readonly #startFired = new Set<string>();
  /** Failures in a row. */
  readonly #failures = new Map<string, number>();
  /** Keys of submits with an unknown outcome. */
  readonly #unanswered = new Set<string>();
  /** The latest check of each strategy; never rejects. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #checks = new InFlight();
  #inForce: ReadonlyMap<string, Strategy> = new Map();
  #isStopped = false;

  constructor(parts: StrategyRunnerOptions) {
    this.#parts = parts;
  }

  /** Follows these strategies from now on. A start strategy fires the first time it is seen enabled. */
  async follow(set: StrategySet): Promise<void> {
    this.#inForce = set.inForce;
    this.#stopTimers();
    for (const strategy of set.inForce.values()) this.#enqueue(strategy.name);
    await this.#checks.idle();
  }

  /** Checks a strategy now, because it was switched. */
  recheck(name: string): void {
    if (!this.#isStopped) this.#enqueue(name);
  }

  /** Does nothing: strategies are run once there are some to follow. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Fires nothing more; waits for submits in flight. */
  drain(): Promise<void> {
    this.stop();
    return this.#checks.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimers();
  }

  #stopTimers(): void {
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
  }

  #enqueue(name: string): void {
    const before = this.#turns.get(name) ?? Promise.resolve();
    const turn = before
      .then(() => this.#evaluate(name))
      .finally(() => {
        if (this.#turns.get(name) === turn) this.#turns.delete(name);
      });
    this.#turns.set(name, turn);
    void this.#checks.track(turn);
  }

  async #evaluate(name: string): Promise<void> {
    const strategy = this.#inForce.get(name);
    if (this.#isStopped || strategy?.schedule === undefined) return;
    try {
      const set = await readStrategySwitch(this.#parts.ledger, name);
      if (!isOn(strategy, set)) {
        // Another daemon of the deployment may switch it on.
        this.#checkAt(name, later(this.#parts.clock.now(), LOOK_AGAIN_MS));
      } else if (strategy.schedule.kind === 'start') await this.#fireAtStart(strategy);
      else await this.#fireDue({ ...strategy, enabled: true }, set);
      this.#failures.delete(name);
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: `strategy ${name}`, error });
      this.#checkAt(name, later(this.#parts.clock.now(), this.#retryMs(name)));
    }
  }

  #retryMs(name: string): number {
    const failures = this.#failures.get(name) ?? 0;
    this.#failures.set(name, failures + 1);
    return Math.min(RETRY_MIN_MS * 2 ** Math.min(failures, 10), RETRY_MAX_MS);
  }

  /** Not while its last portfolio is active: a restarted daemon continues that one. */
  async #fireAtStart(strategy: Strategy): Promise<void> {
    const { clock, start } = this.#parts;
    if (this.#startFired.has(strategy.name)) return;
    const key = startKey(strategy.name, start);
    if (this.#unanswered.has(key) || !(await this.#isActive(strategy))) {
      await this.#submit(strategy, { dueAt: clock.now(), key });
    }
    this.#startFired.add(strategy.name);
  }

  /** A strategy that was switched owes nothing from before. */
  async #fireDue(strategy: Strategy, set: StrategySwitch | undefined): Promise<void> {
    const { clock, ledger, observer } = this.#parts;
    const now = clock.now();
    const decidedUpTo = await this.#cursor(strategy, now);
    const cursor = instant(Math.max(decidedUpTo, set?.at ?? 0));
    const due = await this.#owed(strategy, cursor, now);
    let decided = due.cursor;
    if (due.missed !== undefined) {
      const why = `was due at ${isoText(due.missed)} and was skipped: more than ${strategy.missedWithinMs / 1_000} s ago, or a later one is due`;
      observer.observe({ event: 'strategy_failed', strategy: strategy.name, why });
      this.#unanswered.delete(firingKey(strategy.name, due.missed));
      decided = due.fire === undefined ? now : later(due.fire, -1);
    }
    const mark = cursorMark(strategy.name);
    // Before the submit, so that a retry of it does not report the skipped instant again.
    if (decided !== cursor) await ledger.setMetadata(mark, String(decided));
    if (due.fire !== undefined) {
      const key = firingKey(strategy.name, due.fire);
      await this.#submit(strategy, { dueAt: due.fire, key });
      await ledger.setMetadata(mark, String(due.fire));
    }
    if (due.next !== undefined) this.#checkAt(strategy.name, due.next);
  }

  /** A missed instant that has its portfolio was not skipped: the answer to its submit, or the cursor, was lost. */
  async #owed(strategy: Strategy, cursor: Instant, now: Instant): Promise<Owed> {
    const due = dueBetween(strategy, cursor, now);
    if (due.missed === undefined) return { ...due, cursor };
    const firing = { dueAt: due.missed, key: firingKey(strategy.name, due.missed) };
    const portfolio = await this.#parts.ledger.findByKey(firing.key);
    if (portfolio === undefined) return { ...due, cursor };
    this.#reportFired(strategy, firing, { portfolio, created: false });
    return this.#owed(strategy, due.missed, now);
  }

  /** A strategy seen for the first time owes nothing from the past, except a single date within the grace. */
  async #cursor(strategy: Strategy, now: Instant): Promise<Instant> {
    const { ledger } = this.#parts;
    const mark = await ledger.getMetadata(cursorMark(strategy.name));
    if (mark !== undefined) return instant(Number(mark));
    const isOnce = strategy.schedule?.kind === 'once';
    const first = isOnce ? later(now, -strategy.missedWithinMs - 1) : now;
    if (!isOnce) await ledger.setMetadata(cursorMark(strategy.name), String(first));
    return first;
  }

  #checkAt(name: string, at: Instant): void {
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    const soonest = Math.min(at, clock.now() + LOOK_AGAIN_MS);
    this.#timers.get(name)?.();
    this.#timers.set(
      name,
      clock.at(instant(soonest), () => this.#enqueue(name)),
    );
  }

  async #submit(strategy: Strategy, firing: Firing): Promise<void> {
    const { observer } = this.#parts;
    const outcome = await this.#submitted(strategy, firing.key);
    if (outcome.kind === 'refused') {
      const faults = outcome.rejections.map((each) =>
        faultText(strategy.faultOf(each.field, each.message)),
      );
      const why = faults.join('; ');
      // Nothing was decided about it, so it is retried until it is too late.
      if (outcome.rejections.every(({ kind }) => kind === 'unavailable')) throw new Error(why);
      observer.observe({ event: 'strategy_failed', strategy: strategy.name, why });
    } else {
      this.#reportFired(strategy, firing, outcome.value);
    }
  }

  /** Only by the process that created the portfolio, perhaps with a submit whose answer was lost. */
  #reportFired({ name }: Strategy, firing: Firing, { portfolio, created }: Created): void {
    const isOwn = this.#unanswered.delete(firing.key) || created;
    if (!isOwn) return;
    this.#parts.observer.observe({
      event: 'strategy_fired',
      strategy: name,
      dueAt: firing.dueAt,
      portfolio,
    });
  }

  async #submitted(strategy: Strategy, key: string): Promise<Outcome<Submitted>> {
    try {
      return await this.#parts.operations.submit(strategy.form, BY, key);
    } catch (error) {
      if (error instanceof LedgerFailure && error.maybe) this.#unanswered.add(key);
      throw error;
    }
  }

  async #isActive(strategy: Strategy): Promise<boolean> {
    const label = strategy.form.strategy;
    if (label === undefined) return false;
    const page = await this.#parts.operations.page({
      strategy: label,
      statuses: STILL_ACTIVE,
      orderBy: 'submittedAt',
      descending: true,
      offset: 0,
      limit: 1,
    });
    return page.total > 0;
  }
}

/** What a strategy owes at a moment. */
interface Due {
  /** The one due instant to fire now. */
  readonly fire?: Instant | undefined;
  /** The first due instant that was missed, if any. */
  readonly missed?: Instant | undefined;
  /** The next due instant. */
  readonly next?: Instant | undefined;
}

/** A due instant found within this delay counts as on time. */
const ON_TIME_MS = 5_000;

/**
 * Pure: everything up to `cursor` has been decided. Of several due instants since then only the latest can fire, and only
 * within the strategy's grace: a trader returning after downtime does not want yesterday's orders on top of today's.
 */
function dueBetween(strategy: Strategy, cursor: Instant, now: Instant): Due {
  const { schedule, missedWithinMs } = strategy;
  if (schedule === undefined || !strategy.enabled) return {};
  const first = nextDue(schedule, cursor);
  if (first === undefined || first > now) return { next: first };
  // Everything before this is too old and is not enumerated.
  const tooOld = later(now, -Math.max(missedWithinMs, ON_TIME_MS) - 1);
  let fire: Instant | undefined;
  let next = first > tooOld ? first : nextDue(schedule, tooOld);
  while (next !== undefined && next <= now) {
    fire = next;
    next = nextDue(schedule, next);
  }
  return { fire, missed: first === fire ? undefined : first, next };
}
