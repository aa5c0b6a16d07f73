// Random and damaged params for every method: the answer is a result or a refusal that says what was wrong,
// never a 5xx, and nothing is reported as an internal error. The example of every method is accepted as
// written.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Method } from '../../../src/gateway/order-api/method.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { cases } from '../../support/cases.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { BTC, RidStage } from './rid-stage.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

const RUNS_PER_METHOD = cases(10);

const NASTY = [
  'null',
  'true',
  'false',
  '-0',
  '0',
  '-1',
  '1e400',
  '1e-7',
  '9'.repeat(300),
  '0.000000000000000001',
  '999999999999999999',
  '"999999999999999999.999999999999999999"',
  '"0x1F"',
  '"-5"',
  '"0"',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '{"__proto__":1}',
  '[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]',
  '[]',
  '{}',
  '[{}]',
  '[{"side":"sell","type":"limit"}]',
  `"${BTC}"`,
  '"BTC"',
  '"any"',
  '"option"',
  '"stop_market"',
  '"trailing_stop"',
  '"market_limit"',
  '"mark_price"',
  '"implv"',
  '"one_triggers_other"',
  '"1000"',
  '1000',
  '"60000"',
];

/** Parts of the example, some of them damaged, plus unknown fields. */
function paramsOf({ params, example }: Method): fc.Arbitrary<string> {
  const names = [...Object.keys((params as z.ZodObject).shape), 'nonsense', '__proto__'];
  const values = fc.oneof(fc.constantFrom(...NASTY), fc.json());
  const kept = Object.entries(example).map(([key, value]) => [key, JSON.stringify(value)] as const);
  const put = fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4 });
  return fc
    .tuple(fc.subarray(kept, { minLength: 0 }), put)
    .map((pairs) => pairs.flat().map(([key, value]) => `${JSON.stringify(key)}:${value}`))
    .map((members) => `{${members.join(',')}}`);
}

it('random params never cause an internal error, and every refusal of a param names it', async () => {
  for (const method of METHODS.values()) {
    const { name } = method;
    await fc.assert(
      fc.asyncProperty(paramsOf(method), async (raw) => {
        const answer = await stage.raw(name, raw);
        expect(answer.status, raw).toBeLessThan(500);
        if (answer.error === undefined) {
          expect(answer.status).toBe(200);
          expect(answer).toHaveProperty('result');
          return;
        }
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.error.message).not.toBe('');
        if (answer.error.code !== -32602) return;
        expect(answer.error.data, raw).toMatchObject({
          param: expect.stringMatching(/./),
          reason: expect.stringMatching(/./),
        });
      }),
      { numRuns: RUNS_PER_METHOD },
    );
  }
  expect(stage.gateway.reported).toEqual([]);
});

it('random bodies never cause an internal error', async () => {
  const bodies = fc.oneof(fc.json(), fc.string({ unit: 'binary', maxLength: 100, size: 'max' }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS.keys()), bodies, async (name, raw) => {
      expect((await stage.raw(name, raw)).status).toBeLessThan(500);
    }),
    { numRuns: cases(80) },
  );
  expect(stage.gateway.reported).toEqual([]);
});

it('the example params of every method are accepted', () => {
  for (const { name, example, read } of nonEmpty(METHODS.values())) {
    expect(read(example), name).toHaveProperty('value');
  }
});
