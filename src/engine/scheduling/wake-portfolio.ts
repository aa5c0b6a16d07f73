// Schedules when a portfolio is re-evaluated. Its next slice is noted in the index of what is due, which requests
// wake-ups from the queue (`due-wakes.ts`); anything earlier (following prices, overdue replies) uses timers of this
// process. The ledger keeps the schedule: what all of them miss is delayed until the next overdue search.

import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { armedSlices, nextArmAt, nextDueAt, nextWakeAt } from '../../core/portfolio/next-wake.ts';
import type { DueEntry } from '../../core/schedule/due-index.ts';
import { DueMinutes } from '../../core/schedule/due-minutes.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { DueSlice, JobQueue, Wake } from '../../ports/job-queue.ts';
import type { Nudges } from '../../ports/nudges.ts';
import type { Observer } from '../../ports/observer.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { type PortfolioId, portfolioId } from '../../values/ids.ts';
import { earliest, type Instant, instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { OverloadWatch } from '../overload/overload-watch.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { DueWakes } from './due-wakes.ts';

/**
 * Passes wake-ups to the owner of the shard, which holds them until their instants; rejects if it may not have done so:
 * then each is passed on at its instant.
 */
export type PassWakes = (shard: number, wakes: readonly Wake[]) => Promise<unknown>;

/** For a process without others alongside it: no owner is reached. */
export const NO_OWNER_REACHED: PassWakes = () => Promise.reject(new Error('there is no other'));

export interface WakeOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly observer: Observer;
  readonly settings: Settings;
  readonly engine: Pick<Engine, 'advance'> & {
    readonly turns: Pick<Engine['turns'], 'refresh' | 'peek'>;
    readonly homes: Pick<Engine['homes'], 'homeOf'>;
  };
  readonly ownership: Pick<Ownership, 'shards' | 'owns' | 'onLoss'>;
  /** Told how late each planned wake-up was decided. */
  readonly overload: Pick<OverloadWatch, 'wakeDecided'>;
  readonly passWakes: PassWakes;
  /** Passes wake-ups to the other processes at their instants. */
  readonly nudges: Nudges;
  /** How long before it is due a wake-up is requested from the queue; there is a default. */
  readonly wakesAheadMs?: number | undefined;
}

const TOPIC = 'wake';

const wakeText = ({ portfolio, dueAt }: Wake): string => `${portfolio} ${dueAt}`;

/** `undefined` if another version of the program writes it in another way. */
function parseWake(text: string): Pick<Wake, 'portfolio' | 'dueAt'> | undefined {
  const [id, due] = /^(\d{1,18}) (\d{1,15})$/.exec(text)?.slice(1) ?? [];
  if (id === undefined || due === undefined) return undefined;
  return { portfolio: portfolioId(id), dueAt: instant(Number(due)) };
}

interface Alarm {
  /** The instant noted in the index of what is due. */
  queuedFor?: Instant | undefined;
  /** That wake-up has come, so if it was too early the timer must wake. */
  isUnqueued: boolean;
  /** Something is due that could not be done yet. */
  isOverdue: boolean;
  timerAt?: Instant | undefined;
  stopTimer?: StopTimer | undefined;
}

const newAlarm = (): Alarm => ({ isUnqueued: false, isOverdue: false });

export class Wakes implements EngineComponent {
  readonly #options: WakeOptions;
  readonly #alarms = new Map<PortfolioId, Alarm>();
  /** Those with a wake-up requested from the queue, by its instant, and the others. */
  readonly #queued = new DueMinutes<PortfolioId, Alarm>();
  readonly #timersOnly = new Set<PortfolioId>();
  /** What is due of all portfolios that this process owns. */
  readonly due: DueWakes;
  #stopListening = (): void => undefined;

  constructor(options: WakeOptions) {
    this.#options = options;
    this.due = new DueWakes({
      ...options,
      slicesOf: (entry) => this.#slicesOf(entry),
      onDue: (portfolio) => this.#due(portfolio),
    });
    options.ownership.onLoss((shards) => {
      for (const shard of shards) this.due.removeShard(shard);
    });
  }

