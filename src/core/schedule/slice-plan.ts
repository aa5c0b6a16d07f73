// The plan of a leg: when each slice is due and how large it is, as a pure function of what was asked.
// No cursor is kept: any instant can be asked for again, after a restart too. Sizes are differences of
// a cumulative curve rounded to the lot, so that they sum exactly and never drift.
import {
  minus,
  onStep,
  proportionOnStep,
  type Quantity,
  smaller,
  stepsIn,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { assert } from '../../values/assert.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';

export interface Schedule {
  readonly startAt: Instant;
  readonly durationMs: number;
  readonly frequencyMs: number;
  /** Shifts every slice by this share of its interval, in [0, 1). */
  readonly phase: number;
}

type Grid = Pick<Instrument, 'amountStep' | 'minAmount'>;

/** Slices of one leg, numbered from 0. */
export interface LegPlan {
  readonly slices: number;
  readonly total: Quantity;
  /** Absolute: start + k·interval, shifted by the phase. */
  dueAt(slice: number): Instant;
  /** When the slice's time is up: the next one's due instant, or the end of the portfolio. */
  endsAt(slice: number): Instant;
  /** What should be filled once slices 0…`slice` are; zero for −1, the total for the last. */
  targetAfter(slice: number): Quantity;
  planned(slice: number): Quantity;
  /** The latest slice that is due at `now`; −1 before the first. */
  lastDue(now: Instant): number;
}

/** Targets remembered per plan. */
const TARGETS_KEPT = 8;

/** The smallest number of lots that may be traded. */
const minimumLots = (grid: Grid): number =>
  Math.max(1, stepsIn(onStep(grid.minAmount, grid.amountStep, 'up'), grid.amountStep));

/**
 * How many slices, and how far apart: `ceil(duration / frequency)` at the frequency where every slice
 * can be traded; otherwise as many equal ones as lots and minimum allow, evenly spread.
 */
function spacing(schedule: Schedule, total: Quantity, grid: Grid) {
  const { durationMs, frequencyMs } = schedule;
  const wanted = Math.ceil(durationMs / frequencyMs);
  const lots = stepsIn(total, grid.amountStep);
  const least = minimumLots(grid);
  assert(lots >= least, 'the total of a leg is at least the minimum of its instrument');
  const lastMs = durationMs - (wanted - 1) * frequencyMs;
  const shortest = Math.min(lastMs, frequencyMs);
  if (Math.floor((lots * shortest) / durationMs) >= least) {
    return { slices: wanted, intervalMs: frequencyMs };
  }
  const whole = Math.max(1, Math.floor(durationMs / frequencyMs));
  const slices = Math.min(whole, Math.floor(lots / least));
  return { slices, intervalMs: durationMs / slices };
}

/** The plan of a leg of `total`, a multiple of the lot and at least the minimum. */
export function legPlan(schedule: Schedule, total: Quantity, grid: Grid): LegPlan {
  const { startAt, durationMs, phase } = schedule;
  const { slices, intervalMs } = spacing(schedule, total, grid);
  const begin = (slice: number): number => Math.min(slice * intervalMs, durationMs);
  const dueAt = (slice: number): Instant => {
    const from = begin(slice);
    return instant(Math.floor(startAt + from + phase * (begin(slice + 1) - from)));
  };
  const endAt = instant(startAt + durationMs);
  // Asked for the same few slices again and again, and a division each time.
  const targets = new Map<number, Quantity>();
  const targetAfter = (slice: number): Quantity => {
    if (slice < 0) return ZERO_QUANTITY;
    if (slice >= slices - 1) return total;
    const known = targets.get(slice);
    if (known !== undefined) return known;
    const part = { numerator: Math.round(begin(slice + 1)), denominator: durationMs } as const;
    const curve = proportionOnStep(total, grid.amountStep, { ...part, rounding: 'half_up' });
    const target = smaller(curve, total);
    if (targets.size >= TARGETS_KEPT) targets.clear();
    targets.set(slice, target);
    return target;
  };
  return {
    slices,
    total,
    dueAt,
    endsAt: (slice) => (slice >= slices - 1 ? endAt : dueAt(slice + 1)),
    targetAfter,
    planned: (slice) => minus(targetAfter(slice), targetAfter(slice - 1)),
    lastDue: (now) => {
      let guess = Math.min(slices - 1, Math.floor((now - startAt) / intervalMs));
      if (guess < 0) return -1;
      while (guess >= 0 && dueAt(guess) > now) guess -= 1;
      while (guess + 1 < slices && dueAt(guess + 1) <= now) guess += 1;
      return guess;
    },
  };
}
