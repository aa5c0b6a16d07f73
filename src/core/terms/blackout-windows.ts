// Blackout windows: daily times, such as settlements and maintenance, in which nothing is placed or left resting.
import { DAY_MS, type Instant, later } from '../../values/instant.ts';
import type { DailyWindow } from './execution.ts';

/** True within one of the windows; the end of a window is excluded. */
export function isBlackout(windows: readonly DailyWindow[] | undefined, now: Instant): boolean {
  if (windows === undefined) return false;
  const timeMs = now % DAY_MS;
  return windows.some(({ fromMs, toMs }) =>
    fromMs <= toMs ? timeMs >= fromMs && timeMs < toMs : timeMs >= fromMs || timeMs < toMs,
  );
}

/** The first instant from `at` on that is outside all windows. */
export function openFrom(windows: readonly DailyWindow[] | undefined, at: Instant): Instant {
  let open = at;
  // Windows may be adjacent; those that cover the whole day leave nothing open.
  for (let tries = 2 * (windows?.length ?? 0); tries > 0 && isBlackout(windows, open); tries -= 1) {
    open = nextBlackoutEdge(windows, open) ?? open;
  }
  return open;
}

/** The next instant at which a window starts or ends; `undefined` without windows. */
export function nextBlackoutEdge(
  windows: readonly DailyWindow[] | undefined,
  now: Instant,
): Instant | undefined {
  if (windows === undefined || windows.length === 0) return undefined;
  const timeMs = now % DAY_MS;
  const waits = windows.flatMap(({ fromMs, toMs }) => [
    waitMs(timeMs, fromMs),
    waitMs(timeMs, toMs),
  ]);
  return later(now, Math.min(...waits));
}

const waitMs = (timeMs: number, edgeMs: number): number =>
  edgeMs > timeMs ? edgeMs - timeMs : edgeMs + DAY_MS - timeMs;
