// Random and mutated requests: the answer is always the envelope, never a 5xx, and nothing is reported as an
// internal error.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts';
import { cases } from '../support/cases.ts';
import { GatewayUnderTest, PATH, perpetualBody } from './gateway-under-test.ts';

const LOOSE = { perSecond: 1_000_000, burst: 1_000_000 };
const RUNS = cases(100);
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await GatewayUnderTest.start({
    rates: { read: LOOSE, submit: LOOSE, cancel: LOOSE },
    // Otherwise failed attempts would soon be refused unchecked.
    address: { ...DEFAULT_LIMITS.address, failures: LOOSE, open: LOOSE },
  });
});
afterAll(() => gateway.close());

const NASTY = [
  'null',
  'true',
  '-0',
  '1e400',
  '0.1e-400',
  '9'.repeat(400),
  '"0x1F"',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '{"__proto__":1}',
  '{"constructor":{"prototype":{}}}',
  '[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]',
  '"NaN"',
  '"𝟙"',
  '"1\\n"',
  '[]',
  '{}',
  '9007199254740993',
  '18446744073709551616',
];

const valid = JSON.stringify(
  perpetualBody({
    customizedNote: 'note',
    sendToDummyAccountIds: [20001],
    execution: { phase: '0.5', collar: '0.01' },
  }),
);

/** Replaces one value of the valid body by a malicious one, or damages its text. */
const mutated = fc.oneof(
  fc.tuple(fc.nat(), fc.constantFrom(...NASTY)).map(([at, nasty]) => {
    const values = [...valid.matchAll(/(?<=[:[,])("[^"]*"(?!:)|\d+)/g)];
    const value = values[at % values.length];
    if (value === undefined) return nasty;
    return valid.slice(0, value.index) + nasty + valid.slice(value.index + value[0].length);
  }),
  fc
    .tuple(fc.nat(valid.length), fc.nat(5), fc.string({ maxLength: 5 }))
    .map(([at, cut, put]) => valid.slice(0, at) + put + valid.slice(at + cut)),
  fc.json({ maxDepth: 6 }),
  fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
  fc.constantFrom(...NASTY),
);

function expectEnvelope(answer: { status: number; json: unknown }): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.json).toMatchObject({
    succ: expect.any(Boolean),
    code: expect.any(Number),
    message: expect.any(String),
  });
  const { succ, code, message } = answer.json as Record<string, unknown>;
  expect(succ).toBe(code === 0);
  expect(succ).toBe(message === '');
}

it('random bodies of every POST are answered with the envelope', async () => {
  const operations = fc.constantFrom('submit', 'plan', 'cancel', 'cancel-all');
  await fc.assert(
    fc.asyncProperty(operations, mutated, async (operation, raw) => {
      expectEnvelope(await gateway.request(`${PATH}/${operation}`, { raw }));
    }),
    { numRuns: RUNS },
  );
  expect(gateway.reported).toEqual([]);
});

it('random queries of every GET are answered with the envelope', async () => {
  const names = fc.constantFrom(
    'accountId',
    'portfolioId',
    'status',
    'createUidList',
    'coinOrSymbol',
    'startTimestamp',
    'orderBy',
    'pageSize',
    '__proto__',
  );
  const values = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50, size: 'max' }),
    fc.constantFrom(...NASTY),
  );
  const query = fc.array(fc.tuple(names, values), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('info', 'page'), query, async (operation, pairs) => {
      const wellFormed = pairs.map(
        ([name, value]) => [name, value.toWellFormed()] as [string, string],
      );
      const text = new URLSearchParams(wellFormed).toString();
      expectEnvelope(await gateway.request(`${PATH}/${operation}?${text}`));
    }),
    { numRuns: RUNS },
  );
  expect(gateway.reported).toEqual([]);
});

it('random headers are answered with the envelope', async () => {
  const names = fc.constantFrom(
    'Authorization',
    'Service-API-Timestamp',
    'Service-API-Nonce',
    'Service-API-Signature',
    'Idempotency-Key',
    'Content-Type',
  );
  const values = fc.string({ maxLength: 60, size: 'max' }).map((value) => value.trim());
  await fc.assert(
    fc.asyncProperty(names, values, async (name, value) => {
      expectEnvelope(await gateway.submit(perpetualBody(), { headers: { [name]: value } }));
    }),
    { numRuns: RUNS },
  );
  expect(gateway.reported).toEqual([]);
});
