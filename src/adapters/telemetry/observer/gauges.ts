// Gauges that are computed at the scrape instead of being kept up to date. A source that fails or does not
// answer in time costs its own gauges, never the scrape.

import type { FolderSpace } from '../../../core/disk/disk-space.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import type { QueueDepth } from '../../../ports/job-queue.ts';
import type { FollowStates } from '../../../ports/observer.ts';
import type { RateBudget } from '../../../ports/rate-budget.ts';
import type { MmpKind, MmpLimit } from '../../../ports/risk-observer.ts';
import type { VenueDirectory } from '../../../ports/venue.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import type { VenueName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import { MMP_KINDS, MMP_LIMITS } from '../metric-values.ts';
import { setSpaces } from '../metrics/disk-gauges.ts';
import { EventLoopLag } from '../metrics/event-loop-lag.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { readRates, readVenues } from '../metrics/venue-gauges.ts';
import type { PortfolioMarks } from './portfolio-marks.ts';
import type { ShareOptions } from './portfolio-share.ts';
import { PortfolioTally, type Progress } from './portfolio-tally.ts';
import type { Slippage } from './slippage.ts';

export interface GaugeSources {
  readonly now: () => Instant;
  readonly queueDepth: () => Promise<QueueDepth>;
  /** The active portfolios in memory. */
  readonly portfolios: () => Iterable<PortfolioState>;
  /** Reports all of them, and from then on how they change. */
  readonly follow: FollowStates;
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
  readonly probeLedger: () => Promise<LedgerLoad>;
  /** When the newest backup of the ledger was taken, in milliseconds since 1970; 0 if none was. */
  readonly newestBackup: () => Promise<number>;
  /** Free space of the folders that are written to. */
  readonly spaces: () => readonly FolderSpace[];
  /** When the newest head was made that the witness of the ledger has, in milliseconds since 1970; 0 without a witness. */
  readonly newestHeadMs: () => number;
  /** Time since the last canary of the queue; `undefined` before the first. */
  readonly canaryAgeMs: () => number | undefined;
  /** Called for a source that fails by a mistake of the program. */
  readonly onMistake: (error: unknown) => void;
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
  readonly #tally: PortfolioTally;
  readonly #unfollow: () => void;
  readonly #waitMaxMs: number;
  #running: Promise<void> | undefined;

  constructor(metrics: Metrics, sources: GaugeSources) {
    this.#metrics = metrics;
    this.#sources = sources;
    this.#loop = new EventLoopLag(sources.loopLagResolutionMs);
    this.#tally = new PortfolioTally(() => this.#shareOptions());
    this.#waitMaxMs = sources.waitMaxMs ?? WAIT_MAX_MS;
    this.#unfollow = sources.follow((change) => this.#tally.changed(change));
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
    this.#unfollow();
    this.#loop.close();
  }

  async #refresh(): Promise<void> {
    this.#setLoop();
    this.#setLimits();
    setSpaces(this.#metrics, this.#sources.spaces());
    await Promise.all([
      this.#readQueue(),
      this.#readLedger(),
      this.#readReadiness(),
      this.#guarded(() => this.#readPortfolios()),
    ]);
  }

  async #readPortfolios(): Promise<void> {
    const progress = await this.#tally.progress(this.#shareOptions());
    this.#setCounts();
    this.#setProgress(progress);
    this.#setOwnProgress();
  }

  #shareOptions(): ShareOptions {
    const { now, marks } = this.#sources;
    return { now: now(), cancellingSince: marks.cancellingSince.bind(marks) };
  }

  async #readLedger(): Promise<void> {
    const { ledgerUp, ledgerConnections } = this.#metrics;
    const load = await this.#guarded(this.#sources.probeLedger);
    ledgerUp.set(load === undefined ? 0 : 1);
    if (load === undefined) return;
    ledgerConnections.set({ state: 'busy' }, load.busy);
    ledgerConnections.set({ state: 'idle' }, load.idle);
    ledgerConnections.set({ state: 'waiting' }, load.waiting);
    this.#metrics.newestHead.set(this.#sources.newestHeadMs() / 1_000);
    const backup = await this.#guarded(this.#sources.newestBackup);
    if (backup !== undefined) this.#metrics.newestBackup.set(backup / 1_000);
  }

  async #readReadiness(): Promise<void> {
    const reasons = await this.#guarded(this.#sources.notReady);
    this.#metrics.ready.set(reasons?.length === 0 ? 1 : 0);
  }

  #setLoop(): void {
    const { eventLoopLag, eventLoopUtilization } = this.#metrics;
    const reading = this.#loop.read();
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

  #setCounts(): void {
    const metrics = this.#metrics;
    const { portfolios, children, legs, traded } = this.#tally;
    for (const status of ['pending', 'active', 'cancelling'] as const) {
      metrics.portfolios.set({ status }, portfolios[status]);
    }
    for (const state of ['sending', 'live', 'unknown', 'fills_missing'] as const) {
      metrics.unsettledChildren.set({ state }, children[state]);
    }
    metrics.activeLegs.set(legs);
    const { venues, now } = this.#sources;
    readVenues(metrics, { venues, traded, now: now() });
  }

  #setProgress(progress: Progress): void {
    const metrics = this.#metrics;
    metrics.undecidedOldest.set((progress.undecidedSince ?? 0) / 1_000);
    metrics.activeLegsFilled.set(progress.filled);
    metrics.activeLegsScheduled.set(progress.scheduled);
    metrics.scheduleShortfallMax.set(progress.shortfallMax);
    metrics.legImbalanceMax.set(progress.imbalanceMax);
    metrics.unhedged.reset();
    for (const [instrument, quantity] of progress.unhedged) {
      metrics.unhedged.set({ instrument }, quantity);
    }
    metrics.portfoliosOverdue.set(Math.max(0, progress.overdueMaxMs) / 1_000);
  }

  /** Rebuilt each time, so that an ended portfolio has no series. */
  #setOwnProgress(): void {
    const metrics = this.#metrics;
    const { portfolios, portfoliosMax } = this.#sources;
    const shown = this.#tally.own(portfolios(), portfoliosMax);
    const { portfolioFilled, portfolioScheduled, portfolioLate, portfolioSlippage } = metrics;
    const gauges = [portfolioFilled, portfolioScheduled, portfolioLate, portfolioSlippage];
    for (const gauge of gauges) gauge.reset();
    metrics.portfoliosShown.set(shown.length);
    for (const { state, filled, scheduled } of shown) {
      const series = { portfolio: state.id };
      portfolioFilled.set(series, filled);
      portfolioScheduled.set(series, scheduled);
      const lateSec = this.#sources.marks.lateSec(state.id);
      if (lateSec !== undefined) portfolioLate.set(series, lateSec);
      const bps = this.#sources.slippage.ofPortfolio(state);
      if (bps !== undefined) portfolioSlippage.set(series, bps);
    }
  }

  /** Returns the result of `read`, or `undefined` if it fails or times out; both are counted. */
  async #guarded<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('too slow')), this.#waitMaxMs);
    try {
      return await Promise.race([read(), late]);
    } catch (error) {
      this.#metrics.failures.inc({ where: 'scrape' });
      if (isProgrammingError(error)) this.#sources.onMistake(error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
