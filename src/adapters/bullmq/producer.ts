// The adding side of the queue. Fails within a bounded time whatever the state of Redis, and rebuilds its
// BullMQ queue if the set-up failed, because BullMQ never retries that.
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueDepth } from '../../ports/job-queue.ts';
import { producerConnection } from './connections.ts';
import { withDeadline } from './deadline.ts';
import type { FaultReport } from './fault-report.ts';
import { QUEUE_NAME, type QueuedJob } from './wake-job.ts';

/** Slightly above the time limit of a single command. */
const CALL_MS_MAX = 2_300;
const SET_UP_RETRY_MS = 1_000;
/** A script of BullMQ has other words before those of Redis. */
const REFUSED = /\b(OOM|MISCONF|READONLY|NOREPLICAS)\b/;

export class Producer {
  readonly client: Redis;
  readonly #prefix: string;
  readonly #report: FaultReport;
  #queue: Queue;
  #closed = false;
  /** Why Redis did not take the latest jobs although it answered, as one whose memory or disk is full. */
  refusal: string | undefined;

  constructor(url: string, prefix: string, report: FaultReport) {
    this.#prefix = prefix;
    this.#report = report;
    this.client = producerConnection(url, (error) => report('producer', error));
    this.#queue = this.#build();
  }

  async addBulk(jobs: readonly QueuedJob[]): Promise<void> {
    if (this.#closed) throw new Error('the queue is closed');
    try {
      await withDeadline(this.#queue.addBulk([...jobs]), CALL_MS_MAX, 'adding jobs to Redis');
      this.refusal = undefined;
    } catch (error) {
      if (error instanceof Error && REFUSED.test(error.message)) this.refusal = error.message;
      throw error;
    }
  }

  async depth(): Promise<QueueDepth> {
    const counts = await withDeadline(
      this.#queue.getJobCounts('waiting', 'delayed', 'active', 'failed'),
      CALL_MS_MAX,
      'counting jobs in Redis',
    );
    const { waiting = 0, delayed = 0, active = 0, failed = 0 } = counts;
    return { waiting, delayed, active, failed };
  }

  /** True while Redis still has the job, in any state. */
  async has(jobId: string): Promise<boolean> {
    const found = this.client.exists(this.#queue.toKey(jobId));
    return (await withDeadline(found, CALL_MS_MAX, 'looking for a job in Redis')) > 0;
  }

  close(): void {
    this.#closed = true;
    this.client.disconnect();
  }

  #build(): Queue {
    const queue = new Queue(QUEUE_NAME, { connection: this.client, prefix: this.#prefix });
    queue.on('error', (error) => this.#report('producer', error));
    queue.waitUntilReady().catch((error: unknown) => {
      if (this.#closed) return;
      this.#report('producer', error);
      setTimeout(() => this.#rebuild(queue), SET_UP_RETRY_MS).unref();
    });
    return queue;
  }

  #rebuild(old: Queue): void {
    if (this.#closed) return;
    old.close().catch((error: unknown) => this.#report('producer', error));
    this.#queue = this.#build();
  }
}
