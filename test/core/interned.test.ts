// Records of equal content are read once.
import { expect, test } from 'vitest';
import { interned } from '../../src/core/terms/interned.ts';

function counted(kept: number) {
  const reads: string[] = [];
  const of = interned((record: { readonly name: string }) => {
    reads.push(record.name);
    return { name: record.name };
  }, kept);
  return { of, reads };
}

test('Records of equal content are read once and give the same object.', () => {
  const { of, reads } = counted(2);
  const first = of({ name: 'a' });
  expect(of({ name: 'a' })).toBe(first);
  expect(of({ name: 'b' })).not.toBe(first);
  expect(reads).toEqual(['a', 'b']);
});

test('A record whose result is no longer kept is read again with an equal result.', () => {
  const { of, reads } = counted(2);
  const first = of({ name: 'a' });
  of({ name: 'b' });
  of({ name: 'c' });
  expect(of({ name: 'a' })).toEqual(first);
  expect(reads).toEqual(['a', 'b', 'c', 'a']);
});

test('the order of the fields is that of no record: equal ones are written as one text, whichever was read first', () => {
  const [first, last] = [
    { quantity: '1', name: 'a', side: undefined },
    { name: 'a', quantity: '1' },
  ] as const;
  const text = (records: readonly object[]): readonly string[] => {
    const of = interned((record: object) => ({ ...record }), 8);
    return records.map((record) => JSON.stringify(of(record)));
  };
  const written = '{"name":"a","quantity":"1"}';
  expect(text([first, last])).toEqual([written, written]);
  expect(text([last, first])).toEqual([written, written]);
});
