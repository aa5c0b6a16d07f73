// What charts draw of a course: points of the schedule and its envelope, fills, own orders, slices and the touch. Numbers are
// floats, for the eye.
import type { CourseRecord, PortfolioReport } from '../../../gateway/client/client.ts';

export type LegCourse = CourseRecord['legs'][number];
export type Column = (number | null)[];

const MARKET_POINTS_MAX = 4_000;
const FILLS_MAX = 20_000;
const CHILDREN_MAX = 400;

/** What was read before, and what is new since; the plan and the open children are those of the new answer. */
export function joined(before: CourseRecord | undefined, next: CourseRecord): CourseRecord {
  if (before === undefined || before.portfolioId !== next.portfolioId) return next;
  const legs = next.legs.map((leg, index): LegCourse => {
    const old = before.legs[index];
    if (old === undefined) return leg;
    const known = new Set(leg.children.map(({ label }) => label));
    const closed = old.children.filter(
      ({ label, closedAt }) => closedAt !== null && !known.has(label),
    );
    return {
      ...leg,
      fills: [...old.fills, ...leg.fills].slice(-FILLS_MAX),
      children: [...closed, ...leg.children].slice(-CHILDREN_MAX),
      market: [...old.market, ...leg.market].slice(-MARKET_POINTS_MAX),
    };
  });
  return { ...next, legs };
}

