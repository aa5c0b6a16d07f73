// Where the next page of a list begins, as an answer names it and a later request gives it back.
import type { z } from 'zod';
import { field } from '../../wire/fields.ts';

const NO_MORE = 'none';

/** `at`: undefined after the last page. */
export interface Continuation {
  readonly at: number | undefined;
}

/** @param digitsMax of a place in this list. */
export const continuationParam = (digitsMax: number): z.ZodType<Continuation, string> => {
  const place = new RegExp(`^\\d{1,${digitsMax}}$`);
  return field<Continuation, string>({
    schema: { type: 'string', pattern: `^(none|[0-9]{1,${digitsMax}})$` },
    description: 'From an earlier answer',
    accepted: 'the continuation of an earlier answer',
    read: (value) => {
      if (value === NO_MORE) return { at: undefined };
      const isPlace = typeof value === 'string' && place.test(value);
      return isPlace && Number.isSafeInteger(Number(value)) ? { at: Number(value) } : undefined;
    },
  });
};

export const continuationText = (at: number | undefined): string =>
  at === undefined ? NO_MORE : String(at);
