// Converts wakes to BullMQ jobs and back. A job carries the wakes of one shard that are due within one bucket of time,
// because the cost of a job does not depend on its size; it lists each slice in words that the queue page shows. Its id
// is a function of its wakes; a finished job is removed immediately, so that its id can be used again.
import type { JobsOptions } from 'bullmq';
import type { DueSlice, Wake } from '../../ports/job-queue.ts';
import { portfolioId } from '../../values/ids.ts';
import { INSTANT_MAX, type Instant, instant, isoText } from '../../values/instant.ts';
import { hash32 } from '../../values/rng.ts';

export const QUEUE_NAME = 'twapd-wake';
const JOB_NAME = 'slices';
/** The name of jobs of earlier versions, which the owners of their portfolios have requested again. */
export const OLD_JOB_NAME = 'wakes';

/** The width of a bucket of time: the last wake of a job waits up to that much longer than the first. */
export const BUCKET_MS = 1_000;
/** A burst is spread over several jobs, and so over the processes that take them. */
export const WAKES_PER_JOB_MAX = 200;

export interface QueuedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobsOptions;
}

/** A wake as it is written in a job: a line for each slice, or one for a portfolio that is due for another reason. */
interface Line {
  readonly portfolio: string;
  readonly leg?: number;
  readonly slice?: number;
  /** The slice's own instant. */
  readonly due?: string;
  /** When to wake, in milliseconds. */
  readonly wakeAt: number;
}

export const wakeId = (wake: Wake): string => `w-${wake.portfolio}-${wake.dueAt}`;

/** Returns the jobs for the wakes; each becomes due `leadMs` before its first wake, relative to `now`. */
export function wakeJobs(
  wakes: readonly Wake[],
  { now, leadMs }: { readonly now: Instant; readonly leadMs: number },
): QueuedJob[] {
  return groupsOf(wakes).map((group) => ({
    name: JOB_NAME,
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
  shard: wakes[0]?.shard,
  slices: wakes.flatMap(linesOf),
});

function linesOf({ portfolio, dueAt, slices = [] }: Wake): readonly Line[] {
  if (slices.length === 0) return [{ portfolio, wakeAt: dueAt }];
  return slices.map(({ leg, slice, dueAt: due }) => ({
    portfolio,
    leg,
    slice,
    due: isoText(due),
    wakeAt: dueAt,
  }));
}

type Group = [Wake, ...Wake[]];

const bucketOf = (wake: Wake): number => Math.floor(wake.dueAt / BUCKET_MS);

function groupsOf(wakes: readonly Wake[]): readonly Group[] {
  const open = new Map<string, Group>();
  const groups: Group[] = [];
  for (const wake of wakes.toSorted((a, b) => a.dueAt - b.dueAt)) {
    const key = `${wake.shard} ${bucketOf(wake)}`;
    const group = open.get(key);
    if (group !== undefined && group.length < WAKES_PER_JOB_MAX) group.push(wake);
    else {
      const begun: Group = [wake];
      open.set(key, begun);
      groups.push(begun);
    }
  }
  return groups;
}

/**
 * The same wakes give the same id. Those that are added to a bucket later give another, alongside the job that is there.
 * BullMQ refuses ids that contain a colon or are all digits.
 */
function jobIdOf(group: Group): string {
  const [first] = group;
  const what = hash32(group.map(wakeId).join(' ')).toString(36);
  return `s${first.shard}-${bucketOf(first) * BUCKET_MS}-${group.length}-${what}`;
}

/** The wakes in a job, or `undefined` for a job without any: another build's, or not ours. */
export function parseWakes(name: string, data: unknown): readonly Wake[] | undefined {
  if (name !== JOB_NAME || typeof data !== 'object' || data === null) return undefined;
  const { shard, slices } = data as { readonly shard?: unknown; readonly slices?: unknown };
  if (!isCount(shard) || !Array.isArray(slices) || slices.length === 0) return undefined;
  const wakes: { -readonly [K in keyof Wake]: Wake[K] }[] = [];
  for (const line of slices as unknown[]) {
    const read = parseLine(line, shard);
    if (read === undefined) return undefined;
    const last = wakes.at(-1);
    const isMore = last?.portfolio === read.portfolio && last.dueAt === read.dueAt;
    if (isMore) last.slices = [...(last.slices ?? []), ...(read.slices ?? [])];
    else wakes.push(read);
  }
  return wakes;
}

function parseLine(line: unknown, shard: number): Wake | undefined {
  if (typeof line !== 'object' || line === null) return undefined;
  const { portfolio, wakeAt, leg, slice, due } = line as Record<keyof Line, unknown>;
  if (typeof portfolio !== 'string' || !/^\d{1,16}$/.test(portfolio)) return undefined;
  if (!isCount(wakeAt) || wakeAt > INSTANT_MAX) return undefined;
  const wake = { portfolio: portfolioId(portfolio), shard, dueAt: instant(wakeAt) };
  if (leg === undefined) return wake;
  const dueAt = typeof due === 'string' ? Date.parse(due) : undefined;
  if (!isCount(leg) || !isCount(slice) || !isCount(dueAt)) return undefined;
  const slices: readonly DueSlice[] = [{ leg, slice, dueAt: instant(dueAt) }];
  return { ...wake, slices };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
