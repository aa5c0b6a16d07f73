// The Clock of a live process. One timer is armed for the earliest due instant; for an exact call it fires
// slightly early, and the rest is waited out in naps with the event loop in between, the last of it with immediates
// alone, so that the call is neither early nor a timer tick late. All calls share the one timer, so they run in the context in which the clock was created,
// whichever caller scheduled them. Known limitation: after a jump of the wall clock, calls armed before it keep their
// real-time moment.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { type HeapEntry, TimerHeap } from '../../values/timer-heap.ts';
import { NODE_TIME, type TimeSource, WallOffset } from './wall-offset.ts';

export interface SystemClockOptions {
  /** Called when the wall clock jumped by more than 250 ms; a forward jump is positive. */
  readonly onStep?: (deltaMs: number) => void;
  /** Pending calls do not keep the process alive. Default false. */
  readonly unref?: boolean;
  /** Share of the time that may be spent on punctuality, 0 to 1. Default 0.05; 0 never spins. */
  readonly spinShareMax?: number;
  readonly source?: TimeSource;
}

/** setTimeout counts from the loop's own, older idea of now: sleeping this much less avoids waking late. */
const SLEEP_SHORT_MS = 1;
const SPIN_MS_MAX = 1.5;
/** A nap ends this long before the instant, because it may last longer than it was asked to. */
const NAP_SHORT_MS = 0.15;
/** What arrives meanwhile waits for the end of a nap. */
const NAP_MS_MAX = 0.3;
/** A shorter one costs as much as it saves. */
const NAP_MS_MIN = 0.05;
/** Waking at least this often detects jumps of the wall clock and keeps delays within 32 bits. */
const SLEEP_MS_MAX = 1_000;

export class SystemClock implements Clock {
  readonly #source: TimeSource;
  readonly #offset: WallOffset;
  /** Kept apart, since spinning for calls that need no exactness would waste an idle process's budget. */
  readonly #exact = new TimerHeap();
  readonly #rest = new TimerHeap();
  readonly #budget: SpinBudget;
  readonly #unref: boolean;
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  #timeout: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** Steady time for which the timeout is set; infinite if none is. */
  #armedForMs = Number.POSITIVE_INFINITY;
  #spinSinceMs: number | undefined;

  constructor(options: SystemClockOptions = {}) {
    this.#source = options.source ?? NODE_TIME;
    this.#offset = new WallOffset(this.#source, (deltaMs) => options.onStep?.(deltaMs));
    this.#budget = new SpinBudget(options.spinShareMax ?? 0.05);
    this.#unref = options.unref ?? false;
  }

