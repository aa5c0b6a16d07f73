// The response envelope of all portfolio routes.
import { z } from 'zod';

/** The envelope's schema around a value, for documents and checks. */
export const envelopeOf = <T extends z.ZodType>(value: T) => ({
  200: z.object({
    succ: z.boolean().describe('True on success'),
    code: z.int().describe('0 on success, else the code of the first fault'),
    message: z.string().describe('Empty on success'),
    value: value.nullable(),
    errors: z
      .array(z.object({ field: z.string(), code: z.int(), message: z.string() }))
      .describe('Every fault found; on refusals only')
      .optional(),
  }),
});
