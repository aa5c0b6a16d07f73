// Wake-ups. A job is only a reason to check the ledger: it may arrive twice, late or never.
import type { PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

/** A slice that is due, which people are shown; the decision does not need it. Leg and slice count from 0. */
export interface DueSlice {
  readonly leg: number;
  readonly slice: number;
  /** The slice's own instant, which the wake precedes by the time to decide it. */
  readonly dueAt: Instant;
}

export interface Wake {
  readonly portfolio: PortfolioId;
  /** The portfolio's shard: the queue may carry the wakes of one shard together. */
  readonly shard: number;
  readonly dueAt: Instant;
  /** Wakes for slices only. */
  readonly slices?: readonly DueSlice[] | undefined;
}

export interface QueueDepth {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}

/**
 * Offered the wakes of one shard as soon as they leave the queue, which may be a moment before their instants. Resolves
 * with true if another process calls them at their instants. Never rejects.
 */
export type PassOn = (wakes: readonly Wake[]) => Promise<boolean>;

export interface JobQueue {
  /**
   * Schedules one call of the wake listener at `wake.dueAt`. The same wake scheduled twice is delivered once. Rejects
   * if the queue is unreachable; nothing is lost then, because the overdue sweeper finds what is due.
   */
  schedule(wake: Wake): Promise<void>;
  /**
   * Starts calling `onWake`, at the due instant or as soon after it as possible, for what `passOn` does not take. Rejects
   * if the queue was started before, or is closed.
   */
  start(onWake: (wake: Wake) => Promise<void>, passOn?: PassOn): Promise<void>;
  /**
   * Calls the wake listener at `wake.dueAt`, for a wake that another process has passed on; it is not offered to
   * `passOn`.
   * @throws if no wakes are taken, before the start or after closing.
   */
  hold(wake: Wake): void;
  depth(): Promise<QueueDepth>;
  /** Stops calling, waits at most a few seconds for running calls, and closes the connections. */
  close(): Promise<void>;
}
