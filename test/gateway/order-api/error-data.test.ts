// Every error of the order methods has the documented shape, whatever the venue reports.
import { describe, expect, it } from 'vitest';
import { unsent } from '../../../src/core/order/answer-class.ts';
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import * as refusals from '../../../src/exchange/model/refusal.ts';
import { deribitError } from '../../../src/gateway/deribit/call/deribit-error.ts';
import { statusOf } from '../../../src/gateway/order-api/http-status.ts';
import { answerText } from '../../../src/gateway/order-api/method-envelope.ts';

const errorOf = (reply: Parameters<typeof answerText>[1]) =>
  JSON.parse(answerText('1', reply)).error;
const codes = [...VENUE_CODES].map(([code, { name }]) => [code, name] as const);

describe('the error of an order method', () => {
  it.each(codes)(
    'the error %i %s has a param and a reason even if the venue gives none',
    (code, message) => {
      for (const details of [
        undefined,
        { param: 'price', reason: 'is wrong; accepted: another' },
      ]) {
        const { data } = errorOf({ kind: 'refused', class: 'final', code, message, details });
        expect(data).toMatchObject({
          param: expect.any(String),
          reason: expect.stringMatching(/./),
        });
      }
    },
  );

  it('the error of an order method is the same for an order of another account as for a missing order', () => {
    const replies = [refusals.notOwnerOfOrder(), refusals.orderNotFound('order_id')];
    const told = replies.map(({ code, message, data }) =>
      errorOf({ kind: 'refused', class: 'final', code, message, details: data }),
    );
    expect(told[0]).toEqual(told[1]);
    expect(told[0]).toMatchObject({ code: 10004, data: { param: 'orderId' } });
  });

  it('the code of an unknown outcome is only sent for what may have been executed', () => {
    const held = unsent('the engine: 2048 calls are under way');
    expect(errorOf(held)).toEqual({
      code: 10040,
      message: 'retry',
      data: { param: '', reason: expect.stringContaining('not sent'), retryAfterSec: 1 },
    });
    expect(deribitError(held)).toMatchObject({ code: 10040, message: 'retry' });
    expect(statusOf(held)).toBe(503);
    const maybe = { kind: 'unknown', reason: 'no answer' } as const;
    expect(errorOf(maybe)).toMatchObject({ code: 13028 });
    expect(deribitError(maybe)).toMatchObject({ code: 13028 });
  });

  it('the error of an order method has a param and a reason if the outcome is unknown', () => {
    expect(errorOf({ kind: 'unknown', reason: 'no answer' }).data).toMatchObject({
      param: '',
      reason: expect.stringContaining('no answer'),
    });
  });
});
