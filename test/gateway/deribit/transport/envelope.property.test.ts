// Whatever is sent, reading it never fails, and the answer is JSON with the id that was sent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  arrival,
  deribitAnswer,
  readDeribitRequest,
} from '../../../../src/gateway/deribit/call/deribit-envelope.ts';
import { deribitError } from '../../../../src/gateway/deribit/call/deribit-error.ts';
import { queryParams, typedParams } from '../../../../src/gateway/deribit/call/query-params.ts';
import { publicMethod } from '../../../../src/gateway/deribit/method/deribit-method.ts';
import { deribitName } from '../../../../src/gateway/deribit/method/deribit-params.ts';
import { METHOD_ROWS } from '../../../../src/gateway/method-rows.ts';
import { CODES, invalidParam } from '../../../../src/gateway/order-api/refusals.ts';
import { textField } from '../../../../src/gateway/wire/field-kinds.ts';
import { list, optional } from '../../../../src/gateway/wire/fields.ts';
import { ReadyJson } from '../../../../src/gateway/wire/ready-json.ts';
import { instant } from '../../../../src/values/instant.ts';

const AT = arrival(instant(1_790_000_000_000));

describe('a request of any content', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ maxLength: 10 }));

  test('a request of any content is read or refused, and its answer echoes the id', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.option(id), (content, chosen) => {
        const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
        const input = isObject && chosen !== null ? { ...content, id: chosen } : content;
        const reading = readDeribitRequest(input, undefined);
        const [echoed, reply] =
          reading.kind === 'request'
            ? [reading.request.id, { kind: 'done', value: 1 } as const]
            : [reading.id, reading.refusal];
        const answer = JSON.parse(String(deribitAnswer(echoed, reply, AT)));
        if (isObject && chosen !== null) expect(answer.id).toBe(chosen);
        expect(answer).toMatchObject({ jsonrpc: '2.0', testnet: true });
        expect('result' in answer).not.toBe('error' in answer);
      }),
    );
  });
});

describe('an answer', () => {
  test('holds a result that is serialised already as it is', () => {
    const ready = new ReadyJson(Buffer.from('[1.10]'));
    const pieces = deribitAnswer('7', { kind: 'done', value: ready }, AT);
    const text = (pieces as readonly (string | Buffer)[]).map(String).join('');
    expect(text).toContain('{"jsonrpc":"2.0","id":7,"result":[1.10],"usIn":1790000000000000,');
  });

  test('about an unknown outcome says that it may have been done', () => {
    const error = deribitError({ kind: 'unknown', reason: 'no answer' });
    expect(error).toMatchObject({ code: 13_028, message: 'temporarily_unavailable' });
  });

  test("to a request about another account's order is that about an order that does not exist", () => {
    const of = (code: number) =>
      deribitError({ kind: 'refused', code, message: 'any', class: 'final' });
    expect(of(CODES.notOwner)).toEqual(of(CODES.noSuchOrder));
  });

  test('names params in the words of Deribit', () => {
    const { data } = deribitError(invalidParam('legs[0].instrumentName', 'is wrong'));
    expect(data).toEqual({ reason: 'is wrong', param: 'legs[0].instrument_name' });
    expect(
      ['quantity', 'side', 'triggerPrice', 'otocoConfig[1].quantity', 'block_rfq_id'].map(
        deribitName,
      ),
    ).toEqual(['amount', 'direction', 'trigger_price', 'otoco_config[1].amount', 'block_rfq_id']);
  });
});

describe('a query', () => {
  const text = optional(textField({ min: 0, max: 99, description: 'Text' }));
  const texts = optional(
    list(textField({ max: 9, description: 'Text' }), { max: 9, description: 'Texts', of: 'texts' }),
  );
  const method = publicMethod({
    row: METHOD_ROWS.test,
    params: { label: text, ids: texts },
    run: () => ({ kind: 'done', value: 1 }),
  });
  const read = (query: string) => typedParams(method, queryParams(query));

  test.each([
    ['ids=a&ids=b', { ids: ['a', 'b'] }],
    ['ids=["a","b"]', { ids: ['a', 'b'] }],
    ['ids=a', { ids: ['a'] }],
    ['label=["a"]', { label: '["a"]' }],
    ['label=a%20b&other=1', { label: 'a b', other: '1' }],
    ['ids=[', { ids: ['['] }],
    ['', {}],
  ])('%j is read as the method accepts it', (query, params) => {
    expect(read(query)).toEqual(params);
  });

  test('of any text is read without failing', () => {
    fc.assert(fc.property(fc.string(), (query) => void read(query)));
    expect(
      Object.keys(queryParams([...Array(999).keys()].map((n) => `a${n}=1`).join('&'))),
    ).toHaveLength(64);
    expect(Object.getPrototypeOf(queryParams('__proto__=1'))).toBe(Object.prototype);
  });
});
