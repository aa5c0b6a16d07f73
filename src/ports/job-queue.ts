// Wake-ups. A job is only ever a reason to look at the ledger: it may come twice, late or never.
import type { PortfolioId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export interface Wake {
  readonly portfolio: PortfolioId;
  readonly dueAt: Instant;
}

export interface QueueDepth {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}

export interface JobQueue {
  /**
   * Asks for one call of the wake listener at `wake.dueAt`. The same wake asked for twice is called
   * once. Rejects when the queue is out of reach; nothing is lost then, the sweeper finds what is due.
   */
  schedule(wake: Wake): Promise<void>;
  /** Begins to call `onWake`, at the due instant or as soon after it as possible. */
  start(onWake: (wake: Wake) => Promise<void>): Promise<void>;
  depth(): Promise<QueueDepth>;
  /** Stops calling, waits for running calls at most a few seconds, lets go of connections. */
  close(): Promise<void>;
}
