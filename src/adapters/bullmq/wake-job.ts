// A wake as a BullMQ job and back. The id is a function of the wake, so that adding twice adds once;
// a finished job is removed at once, so that its id can come again.
import type { JobsOptions } from 'bullmq';
import type { Wake } from '../../ports/job-queue.ts';
import { portfolioId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';

export const QUEUE_NAME = 'twapd-wake';
const WAKE_NAME = 'wake';

export interface QueuedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobsOptions;
}

/** BullMQ refuses ids that contain a colon or are all digits. */
export const wakeId = (wake: Wake): string => `w-${wake.portfolio}-${wake.dueAt}`;

export const wakeJob = (wake: Wake, delayMs: number): QueuedJob => ({
  name: WAKE_NAME,
  data: { portfolio: wake.portfolio, dueAt: wake.dueAt },
  opts: {
    jobId: wakeId(wake),
    delay: Math.max(0, Math.floor(delayMs)),
    removeOnComplete: true,
    removeOnFail: true,
  },
});

/** The wake in a job, or `undefined` for a job that is none: another build's, or not ours. */
export function parseWake(name: string, data: unknown): Wake | undefined {
  if (name !== WAKE_NAME || typeof data !== 'object' || data === null) return undefined;
  const { portfolio, dueAt } = data as { portfolio?: unknown; dueAt?: unknown };
  if (typeof portfolio !== 'string' || !/^\d{1,16}$/.test(portfolio)) return undefined;
  if (typeof dueAt !== 'number' || !Number.isInteger(dueAt)) return undefined;
  if (dueAt < 0 || dueAt > INSTANT_MAX) return undefined;
  return { portfolio: portfolioId(portfolio), dueAt: instant(dueAt) };
}
