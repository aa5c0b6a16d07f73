// A serialised value within an answer that is serialised as one text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReadyJson } from '../../../src/gateway/wire/ready-json.ts';

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][-+]?\d{1,3})?$/);

test('a serialised value keeps every digit of its numbers within another value', () => {
  fc.assert(
    fc.property(digits, fc.string(), (number, name) => {
      const value = `[{"ids":[${number},1.0,12345678901234567890]},{${JSON.stringify(name)}:${number}}]`;
      const whole = JSON.stringify({ result: new ReadyJson(Buffer.from(value)), kind: 'done' });
      expect(whole).toBe(`{"result":${value},"kind":"done"}`);
    }),
  );
});

test('a serialised value is read as the value that it is', () => {
  const value = { names: ['a', null, true], nested: [{ price: 0.25 }, { size: -3 }], empty: {} };
  expect(new ReadyJson(Buffer.from(JSON.stringify(value))).toJSON()).toEqual(value);
});
