// Schedules when a portfolio is re-evaluated. The next slice goes to the queue, so that any process can be woken;
// anything earlier (following prices, overdue replies) uses timers of this process. The ledger keeps the schedule:
// a lost wake-up is delayed until the next overdue search.

import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { nextArmAt, nextDueAt, nextWakeAt } from '../../core/portfolio/next-wake.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { JobQueue, Wake } from '../../ports/job-queue.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { earliest, type Instant } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import { WakeRequests } from './request-wakes.ts';

export interface WakeOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly observer: Observer;
  readonly settings: Settings;
  readonly engine: Pick<Engine, 'advance' | 'refresh'>;
}

interface Alarm {
  /** The instant requested from the queue. */
  queuedFor?: Instant | undefined;
  /** The queue will not deliver this wake-up (any more), so the timer must. */
  isUnqueued: boolean;
  /** The queue refused the latest request. */
  isRefused: boolean;
  /** Something is due that could not be done yet. */
  isOverdue: boolean;
  timerAt?: Instant | undefined;
  stopTimer?: StopTimer | undefined;
}

const newAlarm = (): Alarm => ({ isUnqueued: false, isRefused: false, isOverdue: false });

export class Wakes implements EngineComponent {
  readonly #options: WakeOptions;
  readonly #alarms = new Map<PortfolioId, Alarm>();
  readonly #requests: WakeRequests;

  constructor(options: WakeOptions) {
    this.#options = options;
    this.#requests = new WakeRequests({
      ...options,
      isWanted: ({ portfolio, dueAt }) => this.#alarms.get(portfolio)?.queuedFor === dueAt,
      onScheduled: (wake) => this.#answered(wake, { isRefused: false }),
      onRefused: (wake) => this.#answered(wake, { isRefused: true }),
    });
  }

  /** Starts to accept wake-ups from the queue. */
  start(): Promise<void> {
    const { queue, engine } = this.#options;
    return queue.start((wake) => {
      // A stale state may find nothing due, and where nothing is committed no conflict reveals that it is stale.
      if (!this.received(wake).isOwn) engine.refresh(wake.portfolio);
      return engine.advance(wake.portfolio);
    });
  }

  drain(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  /** Sets the alarms that the state requires, or removes them if it requires none. */
  decided(state: PortfolioState): void {
    const { clock, settings } = this.#options;
    const due = nextDueAt(state, settings);
    if (due === undefined) return this.drop(state.id);
    const alarm = this.#alarms.get(state.id) ?? newAlarm();
    this.#alarms.set(state.id, alarm);
    const planned = nextArmAt(state, settings);
    if (alarm.queuedFor !== planned) {
      alarm.queuedFor = planned;
      alarm.isUnqueued = false;
      alarm.isRefused = false;
      if (planned !== undefined) this.#requests.ask({ portfolio: state.id, dueAt: planned });
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
   * `isOwn`: this process requested it; otherwise another one did, which may have moved the portfolio since.
   */
  received({ portfolio, dueAt }: Wake): { readonly isOwn: boolean } {
    const alarm = this.#alarms.get(portfolio);
    const isOwn = alarm?.queuedFor === dueAt;
    if (alarm !== undefined && isOwn) alarm.isUnqueued = true;
    return { isOwn };
  }

  /** True while this process will re-evaluate overdue work by a timer. */
  isTended(portfolio: PortfolioId): boolean {
    const alarm = this.#alarms.get(portfolio);
    return alarm?.timerAt !== undefined && alarm.isOverdue;
  }

  /** True if another process may handle the portfolio: its wake-up was due before `before`, or none is requested. */
  isPassedBy(portfolio: PortfolioId, before: Instant): boolean {
    const { queuedFor, timerAt } = this.#alarms.get(portfolio) ?? newAlarm();
    return queuedFor === undefined || (timerAt === undefined && queuedFor < before);
  }

  /** The number of portfolios with an alarm. */
  get count(): number {
    return this.#alarms.size;
  }

  drop(portfolio: PortfolioId): void {
    this.#alarms.get(portfolio)?.stopTimer?.();
    this.#alarms.delete(portfolio);
  }

  /** Requests wake-ups again: all of them after the queue has lost its jobs, or only those it refused. */
  rearm(what: 'all' | 'refused'): void {
    const wakes: Wake[] = [];
    for (const [portfolio, { queuedFor, isRefused }] of this.#alarms) {
      if (queuedFor === undefined) continue;
      if (what === 'all' || isRefused) wakes.push({ portfolio, dueAt: queuedFor });
    }
    this.#requests.askAll(wakes);
  }

  stop(): void {
    this.#requests.stop();
    for (const portfolio of [...this.#alarms.keys()]) this.drop(portfolio);
  }

  #answered({ portfolio, dueAt }: Wake, { isRefused }: Pick<Alarm, 'isRefused'>): void {
    const alarm = this.#alarms.get(portfolio);
    if (alarm?.queuedFor !== dueAt) return;
    alarm.isRefused = isRefused;
    if (!isRefused) return;
    // Without the queue this process wakes itself.
    alarm.isUnqueued = true;
    if (alarm.timerAt === undefined || alarm.timerAt > dueAt) this.#arm(portfolio, alarm, dueAt);
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
