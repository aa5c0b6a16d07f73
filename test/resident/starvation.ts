// Detects when the machine is too overloaded to run its processes: our own timers fire late, or far more processes
// wait for a processor than there are. Time-outs during such stretches are not faults.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

const LOOK_MS = 100;
const LATE_MS = 400;
const LOAD_PER_PROCESSOR = 2.5;
const SAMPLES = 20;

export class Starvation {
  /** The overloaded stretches in time order. */
  readonly stretches: { readonly what: 'starved'; readonly fromMs: number; untilMs: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #lookedMs = Date.now();
  /** Of the latest samples: the load average of a minute shows a load that has just begun too late. */
  #runnable: readonly number[] = [];

  constructor() {
    this.#timer = setInterval(() => this.#sample(), LOOK_MS);
    this.#timer.unref();
  }

  /** Whether there was such a stretch at or after `fromMs`. */
  since(fromMs: number): boolean {
    return this.stretches.some(({ untilMs }) => untilMs >= fromMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const [fromMs, untilMs] = [this.#lookedMs, Date.now()];
    this.#lookedMs = untilMs;
    const isLate = untilMs - fromMs > LOOK_MS + LATE_MS;
    this.#runnable = [...this.#runnable, runnableNow()].slice(-SAMPLES);
    const mean = this.#runnable.reduce((sum, one) => sum + one, 0) / this.#runnable.length;
    const isLoaded =
      Math.max(mean, loadavg()[0] ?? 0) > LOAD_PER_PROCESSOR * availableParallelism();
    if (!isLate && !isLoaded) return;
    const last = this.stretches.at(-1);
    if (last?.untilMs === fromMs) last.untilMs = untilMs;
    else this.stretches.push({ what: 'starved', fromMs, untilMs });
  }
}

/** Processes and threads that run or wait for a processor; 0 where the system does not say. */
function runnableNow(): number {
  try {
    return Number.parseInt(readFileSync('/proc/loadavg', 'utf8').split(' ')[3] ?? '0', 10);
  } catch {
    return 0;
  }
}
