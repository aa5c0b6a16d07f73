// The JSON Schema of the submit body, as in the OpenAPI document, by itself: the ticket builds its form and its help from it.
import { z } from 'zod';
import { portfolioBodySchema } from '../portfolios/submit/submit-schema.ts';

let made: object | undefined;

/** What clients write; made once. */
export function submitSchema(): object {
  if (made === undefined) {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(portfolioBodySchema, { io: 'input' });
    made = schema;
  }
  return made;
}
