// Recalculates PT-13: whether a daemon that checks a market every second must have seen it jump
// and still has to pause.
import type { ControlNumbers } from '../plan/controls-plan.ts';
import type { ShownTouch } from './shown-touch.ts';

/** From one look at a market to the next. */
const LOOK_MS = 1_000;
/** What follows from a look has followed by then. */
const ACTED_MS = 10;
const BPS = 10_000;

/** The middles that one look can have found. */
interface Range {
  readonly fromMs: number;
  readonly low: number;
  readonly high: number;
}

export interface JumpCase {
  readonly market: NonNullable<ControlNumbers['market']>;
  readonly nowMs: number;
  readonly watchedSinceMs: number;
}

export function certainJump(shown: readonly ShownTouch[], of: JumpCase): string | undefined {
  const { market, nowMs, watchedSinceMs } = of;
  const ranges = shown.flatMap(({ at }) => {
    const isSeen = at >= watchedSinceMs + LOOK_MS && at + LOOK_MS + ACTED_MS <= nowMs;
    return isSeen ? (rangeFrom(shown, at) ?? []) : [];
  });
  for (const after of ranges) {
    if (nowMs > after.fromMs + market.restMs - ACTED_MS) continue;
    for (const before of ranges) {
      const overMs = after.fromMs + LOOK_MS - before.fromMs;
      if (overMs < LOOK_MS || overMs > market.windowMs) continue;
      const up = after.low - before.high;
      const down = before.low - after.high;
      if (Math.max(up / before.high, down / before.high) * BPS > market.jumpBps * 1.001) {
        return `its middle went from ${before.low} to ${after.low} ticks ${nowMs - after.fromMs} ms ago`;
      }
    }
  }
  return undefined;
}

/** Absent where a look may have found a side empty. */
function rangeFrom(shown: readonly ShownTouch[], fromMs: number): Range | undefined {
  const within = shown.filter(({ at }) => at >= fromMs && at <= fromMs + LOOK_MS);
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const { bid, ask, unit } of within) {
    if (bid === undefined || ask === undefined) return undefined;
    // Users may have taken or bettered a price by a step.
    low = Math.min(low, (bid + ask) / 2 - 4 * unit);
    high = Math.max(high, (bid + ask) / 2 + 4 * unit);
  }
  return { fromMs, low, high };
}
