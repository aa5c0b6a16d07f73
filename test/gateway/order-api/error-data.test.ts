// Every error of the order methods has the documented shape, whatever the venue says of it.
import { describe, expect, it } from 'vitest';
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import * as refusals from '../../../src/exchange/model/refusal.ts';
import { answerText } from '../../../src/gateway/order-api/method-envelope.ts';

const errorOf = (reply: Parameters<typeof answerText>[1]) =>
  JSON.parse(answerText('1', reply)).error;
const codes = [...VENUE_CODES].map(([code, { name }]) => [code, name] as const);

describe('the error of an order method', () => {
  it.each(codes)(
    '%i %s carries a param and a reason, also where the venue gives none',
    (code, message) => {
      for (const details of [
        undefined,
        { param: 'price', reason: 'is wrong; accepted: another' },
      ]) {
        const { data } = errorOf({ kind: 'refused', code, message, details });
        expect(data).toMatchObject({
          param: expect.any(String),
          reason: expect.stringMatching(/./),
        });
      }
    },
  );

  it('tells an order of another account in the same words as one that is not there', () => {
    const replies = [refusals.notOwnerOfOrder(), refusals.orderNotFound('order_id')];
    const told = replies.map(({ code, message, data }) =>
      errorOf({ kind: 'refused', code, message, details: data }),
    );
    expect(told[0]).toEqual(told[1]);
    expect(told[0]).toMatchObject({ code: 10004, data: { param: 'orderId' } });
  });

  it('carries a param and a reason where the outcome is unknown', () => {
    expect(errorOf({ kind: 'unknown', reason: 'no answer' }).data).toMatchObject({
      param: '',
      reason: expect.stringContaining('no answer'),
    });
  });
});
