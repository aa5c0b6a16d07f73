// Gauges that are computed at the scrape instead of being kept up to date. A source that fails or does not
// answer in time costs its own gauges, never the scrape.
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import type { QueueDepth } from '../../../ports/job-queue.ts';
import type { RateBudget } from '../../../ports/rate-budget.ts';
import type { MmpKind, MmpLimit } from '../../../ports/risk-observer.ts';
import type { VenueDirectory } from '../../../ports/venue.ts';
import type { VenueName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import { MMP_KINDS, MMP_LIMITS } from '../metric-values.ts';
import { EventLoopLag } from '../metrics/event-loop-lag.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { readRates, readVenues } from '../metrics/venue-gauges.ts';
import type { PortfolioMarks } from './portfolio-marks.ts';
import { type PortfolioTally, tallyPortfolios } from './portfolio-tally.ts';
import type { Slippage } from './slippage.ts';

export interface GaugeSources {
  readonly now: () => Instant;
  readonly queueDepth: () => Promise<QueueDepth>;
  /** The portfolios in memory; finished ones are skipped. */
  readonly portfolios: () => Iterable<PortfolioState>;
  readonly marks: PortfolioMarks;
  readonly slippage: Slippage;
  /** Maximum number of portfolios with gauges of their own. */
  readonly portfoliosMax: number;
  readonly venues: VenueDirectory;
  /** The remaining message budgets of the venues. */
  readonly rateBudgets: () => Iterable<readonly [venue: VenueName, budget: RateBudget]>;
  /** How much of their limits the open windows of market-maker protection have used. */
  readonly mmpWindows: () => Iterable<MmpWindowUse>;
  /** Why the daemon cannot trade; empty if it can. */
  readonly notReady: () => Promise<readonly string[]>;
  /** Rejects if the ledger does not answer. */
  readonly askLedger: () => Promise<LedgerLoad>;
  /** Time since the last canary of the queue; `undefined` before the first. */
  readonly canaryAgeMs: () => number | undefined;
  /** Sampling interval of the event-loop lag. */
  readonly loopLagResolutionMs: number;
  /** Longest wait for a source; well below a scraper's timeout. Default 2 s. */
  readonly waitMaxMs?: number;
}

interface MmpWindowUse {
  readonly kind: MmpKind;
  readonly used: Readonly<Partial<Record<MmpLimit, number>>>;
}

/** Connections for reading. */
interface LedgerLoad {
  readonly busy: number;
  readonly idle: number;
  /** Reads that wait for a connection. */
  readonly waiting: number;
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

  /** The text of GET /metrics. Never rejects because of a source. */
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
    this.#setLimits();
    const tally = async () => this.#setTally(await this.#tally());
    await Promise.all([
      this.#readQueue(),
      this.#readLedger(),
      this.#readReadiness(),
      this.#guarded(tally),
    ]);
  }

  #tally(): Promise<PortfolioTally> {
    const { now, portfolios, marks, portfoliosMax } = this.#sources;
    return tallyPortfolios(portfolios(), {
      now: now(),
      progressMax: portfoliosMax,
      cancellingSince: (portfolio, at) => marks.cancellingSince(portfolio, at),
    });
  }

  async #readLedger(): Promise<void> {
    const { ledgerUp, ledgerConnections } = this.#metrics;
    const load = await this.#guarded(this.#sources.askLedger);
    ledgerUp.set(load === undefined ? 0 : 1);
    if (load === undefined) return;
    ledgerConnections.set({ state: 'busy' }, load.busy);
    ledgerConnections.set({ state: 'idle' }, load.idle);
    ledgerConnections.set({ state: 'waiting' }, load.waiting);
  }

  async #readReadiness(): Promise<void> {
    const reasons = await this.#guarded(this.#sources.notReady);
    this.#metrics.ready.set(reasons?.length === 0 ? 1 : 0);
  }

  #setLoop(): void {
    const { eventLoopLag, eventLoopUtilization } = this.#metrics;
    const reading = this.#loop.take();
    eventLoopLag.set({ stat: 'p50' }, reading.p50Sec);
    eventLoopLag.set({ stat: 'p99' }, reading.p99Sec);
    eventLoopLag.set({ stat: 'max' }, reading.maxSec);
    eventLoopUtilization.set(reading.utilization);
  }

  #setLimits(): void {
    readRates(this.#metrics, this.#sources.rateBudgets());
    const { mmpUsedMax } = this.#metrics;
    const most = new Map<string, number>();
    for (const { kind, used } of this.#sources.mmpWindows()) {
      for (const limit of MMP_LIMITS) {
        const key = `${kind} ${limit}`;
        most.set(key, Math.max(most.get(key) ?? 0, used[limit] ?? 0));
      }
    }
    for (const kind of MMP_KINDS) {
      for (const limit of MMP_LIMITS) {
        mmpUsedMax.set({ kind, limit }, most.get(`${kind} ${limit}`) ?? 0);
      }
    }
  }

  async #readQueue(): Promise<void> {
    const { queueJobs, queueUp } = this.#metrics;
    const depth = await this.#guarded(this.#sources.queueDepth);
    queueUp.set(depth === undefined ? 0 : 1);
    this.#metrics.canaryAge.set((this.#sources.canaryAgeMs() ?? 0) / 1_000);
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
    metrics.legImbalanceMax.set(tally.imbalanceMax);
    metrics.portfoliosOverdue.set(Math.max(0, tally.overdueMaxMs) / 1_000);
    this.#setProgress(tally);
    const { venues, now } = this.#sources;
    readVenues(metrics, { venues, traded: tally.traded, now: now() });
  }

  /** Rebuilt each time, so that an ended portfolio has no series. */
  #setProgress({ progress }: PortfolioTally): void {
    const metrics = this.#metrics;
    const { portfolioFilled, portfolioScheduled, portfolioLate, portfolioSlippage } = metrics;
    const gauges = [portfolioFilled, portfolioScheduled, portfolioLate, portfolioSlippage];
    for (const gauge of gauges) gauge.reset();
    metrics.portfoliosShown.set(progress.length);
    for (const { state, filled, scheduled } of progress) {
      const series = { portfolio: state.id };
      portfolioFilled.set(series, filled);
      portfolioScheduled.set(series, scheduled);
      const lateSec = this.#sources.marks.lateSec(state.id);
      if (lateSec !== undefined) portfolioLate.set(series, lateSec);
      const bps = this.#sources.slippage.ofPortfolio(state);
      if (bps !== undefined) portfolioSlippage.set(series, bps);
    }
  }

  /** Returns the result of `ask`, or `undefined` if it fails or times out; both are counted. */
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
