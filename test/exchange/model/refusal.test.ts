import { describe, expect, it } from 'vitest';
import { answerClass } from '../../../src/core/order/answer-class.ts';
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import type { RefusedAnswer } from '../../../src/exchange/exchange-command.ts';
import * as refusals from '../../../src/exchange/model/refusal.ts';
import * as rfqRefusals from '../../../src/exchange/rfq/rfq-refusal.ts';
import { CODES } from '../../../src/gateway/order-api/refusals.ts';

const made = (makers: object) =>
  Object.entries(makers).map(([maker, make]): [string, RefusedAnswer] => [
    maker,
    (make as (...details: string[]) => RefusedAnswer)('detail', 'reason', 'more'),
  ]);
const given = made(refusals);
/** Everything the exchange can answer a request with, in a book or as a Block RFQ. */
const everything = [...given, ...made(rfqRefusals)];

/** Answers of the gateway before it that leave open whether the request was carried out. */
const OPEN: ReadonlySet<number> = new Set([CODES.otherError, CODES.internal, CODES.outcomeUnknown]);

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

describe('what the exchange can answer', () => {
  it.each(everything)(
    '%s is a definite refusal and never an unknown outcome',
    (_maker, { code }) => {
      expect(['final', 'later', 'done']).toContain(answerClass(code));
    },
  );

  it.each(everything)('%s names the parameter and the reason', (_maker, { data }) => {
    expect(data).toEqual({ param: expect.any(String), reason: expect.stringMatching(/./) });
  });

  it('includes all codes of both tables', () => {
    expect(everything.length).toBeGreaterThan(55);
  });

  it.each(Object.entries(CODES))(
    '%s of the gateway is unknown only where it may have been done',
    (_name, code) => {
      expect(VENUE_CODES.has(code)).toBe(true);
      expect(answerClass(code) === 'unknown').toBe(OPEN.has(code));
    },
  );
});

describe('the table', () => {
  it('gives every number a name, and a name to two numbers only where the venue does', () => {
    const names = [...VENUE_CODES.values()].map(({ name }) => name);
    expect(names.every((name) => name.length > 0)).toBe(true);
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual(['incomplete_KYC_data']);
  });
});
