// The delay of timers in the event loop, from Node's own sampler, in windows of fixed length: what one reader sees does not
// depend on whether others read too.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

export interface LoopReading {
  readonly p50Sec: number;
  readonly p99Sec: number;
  readonly maxSec: number;
  /** Share of time the loop was busy, 0 to 1. */
  readonly utilization: number;
}

/** Scrapes at most as far apart see every window. */
export const LAG_WINDOW_MS = 15_000;
/** Each sample wakes the process: often enough to see a stall of a twentieth of a second. */
export const LAG_RESOLUTION_MS = 50;

export class EventLoopLag {
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay>;
  readonly #resolutionNs: number;
  readonly #timer: NodeJS.Timeout;
  #since = performance.eventLoopUtilization();
  #last: LoopReading | undefined;

  constructor(resolutionMs: number, windowMs = LAG_WINDOW_MS) {
    this.#resolutionNs = resolutionMs * 1e6;
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#turn(), windowMs).unref();
  }

  /** What happened in the last full window; in the first one, what has happened so far. */
  read(): LoopReading {
    return this.#last ?? this.#reading();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #turn(): void {
    this.#last = this.#reading();
    this.#since = performance.eventLoopUtilization();
    this.#histogram.reset();
  }

  #reading(): LoopReading {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    return {
      p50Sec: this.#lagSec(this.#histogram.percentile(50)),
      p99Sec: this.#lagSec(this.#histogram.percentile(99)),
      maxSec: this.#histogram.count === 0 ? 0 : this.#lagSec(this.#histogram.max),
      utilization,
    };
  }

  /** The sampler includes its own interval; the lag is what exceeds it. */
  #lagSec(sampledNs: number): number {
    return Math.max(0, sampledNs - this.#resolutionNs) / 1e9;
  }
}
