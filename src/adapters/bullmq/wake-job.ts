// Converts wakes to BullMQ jobs and back. Wakes due within a moment of each other share a job, because the
// cost of a job does not depend on its size. Its id is a function of its wakes; a finished job is removed
// immediately, so that its id can be used again.
import type { JobsOptions } from 'bullmq';
import type { Wake } from '../../ports/job-queue.ts';
import { portfolioId } from '../../values/ids.ts';
import { INSTANT_MAX, type Instant, instant } from '../../values/instant.ts';
import { hash32 } from '../../values/rng.ts';

export const QUEUE_NAME = 'twapd-wake';
const WAKE_NAME = 'wakes';

/** All wakes of a job are due within this time: the last waits that much longer than the first. */
const SPAN_MS = 50;
/** A burst is spread over several jobs, and so over the processes that take them. */
export const WAKES_PER_JOB_MAX = 100;

export interface QueuedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobsOptions;
}

/** BullMQ refuses ids that contain a colon or are all digits. */
export const wakeId = (wake: Wake): string => `w-${wake.portfolio}-${wake.dueAt}`;

/** Returns the jobs for the wakes; each becomes due `leadMs` before its first wake, relative to `now`. */
export function wakeJobs(
  wakes: readonly Wake[],
  { now, leadMs }: { readonly now: Instant; readonly leadMs: number },
): QueuedJob[] {
  return groupsOf(wakes).map((group) => ({
    name: WAKE_NAME,
    data: wakeData(group),
    opts: {
      jobId: jobIdOf(group),
      delay: Math.max(0, Math.floor(group[0].dueAt - now - leadMs)),
      removeOnComplete: true,
      removeOnFail: true,
    },
  }));
}

/** The payload of a job. */
export const wakeData = (wakes: readonly Wake[]): object => ({
  wakes: wakes.map(({ portfolio, dueAt }) => [portfolio, dueAt]),
});

type Group = [Wake, ...Wake[]];

function groupsOf(wakes: readonly Wake[]): Group[] {
  const groups: Group[] = [];
  let last: Group | undefined;
  for (const wake of wakes.toSorted((a, b) => a.dueAt - b.dueAt)) {
    const fits =
      last !== undefined &&
      last.length < WAKES_PER_JOB_MAX &&
      wake.dueAt - last[0].dueAt <= SPAN_MS;
    if (last !== undefined && fits) last.push(wake);
    else {
      last = [wake];
      groups.push(last);
    }
  }
  return groups;
}

/** Scheduling the same wake, or the same group of wakes, again gives the same id. */
function jobIdOf(group: Group): string {
  const first = wakeId(group[0]);
  if (group.length === 1) return first;
  return `${first}-${group.length}-${hash32(group.map(wakeId).join(' ')).toString(36)}`;
}

/** The wakes in a job, or `undefined` for a job without any: another build's, or not ours. */
export function parseWakes(name: string, data: unknown): readonly Wake[] | undefined {
  if (name !== WAKE_NAME || typeof data !== 'object' || data === null) return undefined;
  const { wakes } = data as { wakes?: unknown };
  if (!Array.isArray(wakes) || wakes.length === 0) return undefined;
  const read = wakes.map(parseWake);
  return read.every((wake) => wake !== undefined) ? read : undefined;
}

function parseWake(pair: unknown): Wake | undefined {
  if (!Array.isArray(pair)) return undefined;
  const [portfolio, dueAt] = pair as unknown[];
  if (typeof portfolio !== 'string' || !/^\d{1,16}$/.test(portfolio)) return undefined;
  if (typeof dueAt !== 'number' || !Number.isInteger(dueAt)) return undefined;
  if (dueAt < 0 || dueAt > INSTANT_MAX) return undefined;
  return { portfolio: portfolioId(portfolio), dueAt: instant(dueAt) };
}