  /** Starts to accept wake-ups from the queue. */
  start(): Promise<void> {
    const { queue, engine, nudges, ownership } = this.#options;
    this.#stopListening = nudges.onNudge(TOPIC, (text) => this.#passed(text));
    const onWake = (wake: Wake): Promise<void> => {
      if (this.#isOfAnother(wake)) {
        nudges.nudge(TOPIC, wakeText(wake));
        return Promise.resolve();
      }
      if (!this.received(wake).isOwn) {
        // The owner knows what is due: this was done, or moved to another instant.
        if (ownership.shards() !== undefined) return Promise.resolve();
        // A stale state may find nothing due, and where nothing is committed no conflict reveals that it is stale.
        engine.turns.refresh(wake.portfolio);
      }
      return engine.advance(wake.portfolio, wake.slices?.[0]?.dueAt);
    };
    return queue.start(onWake, (wakes) => this.#passOn(wakes));
  }

  /** Holds wake-ups that another process took from the queue. */
  hold(wakes: readonly Wake[]): void {
    for (const wake of wakes) this.#options.queue.hold(wake);
  }

  /** To an owner that does not answer, or is of an earlier version, each wake-up is passed on at its instant instead. */
  async #passOn(wakes: readonly Wake[]): Promise<boolean> {
    const { passWakes } = this.#options;
    const [first] = wakes;
    if (first === undefined || !this.#isOfAnother(first)) return false;
    try {
      await passWakes(first.shard, wakes);
      return true;
    } catch (error) {
      // That the owner is away is seen where its shards are taken over.
      if (isProgrammingError(error))
        this.#options.observer.observe({ event: 'failed', where: 'wakes', error });
      return false;
    }
  }

  drain(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  released(portfolio: PortfolioId): void {
    this.drop(portfolio);
  }

  /** The queue gives a wake-up to any process, also to one that does not own the portfolio. */
  #isOfAnother({ shard }: Wake): boolean {
    const { ownership } = this.#options;
    return ownership.shards() !== undefined && !ownership.owns(shard);
  }

  /** Another process received a wake-up of a portfolio that this one owns. */
  #passed(text: string): void {
    const wake = parseWake(text);
    if (wake === undefined || !this.received(wake).isOwn) return;
    void this.#options.engine.advance(wake.portfolio);
  }

  /** Sets the alarms that the state requires, or removes them if it requires none. */
  decided(state: PortfolioState): void {
    const { clock, settings } = this.#options;
    const due = nextDueAt(state, settings);
    if (due === undefined) return this.drop(state.id);
    const alarm = this.#alarms.get(state.id) ?? this.#add(state.id);
    const planned = nextArmAt(state, settings);
    // The index has lost it if the shard was given up and taken again before the alarm was dropped.
    const isMissing = planned !== undefined && !alarm.isUnqueued && !this.due.has(state.id);
    if (alarm.queuedFor !== planned) this.#decidedLate(alarm);
    if (alarm.queuedFor !== planned || isMissing) {
      this.#queueFor(state.id, alarm, planned);
      alarm.isUnqueued = false;
      if (planned === undefined) this.due.remove(state.id);
      else {
        const shard = this.#options.engine.homes.homeOf(state);
        const { leg, slice } = armedSlices(state)[0] ?? {};
        this.due.put({ portfolio: state.id, shard, dueAt: planned, leg, slice });
      }
    }
    const now = clock.now();
    alarm.isOverdue = due <= now;
    const look = nextWakeAt(state, { now, due, settings });
    const wake = planned !== undefined && planned > now ? earliest(planned, look) : look;
    const isQueued = planned !== undefined && planned <= wake && !alarm.isUnqueued;
    this.#arm(state.id, alarm, isQueued ? undefined : wake);
  }

