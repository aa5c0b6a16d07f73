// The plan of a leg: when each slice is due and how large it is, as a pure function of the request. No cursor is
// kept: any instant can be recomputed, also after a restart. Sizes are differences of a cumulative curve rounded to
// the lot, so that they sum exactly and never drift.
import {
  minus,
  onStep,
  proportionOnStep,
  type Quantity,
  smaller,
  steps,
  stepsIn,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { assert } from '../../values/assert.ts';
import { type Instant, instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { hash32 } from '../../values/rng.ts';
import { wholeQuotient } from '../../values/whole-division.ts';

export interface Schedule {
  readonly startAt: Instant;
  readonly durationMs: number;
  readonly frequencyMs: number;
  /** Shifts every slice by this share of its interval, in [0, 1). */
  readonly phase: number;
  /**
   * The point of the straight line that a slice brings its leg to: the end of its interval, or the middle of the time
   * until the next slice, which halves the deviation of a schedule that starts immediately.
   */
  readonly aim?: 'end' | 'middle' | undefined;
  readonly randomise?:
    | { readonly size: number; readonly time: number; readonly seed: string }
    | undefined;
}

type Grid = Pick<Instrument, 'amountStep' | 'minAmount'>;

/** Slices of one leg, numbered from 0. */
export interface LegPlan {
  readonly slices: number;
  readonly total: Quantity;
  /**
   * Absolute: start + k·interval, shifted by the phase. If there are fewer slices than the frequency calls for, each
   * is due in the middle one of the slots it replaces.
   */
  dueAt(slice: number): Instant;
  /** When the slice's time is up: the next one's due instant, or the end of the portfolio. */
  endsAt(slice: number): Instant;
  /** Cumulative target after slices 0…`slice`; zero for −1, the total for the last. */
  targetAfter(slice: number): Quantity;
  planned(slice: number): Quantity;
  /** The latest slice that is due at `now`; −1 before the first. */
  lastDue(now: Instant): number;
}

const TO_LOTS = { rounding: 'half_up' } as const;

/** Targets cached per plan, each indexed by its number modulo this. */
const TARGETS_KEPT = 8;

/** The smallest tradable number of lots. */
const minimumLots = (grid: Grid): number =>
  Math.max(1, stepsIn(onStep(grid.minAmount, grid.amountStep, 'up'), grid.amountStep));

/** The even course of a leg, before randomisation. Positions are milliseconds after the start. */
interface Course {
  readonly slices: number;
  /** Start of a slice's interval; the duration from the last one on. */
  begin(slice: number): number;
  due(slice: number): number;
  /** Shortest interval of a slice, in lots. */
  readonly leastLots: number;
}

/**
 * Number and spacing of slices: `ceil(duration / frequency)` at the frequency if every slice is tradable; otherwise
 * as many equal ones as lots and minimum allow, evenly spread.
 */
function courseOf(schedule: Schedule, lots: number, least: number): Course {
  const { durationMs, frequencyMs, phase } = schedule;
  assert(lots >= least, 'the total of a leg is at least the minimum of its instrument');
  const wanted = Math.ceil(durationMs / frequencyMs);
  const lastMs = durationMs - (wanted - 1) * frequencyMs;
  const shortestMs = Math.min(lastMs, frequencyMs);
  const isWhole = Math.floor((lots * shortestMs) / durationMs) >= least;
  const whole = Math.max(1, Math.floor(durationMs / frequencyMs));
  const slices = isWhole ? wanted : Math.min(whole, Math.floor(lots / least));
  const intervalMs = isWhole ? frequencyMs : durationMs / slices;
  const begin = (slice: number): number => Math.min(slice * intervalMs, durationMs);
  const due = (slice: number): number => {
    const lengthMs = begin(slice + 1) - begin(slice);
    const slotMs = Math.min(lengthMs, frequencyMs);
    return begin(slice) + (lengthMs - slotMs) / 2 + phase * slotMs;
  };
  const leastLots = (lots * (isWhole ? shortestMs : intervalMs)) / durationMs;
  return { slices, begin, due, leastLots };
}

/** When each slice is due: its even instant, or one drawn between that and its interval's end. */
const dueOf =
  ({ begin, due }: Course, { randomise }: Schedule) =>
  (slice: number): number => {
    if (randomise === undefined || randomise.time === 0) return due(slice);
    const restMs = begin(slice + 1) - due(slice);
    return due(slice) + drawn(randomise.seed, 'time', slice) * randomise.time * restMs;
  };

/** The point of the line that the leg should reach after each slice but the last, in milliseconds of the duration. */
function fillableQuantity(
  schedule: Schedule,
  course: Course,
  least: number,
): (slice: number) => number {
  const { begin, due, slices, leastLots } = course;
  const { durationMs, aim, randomise } = schedule;
  const middle = (slice: number): number => (due(slice) + due(slice + 1)) / 2;
  const lots = (ms: number): number => (leastLots * ms) / shortestOf(course);
  const lastMs = durationMs - middle(slices - 2);
  const isTradable = Math.round(lots(middle(0))) >= least && Math.floor(lots(lastMs)) >= least;
  const even =
    aim === 'middle' && slices > 1 && isTradable
      ? middle
      : (slice: number): number => begin(slice + 1);
  if (randomise === undefined || randomise.size === 0) return even;
  const width = (slice: number): number => even(slice) - (slice === 0 ? 0 : even(slice - 1));
  // No slice is drawn below the minimum.
  const size = Math.min(randomise.size, Math.max(0, 1 - least / Math.floor(leastLots)));
  return (slice) => {
    const nextMs = slice >= slices - 2 ? durationMs - even(slice) : width(slice + 1);
    const roomMs = size * Math.min(width(slice), nextMs);
    return even(slice) + (drawn(randomise.seed, 'size', slice) - 0.5) * roomMs;
  };
}

const shortestOf = ({ slices, begin }: Course): number =>
  Math.min(begin(1), begin(slices) - begin(slices - 1));

/** The plan of a leg of `total`, a multiple of the lot and at least the minimum. */
export function legPlan(schedule: Schedule, total: Quantity, grid: Grid): LegPlan {
  const { startAt, durationMs } = schedule;
  const least = minimumLots(grid);
  const lots = stepsIn(total, grid.amountStep);
  const course = courseOf(schedule, lots, least);
  const { slices } = course;
  const due = dueOf(course, schedule);
  const reach = fillableQuantity(schedule, course, least);
  const dueAt = (slice: number): Instant => instant(Math.floor(startAt + due(slice)));
  const endAt = instant(startAt + durationMs);
  const curveAt = (slice: number): Quantity => {
    const numerator = Math.round(reach(slice));
    const inLots = lots * numerator;
    if (Number.isSafeInteger(inLots)) {
      return steps(grid.amountStep, wholeQuotient(inLots, durationMs, TO_LOTS.rounding));
    }
    const part = { numerator, denominator: durationMs, ...TO_LOTS } as const;
    return proportionOnStep(total, grid.amountStep, part);
  };
  // The same few slices are requested repeatedly, and each would cost a division.
  const keptOf: number[] = [];
  const kept: Quantity[] = [];
  const targetAfter = (slice: number): Quantity => {
    if (slice < 0) return ZERO_QUANTITY;
    if (slice >= slices - 1) return total;
    const place = slice % TARGETS_KEPT;
    const known = kept[place];
    if (known !== undefined && keptOf[place] === slice) return known;
    const target = smaller(curveAt(slice), total);
    keptOf[place] = slice;
    kept[place] = target;
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
      const intervalMs = course.begin(1);
      let guess = Math.min(slices - 1, Math.floor((now - startAt) / intervalMs));
      if (guess < 0) return -1;
      while (guess >= 0 && dueAt(guess) > now) guess -= 1;
      while (guess + 1 < slices && dueAt(guess + 1) <= now) guess += 1;
      return guess;
    },
  };
}

/**
 * Small random deviations from an even schedule, as a function of seed, purpose and slice: any slice's draw can be
 * recomputed without the others, also after a restart.
 */
const SPAN = 4_294_967_296;

/** Uniform in [0, 1). */
const drawn = (seed: string, purpose: 'size' | 'time', slice: number): number =>
  hash32(`${seed}/${purpose}/${slice}`) / SPAN;
