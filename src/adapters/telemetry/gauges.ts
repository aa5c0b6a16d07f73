// Gauges that are asked for at the scrape instead of being kept up to date. A source that fails or does
// not answer in time costs its own gauges, never the scrape.
import type { PortfolioState } from '../../core/portfolio/state.ts';
import type { QueueDepth } from '../../ports/job-queue.ts';
import type { Instant } from '../../values/instant.ts';
import { EventLoopLag } from './event-loop-lag.ts';
import type { Metrics } from './metrics.ts';
import { type PortfolioTally, tallyPortfolios } from './portfolio-tally.ts';

export interface GaugeSources {
  readonly now: () => Instant;
  readonly queueDepth: () => Promise<QueueDepth>;
  /** The portfolios this process has in memory; finished ones among them are passed over. */
  readonly portfolios: () => Iterable<PortfolioState>;
  /** Sampling interval of the event-loop lag. */
  readonly loopLagResolutionMs: number;
  /** Longest wait for a source; well below the time a scraper waits. Default 2 s. */
  readonly waitMaxMs?: number;
}

const WAIT_MAX_MS = 2_000;

export class Gauges {
  readonly #metrics: Metrics;
  readonly #sources: GaugeSources;
  readonly #loop: EventLoopLag;
  readonly #waitMaxMs: number;
  #running: Promise<void> | undefined;

  constructor(metrics: Metrics, sources: GaugeSources) {
    this.#metrics = metrics;
    this.#sources = sources;
    this.#loop = new EventLoopLag(sources.loopLagResolutionMs);
    this.#waitMaxMs = sources.waitMaxMs ?? WAIT_MAX_MS;
  }

  /** The text of GET /metrics. Never rejects for a source. */
  async exposition(): Promise<string> {
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    return this.#metrics.registry.metrics();
  }

  close(): void {
    this.#loop.close();
  }

  async #refresh(): Promise<void> {
    this.#setLoop();
    const { now, portfolios } = this.#sources;
    const tally = async () => this.#setTally(await tallyPortfolios(portfolios(), now()));
    await Promise.all([this.#readQueue(), this.#guarded(tally)]);
  }

  #setLoop(): void {
    const { eventLoopLag, eventLoopUtilization } = this.#metrics;
    const reading = this.#loop.take();
    eventLoopLag.set({ stat: 'p50' }, reading.p50Sec);
    eventLoopLag.set({ stat: 'p99' }, reading.p99Sec);
    eventLoopLag.set({ stat: 'max' }, reading.maxSec);
    eventLoopUtilization.set(reading.utilization);
  }

  async #readQueue(): Promise<void> {
    const { queueJobs, queueUp } = this.#metrics;
    const depth = await this.#guarded(this.#sources.queueDepth);
    queueUp.set(depth === undefined ? 0 : 1);
    if (depth === undefined) return;
    queueJobs.set({ state: 'waiting' }, depth.waiting);
    queueJobs.set({ state: 'delayed' }, depth.delayed);
    queueJobs.set({ state: 'active' }, depth.active);
    queueJobs.set({ state: 'failed' }, depth.failed);
  }

  #setTally(tally: PortfolioTally): void {
    const metrics = this.#metrics;
    for (const status of ['pending', 'active', 'cancelling'] as const) {
      metrics.portfolios.set({ status }, tally.portfolios[status]);
    }
    for (const state of ['sending', 'live', 'unknown', 'fills_missing'] as const) {
      metrics.unsettledChildren.set({ state }, tally.children[state]);
    }
    metrics.undecidedOldest.set((tally.undecidedSince ?? 0) / 1_000);
    metrics.activeLegs.set(tally.legs);
    metrics.activeLegsFilled.set(tally.filled);
    metrics.activeLegsScheduled.set(tally.scheduled);
    metrics.scheduleShortfallMax.set(tally.shortfallMax);
  }

  /** What `ask` gives, or `undefined` when it fails or takes too long; counted either way. */
  async #guarded<T>(ask: () => Promise<T>): Promise<T | undefined> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('too slow')), this.#waitMaxMs);
    try {
      return await Promise.race([ask(), late]);
    } catch {
      this.#metrics.failures.inc({ where: 'scrape' });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
