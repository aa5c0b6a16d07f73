// How late the slices of a running daemon are, and how many it misses, from what its metrics count meanwhile.
import type { Daemon } from '../test/support/daemon/daemon-process.ts';

export interface SliceCounts {
  readonly missed: number;
  readonly sent: number;
  /** Of all that were sent together. */
  readonly lateSec: number;
  /** Number of slices by bound: at most that many seconds late. */
  readonly atMost: ReadonlyMap<number, number>;
}

export interface Lateness {
  readonly sent: number;
  readonly missed: number;
  readonly meanMs: number;
  /** Within buckets, so only about. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What is sent while `during` lasts. */
export async function latenessOf(
  daemon: Pick<Daemon, 'url'>,
  during: () => Promise<unknown>,
): Promise<Lateness> {
  const before = await sliceCounts(daemon);
  await during();
  const after = await sliceCounts(daemon);
  return {
    sent: after.sent - before.sent,
    missed: after.missed - before.missed,
    meanMs: ((after.lateSec - before.lateSec) / (after.sent - before.sent)) * 1_000,
    p50Ms: lateMs(0.5, before, after),
    p99Ms: lateMs(0.99, before, after),
  };
}

async function sliceCounts({ url }: Pick<Daemon, 'url'>): Promise<SliceCounts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lastOf = (line: string): number => Number(line.slice(line.lastIndexOf(' ') + 1));
  const sum = (name: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .reduce((total, line) => total + lastOf(line), 0);
  const atMost = new Map<number, number>();
  for (const line of text.split('\n')) {
    const bound = /^twapd_slice_lateness_seconds_bucket\{.*le="([^"]+)"/.exec(line)?.[1];
    if (bound === undefined) continue;
    const seconds = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    atMost.set(seconds, (atMost.get(seconds) ?? 0) + lastOf(line));
  }
  const sent = sum('twapd_slice_lateness_seconds_count');
  const lateSec = sum('twapd_slice_lateness_seconds_sum');
  return { missed: sum('twapd_slices_missed_total'), sent, lateSec, atMost };
}

/** As `histogram_quantile` of Prometheus: slices are spread evenly over their bucket; beyond the last bound that bound. */
function lateMs(share: number, before: SliceCounts, after: SliceCounts): number {
  const rank = share * (after.sent - before.sent);
  const bounds = [...after.atMost.keys()].sort((a, b) => a - b);
  let [from, below] = [0, 0];
  for (const bound of bounds) {
    const count = (after.atMost.get(bound) ?? 0) - (before.atMost.get(bound) ?? 0);
    if (count >= rank && Number.isFinite(bound)) {
      const part = count === below ? 1 : (rank - below) / (count - below);
      return Math.round((from + (bound - from) * part) * 1_000);
    }
    if (Number.isFinite(bound)) [from, below] = [bound, count];
  }
  return Math.round(from * 1_000);
}