  now(): Instant {
    return instant(this.#source.wallMs());
  }

  monotonicMs(): number {
    return this.#source.monotonicMs();
  }

  /** Never calls back before it has returned. */
  at(dueAt: Instant, then: () => void, punctuality?: 'exact'): StopTimer {
    const nowMs = this.#offset.steadyNowMs();
    const heap = punctuality === 'exact' ? this.#exact : this.#rest;
    const entry = heap.add(this.#offset.toSteadyMs(dueAt), then);
    this.#inOwnContext(() => this.#arm(nowMs));
    return () => {
      if (heap.remove(entry) && this.#exact.size + this.#rest.size === 0) this.#disarm();
    };
  }

  #arm(nowMs: number): void {
    const exactMs = this.#exact.nextDueMs ?? Number.POSITIVE_INFINITY;
    const restMs = this.#rest.nextDueMs ?? Number.POSITIVE_INFINITY;
    const dueMs = Math.min(exactMs, restMs);
    if (this.#immediate !== undefined || dueMs >= this.#armedForMs) return;
    this.#disarm();
    if (dueMs <= nowMs) return this.#pollImmediate();
    const spins = exactMs < Number.POSITIVE_INFINITY && this.#budget.allows(nowMs);
    if (spins && exactMs - nowMs <= SPIN_MS_MAX) return this.#spin(nowMs);
    this.#armedForMs = dueMs;
    const early = spins ? Math.floor(exactMs - nowMs - SLEEP_SHORT_MS) : Math.ceil(exactMs - nowMs);
    // Rounded up once more: a timeout counts from the loop's own idea of now and would wake just before.
    const sleepMs = Math.min(early, Math.ceil(restMs - nowMs) + 1);
    this.#timeout = setTimeout(() => this.#woken(), Math.min(Math.max(sleepMs, 1), SLEEP_MS_MAX));
    if (this.#unref) this.#timeout.unref();
  }

  #spin(nowMs: number): void {
    this.#spinSinceMs ??= nowMs;
    this.#pollImmediate();
  }

  #pollImmediate(): void {
    this.#immediate = setImmediate(this.#poll);
    if (this.#unref) this.#immediate.unref();
  }

  readonly #poll = (): void => {
    if (this.#spinSinceMs !== undefined) this.#napUntilNearly(this.#exact.nextDueMs);
    this.#woken();
  };

  #napUntilNearly(dueMs = 0): void {
    const leftMs = dueMs - this.#offset.steadyNowMs() - NAP_SHORT_MS;
    if (leftMs > NAP_MS_MIN) nap(Math.min(leftMs, NAP_MS_MAX));
  }

  #woken(): void {
    this.#timeout = undefined;
    this.#immediate = undefined;
    this.#armedForMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#offset.steadyNowMs();
    this.#settleSpin(nowMs);
    try {
      // Entries added by the calls themselves wait for the next check, or one could starve the loop.
      const marks = { exact: this.#exact.mark, rest: this.#rest.mark };
      for (let due = this.#due(nowMs, marks); due; due = this.#due(nowMs, marks)) due.then();
    } finally {
      // Also if a call has thrown: the others must not be lost with it.
      this.#arm(this.#offset.steadyNowMs());
    }
  }

  /** The next due entry of both heaps, an exact one before another of the same moment. */
  #due(
    nowMs: number,
    marks: { readonly exact: number; readonly rest: number },
  ): HeapEntry | undefined {
    const isRestFirst =
      (this.#rest.nextDueMs ?? Number.POSITIVE_INFINITY) < (this.#exact.nextDueMs ?? 0);
    return isRestFirst
      ? (this.#rest.takeDue(nowMs, marks.rest) ?? this.#exact.takeDue(nowMs, marks.exact))
      : (this.#exact.takeDue(nowMs, marks.exact) ?? this.#rest.takeDue(nowMs, marks.rest));
  }

  #settleSpin(nowMs: number): void {
    if (this.#spinSinceMs === undefined) return;
    this.#budget.spend(nowMs - this.#spinSinceMs);
    const dueMs = this.#exact.nextDueMs;
    const goesOn = dueMs !== undefined && dueMs > nowMs && this.#budget.allows(nowMs);
    this.#spinSinceMs = goesOn ? nowMs : undefined;
  }

  #disarm(): void {
    if (this.#timeout !== undefined) clearTimeout(this.#timeout);
    if (this.#immediate !== undefined) clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
    this.#spinSinceMs = undefined;
    this.#armedForMs = Number.POSITIVE_INFINITY;
  }
}

const CELL = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Puts the thread to sleep for a fraction of a millisecond. A timer of Node counts whole ones, and waiting by immediates
 * costs a processor all the time that it lasts. Nothing else runs in this thread meanwhile; it may sleep some 0.1 ms longer.
 */
function nap(ms: number): void {
  // Nobody changes or notifies the cell: only time ends the wait.
  Atomics.wait(CELL, 0, 0, ms);
}

/** Maximum saved credit: about thirty spins. */
const CREDIT_MS_MAX = 40;

/**
 * Limits how much processor time may be spent waiting for an instant without sleeping. Spinning gains half a millisecond of
 * punctuality; without a limit a thousand timers a second would use a whole core.
 */
class SpinBudget {
  readonly #share: number;
  #creditMs = CREDIT_MS_MAX;
  #seenMs = 0;

  /** `share` of the time, 0 to 1, may be spent spinning on average. */
  constructor(share: number) {
    this.#share = share;
  }

  allows(nowMs: number): boolean {
    const earned = Math.max(0, nowMs - this.#seenMs) * this.#share;
    this.#creditMs = Math.min(CREDIT_MS_MAX, this.#creditMs + earned);
    this.#seenMs = nowMs;
    return this.#creditMs > 0;
  }

  spend(spentMs: number): void {
    this.#creditMs -= spentMs;
  }
}
