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
const { notOnRouted, ...byText } = refusals;
const routed = [11055, 11059, 11060, 13922].map((code): [string, RefusedAnswer] => [
  `notOnRouted ${code}`,
  notOnRouted({ code, param: 'detail', reason: 'reason' }),
]);
const own = made(byText);
const given = [...own, ...routed];
/** Every refusal of the exchange, for orders and for Block RFQs. */
const everything = [...given, ...made(rfqRefusals)];

/** Gateway errors that leave it open whether the request was executed. */
const OPEN: ReadonlySet<number> = new Set([CODES.otherError, CODES.internal, CODES.outcomeUnknown]);

describe('the refusals of the exchange', () => {
  it.each(given)('%s has the code and name of the published table', (_maker, answer) => {
    const name = VENUE_CODES.get(answer.code)?.name ?? 'not in the table';
    expect([name, `${name} detail`]).toContain(answer.message);
  });

  it('every refusal has a code of its own', () => {
    const numbers = own.map(([, { code }]) => code);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(30);
  });
});

describe('all possible refusals', () => {
  it.each(everything)(
    '%s is a definite refusal and never an unknown outcome',
    (_maker, { code }) => {
      expect(['final', 'later', 'done']).toContain(answerClass(code));
    },
  );

  it.each(everything)('%s names the parameter and the reason', (_maker, { data }) => {
    expect(data).toEqual({ param: expect.any(String), reason: expect.stringMatching(/./) });
  });

  it('the list includes all codes of both tables', () => {
    expect(everything.length).toBeGreaterThan(55);
  });

  it.each(Object.entries(CODES))(
    "the gateway's %s is an unknown outcome only if the request may have been executed",
    (_name, code) => {
      expect(VENUE_CODES.has(code)).toBe(true);
      expect(answerClass(code) === 'unknown').toBe(OPEN.has(code));
    },
  );
});

describe('the code table', () => {
  it("every code has a name, and two codes share a name only where the venue's do", () => {
    const names = [...VENUE_CODES.values()].map(({ name }) => name);
    expect(names.every((name) => name.length > 0)).toBe(true);
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    expect(twice).toEqual(['incomplete_KYC_data']);
  });
});