  /**
   * Handles a wake-up of the queue. If it came early, the queue sends no other, so what is still due needs a timer.
   * `isOwn`: the portfolio is due then, as far as this process knows; otherwise it was moved, here or elsewhere.
   */
  received(wake: Pick<Wake, 'portfolio' | 'dueAt'>): { readonly isOwn: boolean } {
    const isDue = this.due.received(wake);
    const alarm = this.#alarms.get(wake.portfolio);
    const isWaitedFor = alarm?.queuedFor === wake.dueAt;
    if (alarm !== undefined && isWaitedFor) alarm.isUnqueued = true;
    return { isOwn: isDue || isWaitedFor };
  }

  /** True while this process will re-evaluate overdue work by a timer. */
  isTended(portfolio: PortfolioId): boolean {
    const alarm = this.#alarms.get(portfolio);
    return alarm?.timerAt !== undefined && alarm.isOverdue;
  }

  /** Whether the portfolio waits for anything. */
  has(portfolio: PortfolioId): boolean {
    return this.#alarms.has(portfolio);
  }

  /**
   * The portfolios that no wake-up of the queue after `before` concerns and no timer of this process either: what they
   * waited for may have gone to another process.
   */
  *passedBy(before: Instant): IterableIterator<PortfolioId> {
    yield* this.#timersOnly;
    for (const [portfolio, { queuedFor, timerAt }] of this.#queued.begun(before)) {
      if (timerAt === undefined && queuedFor !== undefined && queuedFor < before) yield portfolio;
    }
  }

  /** The number of portfolios with an alarm. */
  get count(): number {
    return this.#alarms.size;
  }

  drop(portfolio: PortfolioId): void {
    const alarm = this.#alarms.get(portfolio);
    if (alarm === undefined) return;
    alarm.stopTimer?.();
    this.#queueFor(portfolio, alarm, undefined);
    this.#timersOnly.delete(portfolio);
    this.#alarms.delete(portfolio);
    this.due.remove(portfolio);
  }

  stop(): void {
    this.#stopListening();
    this.due.stop();
    for (const portfolio of [...this.#alarms.keys()]) this.drop(portfolio);
  }

  #add(portfolio: PortfolioId): Alarm {
    const alarm = newAlarm();
    this.#alarms.set(portfolio, alarm);
    this.#timersOnly.add(portfolio);
    return alarm;
  }

  #queueFor(portfolio: PortfolioId, alarm: Alarm, at: Instant | undefined): void {
    if (alarm.queuedFor !== undefined) this.#queued.remove(alarm.queuedFor, portfolio);
    alarm.queuedFor = at;
    if (at === undefined) {
      this.#timersOnly.add(portfolio);
      return;
    }
    this.#timersOnly.delete(portfolio);
    this.#queued.add(at, portfolio, alarm);
  }

  /** What the alarm was set for is done. */
  #decidedLate({ queuedFor }: Alarm): void {
    const { clock, settings, overload } = this.#options;
    const lateMs = queuedFor === undefined ? 0 : clock.now() - queuedFor - settings.armMs;
    if (lateMs > 0) overload.wakeDecided(lateMs);
  }

  /** The queue did not wake the portfolio, and will not. */
  #due(portfolio: PortfolioId): void {
    const alarm = this.#alarms.get(portfolio);
    if (alarm !== undefined) alarm.isUnqueued = true;
    void this.#options.engine.advance(portfolio);
  }

  #slicesOf({ portfolio, dueAt, leg, slice }: DueEntry): readonly DueSlice[] {
    const { engine, settings } = this.#options;
    const state = engine.turns.peek(portfolio);
    if (state !== undefined) return armedSlices(state);
    if (leg === undefined || slice === undefined) return [];
    return [{ leg, slice, dueAt: later(dueAt, settings.armMs) }];
  }

  #arm(portfolio: PortfolioId, alarm: Alarm, at: Instant | undefined): void {
    if (alarm.timerAt === at) return;
    alarm.stopTimer?.();
    alarm.timerAt = at;
    alarm.stopTimer = undefined;
    if (at === undefined) return;
    const due = (): void => {
      alarm.timerAt = undefined;
      alarm.stopTimer = undefined;
      void this.#options.engine.advance(portfolio);
    };
    alarm.stopTimer = this.#options.clock.at(at, due, 'exact');
  }
}
