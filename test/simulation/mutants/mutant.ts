// A mutant: the engine without one margin, one check or one ordering, as a change of source text.
// Only the loader of the simulation applies it; a daemon cannot switch it on.

import type { AnyProfile } from '../plan/plan.ts';

export interface Change {
  readonly file: string;
  /** Must be there exactly once. */
  readonly find: string;
  readonly put: string;
}

export interface Mutant {
  readonly name: string;
  /** What is missing, in one line. */
  readonly what: string;
  readonly changes: readonly Change[];
  /** Seeds within which the simulation has to notice. */
  readonly within: number;
  /** Which seeds; absent: the cheap ones. */
  readonly profile?: AnyProfile | undefined;
}

/** The text with the change made. Throws unless the quoted text occurs exactly once: otherwise the mutant is out of date. */
export function changed(text: string, { file, find, put }: Change): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places for: ${find}`);
  return text.replace(find, () => put);
}

/** A mutant of a single change: the file, the text to find, and its replacement. */
export const one = (
  name: string,
  what: string,
  [file, find, put]: readonly [string, string, string],
  within: number,
): Mutant => ({ name, what, changes: [{ file, find, put }], within });
