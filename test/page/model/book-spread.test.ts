// The spread and the depth of a book.
import { expect, test } from 'vitest';
import { depthOf, type LevelPair, spreadOf } from '../../../src/page/model/desk/book.ts';

const level = (price: string): LevelPair => [price, '1'];

test.each([
  ['90032.5', '90033', '0.5', 90_032.75, 0.0555],
  ['0.0410', '0.0415', '0.0005', 0.04125, 121.21],
  ['-5', '2.5', '7.5', -1.25, undefined],
  ['-2', '2', '4', 0, undefined],
  ['100', '99.5', '-0.5', 99.75, -50.13],
])(
  'between a bid of %s and an ask of %s the spread is %s at a mid of %s',
  (bid, ask, width, mid, bps) => {
    const found = spreadOf({
      bids: [level(bid), level('-9')],
      asks: [level(ask), level('99999999')],
    });
    expect(found?.width).toBe(width);
    expect(found?.mid).toBeCloseTo(mid, 10);
    if (bps === undefined) expect(found?.bps).toBeUndefined();
    else expect(found?.bps).toBeCloseTo(bps, 2);
  },
);

test('a book without bids or without asks has no spread', () => {
  expect(spreadOf({ bids: [], asks: [level('1')] })).toBeUndefined();
  expect(spreadOf({ bids: [level('1')], asks: [] })).toBeUndefined();
});

test('depth adds up from the best level on, to the last digit', () => {
  const levels: readonly LevelPair[] = [
    ['3', '0.1'],
    ['2', '0.2'],
    ['1', '10'],
  ];
  expect(depthOf(levels)).toEqual(['0.1', '0.3', '10.3']);
  expect(depthOf([])).toEqual([]);
});
