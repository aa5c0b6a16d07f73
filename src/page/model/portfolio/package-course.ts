// What the legs of a portfolio amount to together over time: the profit or loss of what is filled, valued at the mid, and its
// delta. Floats, for the eye: fees and funding are not in it, and nothing of it is booked.
import type { PortfolioReport } from '../../../gateway/client/client.ts';
import type { LegRecord } from '../../../gateway/portfolios/record-schema.ts';
import {
  type Column,
  filledSteps,
  type LegCourse,
  placeOf,
  priceData,
  type Times,
  valueAt,
} from './course-data.ts';

export interface PackageLeg {
  readonly course: LegCourse;
  readonly record: Pick<LegRecord, 'instrumentType' | 'quantityIn' | 'defaultPvCcy'>;
}

export interface CourseLine {
  readonly at: number[];
  readonly value: Column;
}

const DOLLARS = ['USD', 'USDC', 'USDT'];
const COMBOS: readonly LegRecord['instrumentType'][] = ['FUTURE_COMBO', 'OPTION_COMBO'];

/** In what the profit of all legs is: their common currency, or dollars; `undefined`: combos trade in legs of their own. */
export function profitUnit(legs: readonly PackageLeg[]): string | undefined {
  if (legs.some(({ record }) => COMBOS.includes(record.instrumentType))) return undefined;
  const [first, ...others] = new Set(legs.map(({ record }) => record.defaultPvCcy));
  return others.length === 0 ? first : 'USD';
}

/**
 * The profit, negative a loss, in `unit`. Unknown as long as the mid of a leg with fills is, or the dollars for a coin are.
 * `indexOf`: dollars for one of a coin, now.
 */
export function profitLine(
  legs: readonly PackageLeg[],
  times: Pick<Times, 'start' | 'now'>,
  {
    unit,
    indexOf,
  }: { readonly unit: string; readonly indexOf: (coin: string) => number | undefined },
): CourseLine {
  const own = legs.map(({ course, record }) => ({
    worth: legProfit(course, record, times),
    rate: rateOf(record.defaultPvCcy, unit, indexOf),
  }));
  const at = [...new Set(own.flatMap(({ worth }) => worth.at))].sort((a, b) => a - b);
  const value = at.map((instant): number | null => {
    let sum = 0;
    for (const { worth, rate } of own) {
      const one = valueAt(worth.at, worth.value, instant);
      if (one === null || (rate === undefined && one !== 0)) return null;
      sum += one * (rate ?? 0);
    }
    return sum;
  });
  return { at, value };
}

function rateOf(
  currency: string,
  unit: string,
  indexOf: (coin: string) => number | undefined,
): number | undefined {
  if (currency === unit || (unit === 'USD' && DOLLARS.includes(currency))) return 1;
  return indexOf(currency);
}

/** In the currency that the leg settles in. */
function legProfit(
  { side, fills, market }: LegCourse,
  { quantityIn }: PackageLeg['record'],
  times: Pick<Times, 'start' | 'now'>,
): CourseLine {
  const sign = side === 'buy' ? 1 : -1;
  // Contracts sized in dollars pay in coin, by the reciprocal of the price.
  const isInverse = quantityIn === 'USD';
  const { at: marketAt, mid } = priceData({ market }, times);
  const { at: fillAt, filled } = filledSteps(fills);
  const prices = fills
    .toSorted((a, b) => Number(a.filled) - Number(b.filled))
    .map(({ price }) => Number(price));
  const paid: number[] = [];
  for (const [index, total] of filled.entries()) {
    const size = total - (filled[index - 1] ?? 0);
    const price = prices[index] ?? 0;
    paid.push((paid[index - 1] ?? 0) + (isInverse ? size / price : size * price));
  }
  const at = [...new Set([...marketAt, ...fillAt])].sort((a, b) => a - b);
  const value = at.map((instant) => {
    const place = placeOf(fillAt, instant);
    if (place < 0) return 0;
    const now = valueAt(marketAt, mid, instant);
    if (now === null) return null;
    const [size, cost] = [filled[place] ?? 0, paid[place] ?? 0];
    return sign * (isInverse ? cost - size / now : size * now - cost);
  });
  return { at, value };
}

/** Delta of what is filled, in coins: zero until the first fill, each value until the next. */
export function deltaLine(
  delta: PortfolioReport['package']['delta'],
  { start, now }: Pick<Times, 'start' | 'now'>,
): CourseLine {
  const points = delta?.points ?? [];
  const at = [start, ...points.map((one) => Date.parse(one.at))];
  const value: Column = [0, ...points.map(({ coins }) => coins)];
  const last = value.at(-1) ?? null;
  return (at.at(-1) ?? now) < now ? { at: [...at, now], value: [...value, last] } : { at, value };
}
