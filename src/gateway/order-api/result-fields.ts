// Field types of results: decimals as text, instants as Unix milliseconds.
import { z } from 'zod';

export const text = (description: string) => z.string().describe(description);
export const decimal = (description: string) => z.string().describe(description);
export const instant = (description: string) =>
  z.int().describe(`${description}, Unix milliseconds`);
export const flag = (description: string) => z.boolean().describe(description);
export const whole = (description: string) => z.int().describe(description);
