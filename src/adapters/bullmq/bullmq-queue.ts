// The JobQueue on BullMQ and Redis. The job of a wake becomes due one lead early, and the wake then waits
// here for its exact instant; a wake nearer than the lead bypasses Redis. Redis may lose everything at any
// moment: that costs punctuality until the overdue sweeper or a re-arm, never a slice.
import type { Clock } from '../../ports/clock.ts';
import type { JobQueue, PassOn, QueueDepth, Wake } from '../../ports/job-queue.ts';
import { AddBatch } from './add-batch.ts';
import { Canary } from './canary.ts';
import { withDeadline } from './deadline.ts';
import { EarlyWakes } from './early-wakes.ts';
import type { FaultReport } from './fault-report.ts';
import { Producer } from './producer.ts';
import { type QueueReset, ResetWatch } from './reset-watch.ts';
import { wakeJobs } from './wake-job.ts';
import { WakeWorker } from './wake-worker.ts';

export interface BullmqQueueOptions {
  readonly url: string;
  /** First part of every key, one per deployment. */
  readonly prefix: string;
  readonly report: FaultReport;
  /** Receives notices that need no action; absent: they are dropped. */
  readonly warn?: ((message: string) => void) | undefined;
  /** How long before its instant a wake leaves Redis, 300 by default. Must exceed Redis' timer period. */
  readonly leadMs?: number;
  /** Wakes waiting or being handled at once, 2000 by default: at least rate × lead. */
  readonly concurrency?: number;
  readonly canaryEveryMs?: number;
  readonly canarySilenceMsMax?: number;
  readonly resetCheckEveryMs?: number;
}

/** What readiness needs to know. */
export interface QueuePulse {
  readonly connected: boolean;
  /** Time since a job was last seen to come through; `undefined` before the first. */
  readonly canaryAgeMs: number | undefined;
  /** Why Redis refuses jobs although it answers; `undefined`: it took the latest. */
  readonly refusal: string | undefined;
}

/** A loss reported later than this after the last one is another emptying of Redis. */
const JOBS_GONE_REST_MS = 10_000;

const CLOSE_MS_MAX = 5_000;
/** A wake is sent to Redis this long before it would leave it again: the time that takes. */
const ADD_MS = 50;

export class BullmqQueue implements JobQueue {
  readonly #clock: Clock;
  readonly #options: BullmqQueueOptions;
  readonly #leadMs: number;
  readonly #producer: Producer;
  readonly #batch: AddBatch;
  readonly #resetWatch: ResetWatch;
  readonly #resetListeners = new Set<(why: QueueReset) => void>();
  #jobGoneAtMs = Number.NEGATIVE_INFINITY;
  #taking: Taking | undefined;
  #closing: Promise<void> | undefined;

