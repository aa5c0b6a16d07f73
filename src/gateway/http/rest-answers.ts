// The response envelope of all portfolio routes.
import { z } from 'zod';

/** Building a schema takes longer than declaring its route, and the schemas are the same for every server of the process. */
const envelopes = new WeakMap<z.ZodType, { readonly 200: z.ZodType }>();

/** The envelope's schema around a value, for documents and checks. */
export function envelopeOf(value: z.ZodType): { readonly 200: z.ZodType } {
  const made = envelopes.get(value) ?? { 200: envelope(value) };
  envelopes.set(value, made);
  return made;
}

const envelope = (value: z.ZodType) =>
  z.object({
    succ: z.boolean().describe('True on success'),
    code: z.int().describe('0 on success, else the code of the first fault'),
    message: z.string().describe('Empty on success'),
    value: value.nullable(),
    errors: z
      .array(z.object({ field: z.string(), code: z.int(), message: z.string() }))
      .describe('Every fault found; on refusals only')
      .optional(),
  });
