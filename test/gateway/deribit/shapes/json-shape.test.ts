// The checker of shapes itself: what it accepts and what it finds.
import { parse } from 'lossless-json';
import { expect, test } from 'vitest';
import { ShapeBook } from './json-shape.ts';

const book = new ShapeBook({
  Level: 'price:num amount:num',
  Book: 'at:ms levels:[Level] side:buy|sell note?:str|null',
  Loose: '...?Book',
});

const faults = (shape: string, json: string): string[] =>
  book.faults(book.shape(shape), parse(json));

test('an object with all its members has no faults, however its numbers are written', () => {
  const json = '{"at":1790000000000,"side":"buy","levels":[{"price":1.5e3,"amount":-0.10}]}';
  const seen = new Set<string>();
  expect(book.faults(book.shape('Book'), parse(json), seen)).toEqual([]);
  expect(seen).toEqual(
    new Set(['Book.at', 'Book.side', 'Book.levels', 'Level.price', 'Level.amount']),
  );
});

test.each([
  ['int', '10.0', ['x: 10.0 is no int']],
  ['int', '"10"', ['x: "10" is no int']],
  ['num', '"10"', ['x: "10" is no num']],
  ['num', 'null', ['x: null is no num']],
  ['ms', '1790000000', ['x: 1790000000 is no ms']],
  ['id', '""', ['x: "" is no id']],
  ['ccy', '"btc"', ['x: "btc" is no ccy']],
  ['buy|sell', '"BUY"', ['x: "BUY" is none of what is accepted']],
  ['[num,num]', '[1.50]', ['x: [1.50] is no array of 2']],
  ['{a:int}', '{"a":1,"b":2}', ['x.b: unknown, 2']],
  ['{a:int}', '{}', ['x.a: missing']],
  ['[{a:int}]', '[{"a":1},{"a":true}]', ['x[1].a: true is no int']],
  ['map<num>', '{"any":"1"}', ['x.any: "1" is no num']],
  ['Level|null', '{"price":1}', ['x.amount: missing']],
])('%s does not accept %s', (shape, json, wanted) => {
  expect(faults(`{x:${shape}}`, `{"x":${json}}`).map((fault) => fault.slice(1))).toEqual(wanted);
});

test('the members of another shape can be taken over as optional', () => {
  expect(faults('Loose', '{"side":"sell"}')).toEqual([]);
  expect(faults('Loose', '{"side":"none"}')).toHaveLength(1);
});

test('a shape that is written wrongly is found when it is read', () => {
  for (const wrong of ['{a}', '[int', '{a:int} more', 'map<int']) {
    expect(() => book.shape(wrong), wrong).toThrow();
  }
  expect(() => faults('Missing', '1')).toThrow('no shape is named Missing');
});
