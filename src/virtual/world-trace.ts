// A short hash over everything that happened: two runs with the same hash took the same course.
import { hash32 } from '../values/rng.ts';

/** 16 hex digits over the JSON of the values, in order. */
export function traceHash(values: Iterable<unknown>): string {
  let [a, b] = [1, 2];
  for (const value of values) {
    const written = JSON.stringify(value);
    a = hash32(written, a);
    b = hash32(written, b);
  }
  return [a, b].map((half) => half.toString(16).padStart(8, '0')).join('');
}
