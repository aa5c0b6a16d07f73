// Fast reading gives the same result as the schema, and never accepts what the schema refuses.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { REST_EXAMPLES } from '../../../src/gateway/docs/rest-examples.ts';
import { amendBodySchema } from '../../../src/gateway/portfolios/amend-schema.ts';
import {
  cancelAllBodySchema,
  cancelBodySchema,
} from '../../../src/gateway/portfolios/cancel-schema.ts';
import { portfolioBodySchema } from '../../../src/gateway/portfolios/submit/submit-schema.ts';
import { NumberText } from '../../../src/gateway/wire/json.ts';
import { quickRead, REFUSED } from '../../../src/gateway/wire/quick-read.ts';
import { nonEmpty } from '../../support/non-empty.ts';

const SCHEMAS: readonly (readonly [string, z.ZodType])[] = [
  ['submit', portfolioBodySchema],
  ['amend', amendBodySchema],
  ['cancel', cancelBodySchema],
  ['cancel-all', cancelAllBodySchema],
];

const RICH = {
  ...REST_EXAMPLES['submit']?.body,
  execution: {
    phase: 0.25,
    endAction: 'extend',
    extendSec: 60,
    wouldPrices: [{ leg: 0, price: '50000' }],
    escalation: null,
  },
  sendToDummyAccountIds: ['20001'],
  dummyAccountScales: [{ accountId: 20001, scale: '0.5' }],
  balanceTrade: { parts: 3, eachLimitMs: 1_000, totalLimitMs: 0, totalEndAction: 2 },
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    '',
    '0',
    '-1',
    'TWAP',
    'BALANCE',
    1,
    2,
    -0.5,
    1e21,
  ),
  fc.constantFrom<unknown>([], {}, [[]], { length: 1 }, new NumberText('1.50')),
  fc.jsonValue(),
);

/** A copy with one value replaced, dropped or added. */
function mutated(value: unknown, path: readonly number[], put: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined || typeof value !== 'object' || value === null) return put;
  if (Array.isArray(value)) {
    const at = head % (value.length + 1);
    return Object.assign([...value], { [at]: mutated(value[at], rest, put) });
  }
  const entries = Object.entries(value);
  const [name, inner] = entries[head % (entries.length + 1)] ?? ['surplus', undefined];
  return { ...value, [name]: mutated(inner, rest, put) };
}

const agree = (schema: z.ZodType, input: unknown): void => {
  const quick = quickRead(schema)(input);
  const asked = schema.safeParse(input);
  if (quick !== REFUSED) expect(asked).toEqual({ success: true, data: quick });
  else if (!hasUndefined(input)) expect(asked.success).toBe(false);
};

/** Whether a field is present but undefined: JSON never has one, and the schema may decide about it. */
const hasUndefined = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasUndefined));

describe('the fast reader', () => {
  test.each(SCHEMAS)(
    'the fast reader of %s agrees with the schema on all variations of valid bodies',
    (name, schema) => {
      const example = REST_EXAMPLES[name]?.body;
      const seeds = name === 'submit' ? [example, RICH] : [example];
      for (const seed of nonEmpty(seeds)) expect(quickRead(schema)(seed)).not.toBe(REFUSED);
      const steps = fc.array(fc.tuple(fc.array(fc.nat(40), { maxLength: 4 }), odd), {
        maxLength: 3,
      });
      fc.assert(
        fc.property(fc.constantFrom(...seeds), steps, (seed, changes) => {
          const input = changes.reduce<unknown>((on, [path, put]) => mutated(on, path, put), seed);
          agree(schema, input);
        }),
        { numRuns: 1_000 },
      );
    },
  );

  test('the fast reader leaves unknown, missing and inherited fields to the schema', () => {
    const body = REST_EXAMPLES['cancel']?.body;
    expect(quickRead(cancelBodySchema)({ ...body, surplus: 1 })).toBe(REFUSED);
    expect(quickRead(cancelBodySchema)({})).toBe(REFUSED);
    expect(quickRead(cancelBodySchema)(Object.create(body ?? null))).toBe(REFUSED);
  });
});
