// Every method of the table with every param wrong, one after another and at random: an error of Deribit's form over
// HTTP and WebSocket, -32602 with the reason and the param, never a 5xx, never silence, nothing reported as internal.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../../../src/gateway/deribit/deribit-method-table.ts';
import { cases } from '../../../support/cases.ts';
import { TAKER } from '../../gateway-under-test.ts';
import { RidStage } from '../../order-api/rid-stage.ts';
import { postRpc, type RawAnswer, RawClient } from '../raw-client.ts';
import { METHOD_SHAPES } from '../shapes/method-shapes.ts';
import { WireCheck } from '../shapes/wire-check.ts';

/** Values that no param accepts, whatever its type. */
const WRONG = ['{"a":1}', '[[]]', '[{"__proto__":1}]'];
/** Values that some params accept. */
const NASTY = [
  ...WRONG,
  'null',
  'true',
  '"true"',
  '""',
  '" "',
  '0',
  '-0',
  '-1',
  '1e400',
  '1e-400',
  '6.4e4',
  '"6.4e4"',
  '9007199254740993',
  '0.000000000000000001',
  `${'9'.repeat(300)}`,
  '"0x1F"',
  '"NaN"',
  '"𝟙"',
  '"__proto__"',
  '"constructor"',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{}',
  '["a","b"]',
  '[null]',
  '"BTC"',
  '"any"',
  '"BTC-PERPETUAL"',
  '"option"',
  '"limit"',
  '"market"',
  '"raw"',
  '1000',
  `"${'x'.repeat(5_000)}"`,
  `${'['.repeat(200)}${']'.repeat(200)}`,
];
/** They end the connection or the login, by design. */
const ENDING = new Set(['private/logout']);
const METHODS = [...DERIBIT_METHODS.values()].filter(({ name }) => !ENDING.has(name));

let stage: RidStage;
let client: RawClient;
const check = new WireCheck();

beforeAll(async () => {
  stage = await RidStage.start();
  client = await RawClient.loggedIn(stage.gateway.url, TAKER, { check });
});
afterAll(async () => {
  await client.close();
  await stage.close();
});

/** Without its documented params: all instruments for the one, nothing of interest for the other. */
const LENIENT = new Set(['public/get_instruments', 'public/hello']);
const needsParams = (name: string): boolean =>
  METHOD_SHAPES[name]?.params.includes('!') === true && !LENIENT.has(name);
const documented = (name: string): string[] =>
  (METHOD_SHAPES[name]?.params ?? '').replaceAll('!', '').split(' ');

/** An error has Deribit's form; of wrong params it has the reason and the param. */
function expectForm(answer: RawAnswer, sent: string): void {
  if (answer.error === undefined) {
    expect(answer, sent).toHaveProperty('result');
    expect(answer.status, sent).toBe(200);
    return;
  }
  expect(answer.error.message, sent).toMatch(/./);
  expect([11094, 13028], sent).not.toContain(answer.error.code);
  if (answer.error.code !== -32602) return;
  expect(answer.error.data, sent).toMatchObject({
    reason: expect.stringMatching(/./),
    param: expect.any(String),
  });
}

describe.each(METHODS.map((method) => [method.name, method] as const))('%s', (name, method) => {
  test('answers -32602 with the param for each param that is wrong', async () => {
    for (const param of method.paramNames) {
      for (const wrong of WRONG) {
        const params = `{${JSON.stringify(param)}:${wrong}}`;
        const answer = await client.request(name, params);
        expectForm(answer, params);
      }
    }
    if (!needsParams(name)) return;
    const { error } = await client.request(name, {});
    expect([-32602, -32000], name).toContain(error?.code);
    expect(documented(name)).toContain(error?.data?.param);
  });

  test('answers random params over HTTP without an internal error', async () => {
    const values = fc.oneof(fc.constantFrom(...NASTY), fc.json({ maxDepth: 3 }));
    const names = fc.constantFrom(...method.paramNames, 'nonsense', '__proto__', 'access_token');
    const members = fc.array(fc.tuple(names, values), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(members, async (pairs) => {
        const written = pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`);
        const params = `{${written.join(',')}}`;
        const answer = await postRpc(stage.gateway.url, { method: name, params, by: TAKER, check });
        expect(answer.status, params).toBeLessThan(500);
        expectForm(answer, params);
      }),
      { numRuns: cases(5) },
    );
  });
});

test('envelopes of any content are answered in Deribit’s form', async () => {
  const bodies = fc.oneof(
    fc.json(),
    fc.string({ maxLength: 100, size: 'max' }),
    fc.constantFrom(...NASTY),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const response = await fetch(`${stage.gateway.url}/api/v2`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toMatchObject({ error: { code: expect.any(Number) } });
    }),
    { numRuns: cases(60) },
  );
});

test('queries of any content are answered in Deribit’s form', async () => {
  const names = METHODS.flatMap(({ paramNames }) => paramNames);
  const pairs = fc.array(
    fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 40, size: 'max' })),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), pairs, async ({ name }, given) => {
      const wellFormed = given.map(([key, value]): [string, string] => [key, value.toWellFormed()]);
      const query = new URLSearchParams(wellFormed);
      const response = await fetch(`${stage.gateway.url}/api/v2/${name}?${query}`);
      expect(response.status).toBeLessThan(500);
      expect(await response.json()).toHaveProperty('usOut');
    }),
    { numRuns: cases(80) },
  );
});

test('nothing was reported as an internal error, and every answer had its documented shape', () => {
  expect(stage.gateway.reported).toEqual([]);
  expect([...check.faults]).toEqual([]);
});
