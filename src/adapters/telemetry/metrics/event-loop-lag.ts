// The delay of timers in the event loop since the last reading, from Node's own sampler.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

export interface LoopReading {
  readonly p50Sec: number;
  readonly p99Sec: number;
  readonly maxSec: number;
  /** Share of time the loop was busy, 0 to 1. */
  readonly utilization: number;
}

export class EventLoopLag {
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay>;
  readonly #resolutionNs: number;
  #since = performance.eventLoopUtilization();

  constructor(resolutionMs: number) {
    this.#resolutionNs = resolutionMs * 1e6;
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#histogram.enable();
  }

  /** Returns what happened since the previous reading and resets the sampler. */
  take(): LoopReading {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    this.#since = now;
    const reading = {
      p50Sec: this.#lagSec(this.#histogram.percentile(50)),
      p99Sec: this.#lagSec(this.#histogram.percentile(99)),
      maxSec: this.#histogram.count === 0 ? 0 : this.#lagSec(this.#histogram.max),
      utilization,
    };
    this.#histogram.reset();
    return reading;
  }

  close(): void {
    this.#histogram.disable();
  }

  /** The sampler includes its own interval; the lag is what exceeds it. */
  #lagSec(sampledNs: number): number {
    return Math.max(0, sampledNs - this.#resolutionNs) / 1e9;
  }
}
