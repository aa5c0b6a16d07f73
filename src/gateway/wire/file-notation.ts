// How people may write a value in a file where the wire has a number or a word in capitals: `side: buy`, a start as ISO 8601.
// Field builders register it here; requests are read without it, and accept what their documents say.
import type { z } from 'zod';

export type Written =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Completes "the field …": what is wrong, and what is accepted. */
  | { readonly kind: 'faulty'; readonly message: string };

export interface FileNotation {
  /** The value of the wire for a text in a file; `undefined` leaves the text to the schema. */
  readonly read: (text: string) => Written | undefined;
  /** What the JSON Schema for editors has in place of the field's own. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const notations = new WeakMap<z.core.$ZodType, FileNotation>();

/** Registers the notation of a field. Schemas built on it do not inherit it. */
export function writtenInFiles<S extends z.ZodType>(schema: S, notation: FileNotation): S {
  notations.set(schema, notation);
  return schema;
}

export const fileNotation = (schema: z.core.$ZodType): FileNotation | undefined =>
  notations.get(schema);

/** Words in either case for the values of the wire. */
export function wordNotation<T extends string | number>(
  values: ReadonlyMap<string, T>,
): FileNotation {
  return {
    read: (text) => {
      const value = values.get(text.toLowerCase());
      return value === undefined ? undefined : { kind: 'value', value };
    },
    schema: { enum: [...values].flatMap(offered) },
  };
}

/** What an editor offers: a word of the wire as it is, and in small letters if it is in capitals; a number with its name. */
function offered([word, value]: readonly [string, string | number]): readonly (string | number)[] {
  if (typeof value === 'number') return [value, word.toUpperCase(), word];
  return value === value.toUpperCase() ? [value, word] : [value];
}
