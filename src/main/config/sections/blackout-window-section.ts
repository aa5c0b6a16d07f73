// Daily blackout windows of a venue, written as "07:59:30-08:01:00" in UTC, or with another offset behind it.
import { z } from 'zod';
import type { DailyWindow } from '../../../core/terms/execution.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../values/instant.ts';

const CLOCK = '([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d))?';
const OFFSET = '(?:Z|([+-])(0\\d|1[0-4]):([0-5]\\d))';
const WINDOW = new RegExp(`^${CLOCK}-${CLOCK}${OFFSET}?$`);

const clockMs = ([hours, minutes, seconds]: readonly (string | undefined)[]): number =>
  Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds ?? 0) * SECOND_MS;

/** Returns `undefined` if the text is not a window. */
export function parseWindow(text: string): DailyWindow | undefined {
  const parts = WINDOW.exec(text);
  if (parts === null) return undefined;
  const [sign, ...offset] = parts.slice(7, 10);
  const aheadMs = sign === undefined ? 0 : clockMs(offset) * (sign === '-' ? -1 : 1);
  const inUtc = (localMs: number): number => (localMs - aheadMs + DAY_MS) % DAY_MS;
  const window = {
    fromMs: inUtc(clockMs(parts.slice(1, 4))),
    toMs: inUtc(clockMs(parts.slice(4, 7))),
  };
  return window.fromMs === window.toMs ? undefined : window;
}

export const quietWindows = z
  .array(
    z.string().refine((text) => parseWindow(text) !== undefined, {
      message:
        'is not a window; accepted: two different times of day, in UTC such as "07:59:30-08:01:00" or with their offset such as "08:59:30-09:01:00+01:00"',
    }),
  )
  .max(24)
  .default(['07:59:30-08:01:00'])
  .describe(
    'Windows of each day in UTC in which portfolios with avoidWindows neither place nor leave orders: the daily settlement, maintenance. One that ends before it begins spans midnight.',
  );

export const windowsOf = (texts: readonly string[]): readonly DailyWindow[] =>
  texts.flatMap((text) => parseWindow(text) ?? []);
