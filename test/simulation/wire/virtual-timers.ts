// The timers and the stopwatch of this process in virtual time: what the gateway does every second, or after a pause, then
// belongs to the course of a run. One run at a time.
import { type Instant, later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';

/** What `setTimeout` returns to the code under test. */
class Timer {
  readonly #clock: VirtualClock;
  readonly #delayMs: number;
  readonly #repeats: boolean;
  readonly #call: () => void;
  #stop: () => void;

  constructor(clock: VirtualClock, call: () => void, delayMs: number, repeats: boolean) {
    this.#clock = clock;
    this.#call = call;
    this.#delayMs = Math.max(repeats ? 1 : 0, Math.ceil(delayMs));
    this.#repeats = repeats;
    this.#stop = this.#armed();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  refresh(): this {
    this.#stop();
    this.#stop = this.#armed();
    return this;
  }

  stop(): void {
    this.#stop();
  }

  #armed(): () => void {
    const dueAt: Instant = later(this.#clock.now(), this.#delayMs);
    return this.#clock.at(dueAt, () => {
      if (this.#repeats) this.#stop = this.#armed();
      this.#call();
    });
  }
}

type Call = (...given: unknown[]) => void;

/** Until the returned function is called, every timer of the process that is set again is one of the clock's. */
export function virtualTimers(clock: VirtualClock): () => void {
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } =
    globalThis;
  const real = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval,
    clearImmediate,
  };
  const started =
    (repeats: boolean) =>
    (call: Call, delayMs = 0, ...given: unknown[]) =>
      new Timer(clock, () => call(...given), delayMs, repeats);
  const stopped = (timer: unknown): void => {
    if (timer instanceof Timer) timer.stop();
  };
  Object.assign(globalThis, {
    setTimeout: started(false),
    setInterval: started(true),
    setImmediate: (call: Call, ...given: unknown[]) =>
      new Timer(clock, () => call(...given), 0, false),
    clearTimeout: stopped,
    clearInterval: stopped,
    clearImmediate: stopped,
  });
  Object.defineProperty(performance, 'now', {
    value: () => clock.monotonicMs(),
    configurable: true,
    writable: true,
  });
  return () => {
    Object.assign(globalThis, real);
    Reflect.deleteProperty(performance, 'now');
  };
}
