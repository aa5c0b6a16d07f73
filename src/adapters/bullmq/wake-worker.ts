// The taking side of the queue: one BullMQ worker, which can be discarded and rebuilt, because a worker may
// stop fetching for good while it still reports that it is running.
import { DelayedError, type Job, Worker } from 'bullmq';
import type { Clock } from '../../ports/clock.ts';
import type { PassOn, Wake } from '../../ports/job-queue.ts';
import { must } from '../../values/assert.ts';
import { type WorkerConnections, workerConnections } from './connections.ts';
import { withDeadline } from './deadline.ts';
import type { EarlyWakes } from './early-wakes.ts';
import type { FaultReport } from './fault-report.ts';
import { BUCKET_MS, OLD_JOB_NAME, parseWakes, QUEUE_NAME, wakeData } from './wake-job.ts';

export interface WakeWorkerOptions {
  readonly url: string;
  readonly prefix: string;
  readonly leadMs: number;
  readonly concurrency: number;
  readonly report: FaultReport;
  readonly passOn?: PassOn | undefined;
  /** Called if a job in hand is no longer in Redis, which was emptied meanwhile. */
  readonly onJobGone?: (() => void) | undefined;
  /** Called when a canary arrives, see `canary.ts`. */
  readonly onCanary: (name: string) => void;
}

export const CANARY_NAME = 'canary';
/**
 * A wake that arrives earlier than the lead plus this is returned to Redis: the clocks of two machines
 * disagree. The last wake of a bucket comes with the first.
 */
const EARLY_MS_MAX = 1_000 + BUCKET_MS;
const CLOSE_OLD_MS_MAX = 5_000;
/** The queue never fails a stalled wake; the ledger decides what to do with it. */
const STALLED_COUNT_MAX = 1_000;

/** The return value of BullMQ's scripts for a job whose key is missing. */
const JOB_NOT_EXIST = -1;

const isJobGone = (error: unknown): boolean =>
  (error as { readonly code?: unknown }).code === JOB_NOT_EXIST;

interface Running {
  readonly worker: Worker;
  readonly connections: WorkerConnections;
}

export class WakeWorker {
  readonly #clock: Clock;
  readonly #held: EarlyWakes;
  readonly #options: WakeWorkerOptions;
  #running: Running | undefined;
  #tookAtMs: number;
  /** Number of jobs in hand. */
  #inHand = 0;

  constructor(clock: Clock, held: EarlyWakes, options: WakeWorkerOptions) {
    this.#clock = clock;
    this.#held = held;
    this.#options = options;
    this.#tookAtMs = clock.monotonicMs();
  }

  /** Monotonic milliseconds at which it last took a job, or was built. */
  get tookAtMs(): number {
    return this.#tookAtMs;
  }

  /** True if it fetches no more because all its slots are in use. */
  get full(): boolean {
    return this.#inHand >= this.#options.concurrency;
  }

  get inHand(): number {
    return this.#inHand;
  }

  build(): void {
    const { url, prefix, concurrency, report } = this.#options;
    const connections = workerConnections(url, (error) => report('worker', error));
    const worker = new Worker(QUEUE_NAME, (job, token) => this.#take(job, token), {
      connection: connections.client,
      prefix,
      concurrency,
      maxStalledCount: STALLED_COUNT_MAX,
      // BullMQ's fifteen seconds would be added to every loss of the connection.
      runRetryDelay: 1_000,
    });
    worker.on('error', (error) => {
      if (isJobGone(error)) this.#options.onJobGone?.();
      else report('worker', error);
    });
    worker.on('failed', (_job, error) => report('job', error));
    this.#tookAtMs = this.#clock.monotonicMs();
    this.#running = { worker, connections };
  }

  /** Replaces the worker. Wakes of the old one are still called. */
  rebuild(): void {
    const old = this.#running;
    this.build();
    if (old === undefined) return;
    withDeadline(old.worker.close(true), CLOSE_OLD_MS_MAX, 'closing the old worker')
      .catch((error: unknown) => this.#options.report('rebuild', error))
      .finally(() => old.connections.disconnect());
  }

  /** Takes no more jobs; settles once all jobs in hand are handled. May wait for ever. */
  async drain(): Promise<void> {
    await this.#running?.worker.close();
  }

  /** Cuts the connections, whatever state they are in. */
  disconnect(): void {
    this.#running?.connections.disconnect();
    this.#running = undefined;
  }

  async #take(job: Job, token: string | undefined): Promise<void> {
    this.#tookAtMs = this.#clock.monotonicMs();
    if (job.name === CANARY_NAME) {
      this.#options.onCanary(job.id ?? '');
      return;
    }
    if (job.name === OLD_JOB_NAME) return;
    const wakes = parseWakes(job.name, job.data);
    if (wakes === undefined) throw new Error(`job ${job.id} named "${job.name}" holds no wake`);
    this.#inHand += 1;
    try {
      if ((await this.#options.passOn?.(wakes)) === true) return;
      const released = (await Promise.all(wakes.map((wake) => this.#hold(wake)))).flat();
      if (released.length > 0) await this.#giveBack(job, released, token);
    } finally {
      this.#inHand -= 1;
    }
  }

  /** Returns the wakes that must go back to Redis, after the call or instead of it. */
  async #hold(wake: Wake): Promise<readonly Wake[]> {
    const earlyMs = wake.dueAt - this.#clock.now() - this.#options.leadMs;
    if (earlyMs > EARLY_MS_MAX) return [wake];
    try {
      return (await this.#held.hold(wake)) === 'released' ? [wake] : [];
    } catch (error) {
      this.#options.report('wake', error);
      return [];
    }
  }

  /** Returns the job to Redis with its original due time, for another worker. */
  async #giveBack(job: Job, wakes: readonly Wake[], token: string | undefined): Promise<never> {
    const firstDueAt = Math.min(...wakes.map((wake) => wake.dueAt));
    const comesAt = Math.max(this.#clock.now(), firstDueAt - this.#options.leadMs);
    await job.updateData(wakeData(wakes));
    await job.moveToDelayed(comesAt, must(token, 'a job in hand has a lock token'));
    throw new DelayedError();
  }
}
