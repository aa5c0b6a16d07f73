// Text of a bounded number of characters in the files that people write. JSON Schema counts characters (code points), as the
// interface does; the bounds of zod count code units, of which some characters have two.
import { z } from 'zod';
import { charactersOf } from '../values/text/text-length.ts';

export const characters = (min: number, max: number) =>
  z
    .string()
    .superRefine((text, { addIssue }) => {
      const count = charactersOf(text);
      const accepted = count < min ? `at least ${min}` : count > max ? `at most ${max}` : undefined;
      if (accepted === undefined) return;
      const message = `has ${count} characters; accepted: ${accepted} characters`;
      addIssue({ code: 'custom', message });
    })
    .meta(min === 0 ? { maxLength: max } : { minLength: min, maxLength: max });
