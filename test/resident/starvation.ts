// Detects when the machine is too overloaded to run its processes: our own timers fire late, or far more processes
// wait for a processor than there are. Time-outs during such stretches are not faults.
import { availableParallelism, loadavg } from 'node:os';

const LOOK_MS = 100;
const LATE_MS = 400;
const LOAD_PER_PROCESSOR = 2.5;

export class Starvation {
  /** The overloaded stretches in time order. */
  readonly stretches: { readonly what: 'starved'; readonly fromMs: number; untilMs: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #lookedMs = Date.now();

  constructor() {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Whether there was such a stretch at or after `fromMs`. */
  since(fromMs: number): boolean {
    return this.stretches.some(({ untilMs }) => untilMs >= fromMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const [fromMs, untilMs] = [this.#lookedMs, Date.now()];
    this.#lookedMs = untilMs;
    const isLate = untilMs - fromMs > LOOK_MS + LATE_MS;
    const isLoaded = (loadavg()[0] ?? 0) > LOAD_PER_PROCESSOR * availableParallelism();
    if (!isLate && !isLoaded) return;
    const last = this.stretches.at(-1);
    if (last?.untilMs === fromMs) last.untilMs = untilMs;
    else this.stretches.push({ what: 'starved', fromMs, untilMs });
  }
}