/** Of the charts: until the end of the schedule; without one, until now. */
export interface Times {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

/** The value in force at an instant, of points that each hold until the next; `null` in a gap and before the first. */
export function valueAt(at: readonly number[], column: Column, instant: number): number | null {
  return column[placeOf(at, instant)] ?? null;
}

/** Index of the last of ascending instants that is not later; -1: none. */
export function placeOf(at: readonly number[], instant: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface ScheduleData {
  readonly at: number[];
  /** Called for by now, and what may be missing of it while the slice runs. */
  readonly upper: Column;
  readonly lower: Column;
  readonly filled: Column;
  /** Filled of each other leg. */
  readonly others: readonly Column[];
}

/**
 * Steps: each value holds until the next. Fills are shown until `now`, the plan until its end. Next to other legs everything is
 * a share of its leg's total, because units differ.
 */
export function scheduleData(
  leg: LegCourse,
  { start, end, now }: Times,
  others: readonly LegCourse[] = [],
): ScheduleData {
  const { plan } = leg;
  const at = ascending([
    start,
    now,
    Math.max(end, now),
    ...plan.map((one) => one.at),
    ...[leg, ...others].flatMap(({ fills }) => fills.map((one) => one.at)),
  ]);
  const whole = others.length === 0 ? 1 : totalOf(leg);
  const share = (of: string | undefined): number => Number(of ?? 0) / whole;
  const [upper, lower]: [Column, Column] = [[], []];
  const dueAt = plan.map((one) => one.at);
  for (const instant of at) {
    const place = placeOf(dueAt, instant);
    const hasPlan = plan.length > 0;
    upper.push(hasPlan ? share(plan[place]?.quantity) : null);
    // At the end the time of the last slice is up as well.
    lower.push(hasPlan ? share(plan[instant >= end ? place : place - 1]?.quantity) : null);
  }
  return {
    at,
    upper,
    lower,
    filled: filledColumn(at, leg, { now, whole }),
    others: others.map((one) => filledColumn(at, one, { now, whole: totalOf(one) })),
  };
}

/** 0: it has none, which a hedge may. */
const totalOf = ({ quantity }: LegCourse): number => Number(quantity);

function filledColumn(
  at: readonly number[],
  { fills }: LegCourse,
  { now, whole }: { readonly now: number; readonly whole: number },
): Column {
  const { at: times, filled } = filledSteps(fills);
  return at.map((instant) => {
    if (instant > now || whole === 0) return null;
    return (filled[placeOf(times, instant)] ?? 0) / whole;
  });
}

/** In the order of their totals, which is that of their booking; a trade may have been booked after a later one. */
export function filledSteps(fills: LegCourse['fills']): {
  readonly at: readonly number[];
  readonly filled: readonly number[];
} {
  const ordered = fills.toSorted((a, b) => Number(a.filled) - Number(b.filled));
  let latest = 0;
  const at = ordered.map((one) => {
    latest = Math.max(latest, one.at);
    return latest;
  });
  return { at, filled: ordered.map((one) => Number(one.filled)) };
}

export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The record has a row each second; one is in force for at most this long. */
const HOLE_MS = 10_000;
/** Rows that are read at once are thinned to so many. */
const THINNED_TO = 600;
const STEPS = 3;

/** When no market was recorded. */
export function gapsOf(
  market: LegCourse['market'],
  { start, now }: Pick<Times, 'start' | 'now'>,
): readonly Gap[] {
  const longest = Math.max(HOLE_MS, (STEPS * (now - start)) / THINNED_TO);
  const gaps: Gap[] = [];
  let row: number | undefined;
  for (const to of [...market.map(({ at }) => at), now]) {
    if (to - (row ?? start) > longest) {
      gaps.push({ from: row === undefined ? start : row + HOLE_MS, to });
    }
    row = to;
  }
  return gaps;
}

export interface PriceData {
  readonly at: number[];
  readonly bid: Column;
  readonly ask: Column;
  readonly mid: Column;
}

/** The touch: each value holds until the next or until a gap; a side that is empty is none, and then there is no mid. */
export function priceData(
  { market }: Pick<LegCourse, 'market'>,
  times: Pick<Times, 'start' | 'now'>,
): PriceData {
  const gaps = gapsOf(market, times);
  const rows = new Map(market.map((one) => [one.at, one]));
  const starts = new Set(gaps.map(({ from }) => from));
  const at = ascending([times.start, times.now, ...rows.keys(), ...starts]);
  const [bid, ask, mid]: [Column, Column, Column] = [[], [], []];
  let row: LegCourse['market'][number] | undefined;
  for (const instant of at) {
    row = rows.get(instant) ?? (starts.has(instant) ? undefined : row);
    const [low, high] = [sideOf(row?.bid), sideOf(row?.ask)];
    bid.push(low);
    ask.push(high);
    mid.push(low === null || high === null ? null : (low + high) / 2);
  }
  return { at, bid, ask, mid };
}

const sideOf = (price: string | null | undefined): number | null =>
  price === null || price === undefined ? null : Number(price);

const ROOM = 0.08;
/** Own orders farther from what traded than this share of its range do not widen it. */
const NEAR = 0.25;
const LEAST_SPAN = 0.0005;

/**
 * From the lowest to the highest of what was quoted and traded, with room; own orders near it are included. A protective limit
 * or a deep order is not, so that it does not flatten the rest. `undefined`: there is nothing to show.
 */
export function priceRange(
  traded: readonly (number | null)[],
  own: readonly number[],
): readonly [number, number] | undefined {
  const [low, high] = extent(traded.filter((one) => one !== null));
  if (low > high) {
    const [least, most] = extent(own);
    return least > most ? undefined : roomy(least, most);
  }
  const reach = Math.max(high - low, Math.abs(high) * LEAST_SPAN) * NEAR;
  const [least, most] = extent(own.filter((one) => one >= low - reach && one <= high + reach));
  return roomy(Math.min(low, least), Math.max(high, most));
}

const roomy = (low: number, high: number): readonly [number, number] => {
  const room = (high - low) * ROOM || Math.abs(high) * LEAST_SPAN || 1;
  return [low - room, high + room];
};

/** Not over an argument list: there may be thousands. */
export function extent(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

export interface Resting {
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly isOpen: boolean;
}

/** These never were in the book. */
const NOT_IN_BOOK: readonly LegCourse['children'][number]['state'][] = ['rejected', 'unsent'];

/** One line for each price that a child had, as long as it had it. */
export const restingLines = ({ children }: LegCourse, now: number): readonly Resting[] =>
  children
    .filter(({ state }) => !NOT_IN_BOOK.includes(state))
    .flatMap(({ prices, closedAt }) =>
      prices.map(({ at, price }, index) => ({
        from: at,
        to: prices[index + 1]?.at ?? closedAt ?? now,
        price: Number(price),
        isOpen: closedAt === null && index === prices.length - 1,
      })),
    );

export interface SliceBar {
  readonly from: number;
  readonly to: number;
  /** From 0; `undefined`: it is still to come. */
  readonly slice: number | undefined;
  readonly planned: number;
  readonly filled: number;
  readonly state: 'sent' | 'not sent' | 'next';
}

/** The slices of a leg in order, each until the next: those that have run by the report, those to come by the plan. */
export function sliceBars(
  { leg, plan }: LegCourse,
  slices: PortfolioReport['slices'],
  { end }: Pick<Times, 'end'>,
): readonly SliceBar[] {
  const ran = slices
    .filter((one) => one.leg === leg && one.due !== null)
    .map((one) => ({
      from: Date.parse(one.due ?? ''),
      slice: one.slice,
      planned: Number(one.planned),
      filled: Number(one.filled),
      state: one.isSent ? ('sent' as const) : ('not sent' as const),
    }))
    .sort((a, b) => a.from - b.from);
  const lastMs = ran.at(-1)?.from ?? -Infinity;
  const next = plan.flatMap(({ at, quantity }, index) =>
    at <= lastMs
      ? []
      : [
          {
            from: at,
            slice: undefined,
            planned: Number(quantity) - Number(plan[index - 1]?.quantity ?? 0),
            filled: 0,
            state: 'next' as const,
          },
        ],
  );
  const all = [...ran, ...next];
  return all.map((one, index) => ({
    ...one,
    to: all[index + 1]?.from ?? Math.max(end, one.from),
  }));
}

const ascending = (instants: readonly number[]): number[] =>
  [...new Set(instants)].sort((a, b) => a - b);
