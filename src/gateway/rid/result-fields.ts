// What results are made of: decimals as text, instants as Unix milliseconds.
import { z } from 'zod';

export const text = (description: string) => z.string().describe(description);
export const decimal = (description: string) => z.string().describe(description);
export const instant = (description: string) =>
  z.int().describe(`${description}, Unix milliseconds`);
export const flag = (description: string) => z.boolean().describe(description);
export const whole = (description: string) => z.int().describe(description);

/** A float of a model as text: at most `places` decimals, no exponent. */
export function floatText(value: number, places: number): string {
  const fixed = value.toFixed(places);
  const short = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return short === '-0' ? '0' : short;
}
