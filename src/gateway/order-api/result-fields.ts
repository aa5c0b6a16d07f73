// Field types of results: decimals as text, instants as Unix milliseconds.
import { z } from 'zod';
import { text as decimalText, type Price, type Ratio, rounded } from '../../values/amounts.ts';

export const text = (description: string) => z.string().describe(description);
export const decimal = (description: string) => z.string().describe(description);
export const instant = (description: string) =>
  z.int().describe(`${description}, Unix milliseconds`);
export const flag = (description: string) => z.boolean().describe(description);
export const whole = (description: string) => z.int().describe(description);

/** Averages rarely have a finite decimal expansion; they are rounded to this many places. */
const AVERAGE_PLACES = 8;

export const averageText = (average: Price): string =>
  decimalText(rounded(average, AVERAGE_PLACES, 'half_even'));

/** Greeks come from a model; further decimal places are noise. */
export const greekText = (greek: Ratio): string =>
  decimalText(rounded(greek, AVERAGE_PLACES, 'half_even'));

/** A model's float as text: at most `places` decimals, no exponent. */
export function floatText(value: number, places: number): string {
  const fixed = value.toFixed(places);
  const short = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return short === '-0' ? '0' : short;
}
