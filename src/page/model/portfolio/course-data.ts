// What charts draw of a course: points of the schedule and its envelope, fills, children and the touch, at common instants.
// Numbers here are for the eye; every figure that is read stands as the gateway wrote it.
import type { CourseRecord } from '../../../gateway/client/client.ts';

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

export interface ScheduleData {
  readonly at: number[];
  /** Called for by now, and what may be missing of it while the slice runs. */
  readonly upper: Column;
  readonly lower: Column;
  readonly filled: Column;
}

/** Steps: each value holds until the next. Fills are shown until `now`, the plan until its end. */
export function scheduleData(
  { plan, fills }: LegCourse,
  { start, end, now }: { readonly start: number; readonly end: number; readonly now: number },
): ScheduleData {
  const at = ascending([
    start,
    now,
    Math.max(end, now),
    ...plan.map((one) => one.at),
    ...fills.map((one) => one.at),
  ]);
  const [upper, lower, filled]: [Column, Column, Column] = [[], [], []];
  const ordered = fills.toSorted((a, b) => Number(a.filled) - Number(b.filled));
  let [planned, done] = [0, 0];
  for (const instant of at) {
    while (planned < plan.length && (plan[planned]?.at ?? 0) <= instant) planned += 1;
    while (done < ordered.length && (ordered[done]?.at ?? 0) <= instant) done += 1;
    const hasPlan = plan.length > 0;
    upper.push(hasPlan ? Number(plan[planned - 1]?.quantity ?? 0) : null);
    // At the end the time of the last slice is up as well.
    const held = instant >= end ? planned - 1 : planned - 2;
    lower.push(hasPlan ? Number(plan[held]?.quantity ?? 0) : null);
    filled.push(instant > now ? null : Number(ordered[done - 1]?.filled ?? 0));
  }
  return { at, upper, lower, filled };
}

export interface PriceData {
  readonly at: number[];
  readonly bid: Column;
  readonly ask: Column;
  readonly maker: Column;
  readonly taker: Column;
}

export function priceData(
  { market, fills }: LegCourse,
  { start, now }: { readonly start: number; readonly now: number },
): PriceData {
  const at = ascending([start, now, ...market.map((one) => one.at), ...fills.map((one) => one.at)]);
  const places = new Map(at.map((instant, index) => [instant, index]));
  const empty = (): Column => at.map(() => null);
  const [bid, ask, maker, taker] = [empty(), empty(), empty(), empty()];
  const put = (column: Column, instant: number, value: string | null): void => {
    const place = places.get(instant);
    if (place !== undefined) column[place] = value === null ? null : Number(value);
  };
  for (const one of market) {
    put(bid, one.at, one.bid);
    put(ask, one.at, one.ask);
  }
  for (const one of fills) put(one.liquidity === 'maker' ? maker : taker, one.at, one.price);
  return { at, bid, ask, maker, taker };
}

export interface Resting {
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly isOpen: boolean;
}

/** One line for each price that a child had, as long as it had it. */
export const restingLines = ({ children }: LegCourse, now: number): readonly Resting[] =>
  children.flatMap(({ prices, closedAt }) =>
    prices.map(({ at, price }, index) => ({
      from: at,
      to: prices[index + 1]?.at ?? closedAt ?? now,
      price: Number(price),
      isOpen: closedAt === null && index === prices.length - 1,
    })),
  );

const ascending = (instants: readonly number[]): number[] =>
  [...new Set(instants)].sort((a, b) => a - b);