  constructor(clock: Clock, options: BullmqQueueOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#leadMs = options.leadMs ?? 300;
    this.#producer = new Producer(options.url, options.prefix, options.report);
    this.#batch = new AddBatch({
      jobsOf: (wakes) => wakeJobs(wakes, { now: clock.now(), leadMs: this.#leadMs }),
      addBulk: (jobs) => this.#producer.addBulk(jobs),
    });
    this.#resetWatch = new ResetWatch(this.#producer.client, {
      key: `${options.prefix}:twapd-mark`,
      everyMs: options.resetCheckEveryMs ?? 1_000,
      onReset: (why) => {
        for (const listener of this.#resetListeners) listener(why);
      },
      report: options.report,
    });
    this.#resetWatch.start();
  }

  /** After Redis was emptied every job in hand reports it; the first report is enough. */
  #jobGone(): void {
    const nowMs = this.#clock.monotonicMs();
    const isNew = nowMs - this.#jobGoneAtMs > JOBS_GONE_REST_MS;
    this.#jobGoneAtMs = nowMs;
    if (isNew) {
      this.#options.warn?.('Redis was emptied while jobs were in hand; wakes are scheduled again');
    }
  }

  async schedule(wake: Wake): Promise<void> {
    if (this.#closing !== undefined) throw new Error('the queue is closed');
    const delayMs = wake.dueAt - this.#clock.now() - this.#leadMs;
    if (delayMs <= 0 && this.#taking !== undefined) {
      // Even via Redis it would end up in this or another process's memory.
      this.#holdHere(this.#taking, wake);
      return;
    }
    try {
      await this.#batch.add(wake, delayMs - ADD_MS);
    } catch (error) {
      this.#resetWatch.refused();
      throw error;
    }
  }

  start(onWake: (wake: Wake) => Promise<void>, passOn?: PassOn): Promise<void> {
    if (this.#closing !== undefined) return Promise.reject(new Error('the queue is closed'));
    if (this.#taking !== undefined) return Promise.reject(new Error('the queue is started'));
    const { url, prefix, report } = this.#options;
    const held = new EarlyWakes(this.#clock, onWake);
    const worker = new WakeWorker(this.#clock, held, {
      url,
      prefix,
      report,
      leadMs: this.#leadMs,
      concurrency: this.#options.concurrency ?? 2_000,
      passOn,
      onCanary: (id) => canary.seen(id),
      onJobGone: () => this.#jobGone(),
    });
    const canary = new Canary(this.#clock, this.#producer, worker, {
      everyMs: this.#options.canaryEveryMs ?? 5_000,
      silenceMsMax: this.#options.canarySilenceMsMax ?? 15_000,
      report,
    });
    worker.build();
    canary.start();
    this.#taking = { held, worker, canary, here: new Set() };
    return Promise.resolve();
  }

  hold(wake: Wake): void {
    if (this.#closing !== undefined || this.#taking === undefined) {
      throw new Error('the queue takes no wakes');
    }
    this.#holdHere(this.#taking, wake);
  }

  /** `active` counts wakes waiting for their instant, whether they came from Redis or not. */
  async depth(): Promise<QueueDepth> {
    const inRedis = await this.#producer.depth();
    return { ...inRedis, active: inRedis.active + (this.#taking?.here.size ?? 0) };
  }

  pulse(): QueuePulse {
    return {
      connected: this.#producer.client.status === 'ready',
      canaryAgeMs: this.#taking?.canary.ageMs,
      refusal: this.#producer.refusal,
    };
  }

  /** Calls `listener` if scheduled wakes may be lost, so that the next ones are scheduled again. */
  onReset(listener: (why: QueueReset) => void): () => void {
    this.#resetListeners.add(listener);
    return () => {
      this.#resetListeners.delete(listener);
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#resetWatch.stop();
    const taking = this.#taking;
    try {
      await withDeadline(this.#stopTaking(taking), CLOSE_MS_MAX, 'closing the queue');
    } catch (error) {
      this.#options.report('close', error);
    } finally {
      taking?.worker.disconnect();
      this.#producer.close();
    }
  }

  async #stopTaking(taking: Taking | undefined): Promise<void> {
    if (taking !== undefined) await closeTaking(taking);
    await this.#batch.flush();
  }

  #holdHere({ held, here }: Taking, wake: Wake): void {
    const ended = this.#hold(held, wake).finally(() => here.delete(ended));
    here.add(ended);
  }

  async #hold(held: EarlyWakes, wake: Wake): Promise<void> {
    try {
      if ((await held.hold(wake)) === 'released') await this.#giveBack(wake);
    } catch (error) {
      this.#options.report('wake', error);
    }
  }

  /** Returns a wake to Redis for another process of the deployment when this one closes. */
  async #giveBack(wake: Wake): Promise<void> {
    await this.#batch.add(wake, 0);
  }
}

interface Taking {
  readonly held: EarlyWakes;
  readonly worker: WakeWorker;
  readonly canary: Canary;
  /** Wakes that did not come through Redis, until their calls have ended. */
  readonly here: Set<Promise<void>>;
}

async function closeTaking({ held, worker, canary, here }: Taking): Promise<void> {
  canary.stop();
  // Stops taking jobs before returning the waiting wakes, or they would be taken here again.
  const drained = worker.drain();
  held.release();
  await Promise.all([drained, held.idle(), ...here]);
}
