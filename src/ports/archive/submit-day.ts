// The UTC day on which a portfolio was submitted, which is in its id: an id is the millisecond of the submit times a
// thousand, plus a counter.
import type { PortfolioId } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, isoText } from '../../values/instant.ts';

/** Such as 2026-11-24. */
export type DayName = string & { readonly [brand]: 'day' };
declare const brand: unique symbol;

export const IDS_PER_MS = 1_000;

/** The day of an instant. */
export const dayOf = (at: Instant): DayName => isoText(at).slice(0, 10) as DayName;

export const submitDay = (portfolio: PortfolioId): DayName =>
  dayOf(instant(Math.floor(Number(portfolio) / IDS_PER_MS)));

/** `undefined` unless the text is a day that exists, written as 2026-11-24. */
export function dayName(text: string): DayName | undefined {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && dayOf(instant(at)) === text ? (text as DayName) : undefined;
}

/** When the day begins and ends: the end is the beginning of the next. */
export function dayBounds(day: DayName): { readonly from: Instant; readonly to: Instant } {
  const from = instant(Date.parse(`${day}T00:00:00Z`));
  return { from, to: instant(from + DAY_MS) };
}
