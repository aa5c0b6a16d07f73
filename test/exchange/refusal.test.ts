import { describe, expect, it } from 'vitest';
import { VENUE_CODES } from '../../src/core/order/venue-codes.ts';
import type { RefusedAnswer } from '../../src/exchange/command.ts';
import * as refusals from '../../src/exchange/refusal.ts';

const given = Object.entries(refusals).map(([maker, make]): [string, RefusedAnswer] => [
  maker,
  (make as (...details: string[]) => RefusedAnswer)('detail', 'reason'),
]);

describe('the refusals of the exchange', () => {
  it.each(given)('%s has the number and the name of the published table', (_maker, answer) => {
    const name = VENUE_CODES.get(answer.code)?.name ?? 'not in the table';
    expect([name, `${name} detail`]).toContain(answer.message);
  });

  it('have a number each', () => {
    const numbers = given.map(([, { code }]) => code);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(30);
  });
});

describe('the table', () => {
  it('gives every number a name, and a name to two numbers only where the venue does', () => {
    const names = [...VENUE_CODES.values()].map(({ name }) => name);
    expect(names.every((name) => name.length > 0)).toBe(true);
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual(['incomplete_KYC_data']);
  });
});
