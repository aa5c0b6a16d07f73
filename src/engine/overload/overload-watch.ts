// Notices that this process has more to do than it can: it samples how late its own timer comes and how late slices are
// decided. New portfolios are then refused, and what may wait does; cancels, pauses and halts are taken as ever.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';
import type { EngineComponent } from '../engine-component.ts';
import { CALM, type LoadState, nextLoad, SAMPLE_MS, UNLOADED } from './load-state.ts';

export interface OverloadWatchOptions {
  readonly clock: Clock;
  readonly observer: Observer;
}

/** With so many decisions between two samples there may be more to do than can be done. */
const MANY = 10;

export class OverloadWatch implements EngineComponent {
  readonly #options: OverloadWatchOptions;
  #state: LoadState = UNLOADED;
  #lateMs = 0;
  /** Decisions since this moment of the monotonic clock. */
  #decided = { count: 0, sinceMs: Number.NEGATIVE_INFINITY };
  #isStarted = false;
  #stopTimer: StopTimer | undefined;

  constructor(options: OverloadWatchOptions) {
    this.#options = options;
  }

  get isOverloaded(): boolean {
    return this.#state.isOverloaded;
  }

  /** From now on; what is resumed at a start is late without being too much. */
  start(): Promise<void> {
    this.#isStarted = true;
    this.#lateMs = 0;
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  stop(): void {
    this.#isStarted = false;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** Nothing is sampled while little is decided, and in time. */
  decided(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#decided.sinceMs >= SAMPLE_MS) this.#decided = { count: 0, sinceMs: nowMs };
    this.#decided.count += 1;
    if (this.#decided.count >= MANY) this.#sampleLater();
  }

  /** What a portfolio was to be woken for is decided and stored, this long after its instant. */
  wakeDecided(lateMs: number): void {
    this.#lateMs = Math.max(this.#lateMs, lateMs);
    if (lateMs > CALM.lateMs) this.#sampleLater();
  }

  #sampleLater(): void {
    const { clock } = this.#options;
    if (!this.#isStarted || this.#stopTimer !== undefined) return;
    const expectedMs = clock.monotonicMs() + SAMPLE_MS;
    this.#stopTimer = clock.at(later(clock.now(), SAMPLE_MS), () => {
      this.#stopTimer = undefined;
      this.#sample(clock.monotonicMs() - expectedMs);
    });
  }

  #sample(lagMs: number): void {
    const lateMs = this.#lateMs;
    this.#lateMs = 0;
    const before = this.#state;
    this.#state = nextLoad(before, { lagMs, lateMs });
    const { isOverloaded, against } = this.#state;
    if (isOverloaded !== before.isOverloaded) {
      this.#options.observer.observe({ event: 'overload_changed', isOverloaded, lagMs, lateMs });
    }
    if (isOverloaded || against > 0) this.#sampleLater();
  }
}
