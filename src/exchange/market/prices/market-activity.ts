// How the state of the market affects quotes and trading: volatile hours make it wider, thinner and busier,
// and a sudden move makes the makers withdraw.
import type { Instant } from '../../../values/instant.ts';
import type { Coin } from '../coins.ts';
import type { Liveliness } from '../liveliness.ts';
import type { IndexProcess } from './index-process.ts';

/** The market conditions that the makers and takers of a coin observe. */
export interface MarketActivity {
  /** Variance of the hours around, relative to the usual. */
  readonly pace: number;
  /** The same of the minutes around. */
  readonly quickPace: number;
  /** 0 in ordinary conditions, at most {@link ALARM_MAX} right after a jump. */
  readonly alarm: number;
}

export const ALARM_MAX = 6;
/** Moves of fewer standard deviations have no effect. */
const CALM_DEVIATIONS = 2.5;
/** At this alarm level the makers withdraw their nearest levels. */
const PULL_ALARM = 4;
const PULLED_LEVELS = 2;
/** Standard deviation of an index over a second of a usual hour, a fraction: half of the annual 0.55. */
const SECOND_MOVE = 0.0001;

/** As of the last change of prices; the same object until the next. */
export function marketActivities(
  index: IndexProcess,
): (coin: Coin, now: Instant) => MarketActivity {
  const known = new Map<Coin, { readonly beat: Instant; readonly mood: MarketActivity }>();
  return (coin, now) => {
    const beat = index.beatAt(now);
    const last = known.get(coin);
    if (last?.beat === beat) return last.mood;
    const mood = {
      pace: index.pace(beat),
      quickPace: index.quickPace(beat),
      alarm: alarmAt(index.shock(coin, beat)),
    };
    known.set(coin, { beat, mood });
    return mood;
  };
}

/** `shock` in standard deviations. */
const alarmAt = (shock: number): number =>
  Math.max(0, Math.min(ALARM_MAX, shock - CALM_DEVIATIONS));

export const pulledAt = (alarm: number): number => (alarm >= PULL_ALARM ? PULLED_LEVELS : 0);
/** Widths grow with the standard deviation of moves. */
export const widthFactor = (pace: number): number => Math.max(0.7, Math.min(2, Math.sqrt(pace)));
export const sizeFactor = ({ pace, alarm }: MarketActivity): number =>
  1 / (Math.max(0.7, Math.min(1.6, pace ** 0.25)) * (1 + alarm / 2));
/** The fraction of potential takers that arrive, 0 to 1. */
export function livelinessAt(
  { pace, quickPace, alarm }: MarketActivity,
  { of, usual, power, least, most }: Liveliness,
): number {
  const relative = (of === 'hours' ? pace : quickPace) ** power;
  return Math.min(1, usual * Math.max(least, Math.min(most, relative)) * (1 + alarm / 3));
}
/** What an alarmed maker adds to its half-width, as a fraction of the coin's price. */
export const alarmWidth = ({ pace, alarm }: MarketActivity): number =>
  0.5 * alarm * SECOND_MOVE * Math.sqrt(pace);
