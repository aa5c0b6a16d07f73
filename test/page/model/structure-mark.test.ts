// What a Block RFQ is worth at the marks, and how far a quote is from it.
import { expect, test } from 'vitest';
import { distanceFrom, structureMark } from '../../../src/page/model/desk/structure-mark.ts';

const CALL = 'BTC-25DEC26-100000-C';
const PUT = 'BTC-25DEC26-80000-P';
const MARKS = new Map(
  Object.entries({
    [CALL]: '0.0415',
    [PUT]: '0.02',
    'BTC-PERPETUAL': '90010.5',
    'BTC-25DEC26': '91000',
    'BTC_USDC-25DEC26-100000-C': '3735',
  }).map(([name, markPrice]) => [name, { markPrice }]),
);
const leg = (instrumentName: string, side: 'buy' | 'sell', ratio = '1') => ({
  instrumentName,
  side,
  ratio,
});

test('bought legs add to the mark of a structure, and sold ones subtract, each by its ratio', () => {
  expect(structureMark([leg(CALL, 'buy')], MARKS)).toBe(0.0415);
  expect(structureMark([leg(CALL, 'sell')], MARKS)).toBe(-0.0415);
  // 0.0415 - 2 * 0.02.
  expect(structureMark([leg(CALL, 'buy'), leg(PUT, 'sell', '2')], MARKS)).toBeCloseTo(0.0015, 10);
  const roll = [leg('BTC-25DEC26', 'buy'), leg('BTC-PERPETUAL', 'sell')];
  expect(structureMark(roll, MARKS)).toBe(989.5);
});

test.each([
  ['a leg has no mark', [leg(CALL, 'buy'), leg('BTC-25DEC26-70000-P', 'buy')]],
  [
    'an option in coin stands next to a future in dollars',
    [leg(CALL, 'buy'), leg('BTC-25DEC26', 'sell')],
  ],
  [
    'options are priced in coin and in dollars',
    [leg(CALL, 'buy'), leg('BTC_USDC-25DEC26-100000-C', 'sell')],
  ],
  ['there is no leg', []],
])('the mark of a structure is not known while %s', (_case, legs) => {
  expect(structureMark(legs, MARKS)).toBeUndefined();
});

test.each([
  [90_000, '90045', 45, 5],
  [90_000, '89955', -45, -5],
  [-0.04, '-0.05', -0.01, -2_500],
  [0, '0.5', 0.5, undefined],
])('from the mark %s a quote at %s is %s away, %s bp', (mark, price, difference, bps) => {
  const found = distanceFrom(mark, price);
  expect(found.price).toBeCloseTo(difference, 10);
  if (bps === undefined) expect(found.bps).toBeUndefined();
  else expect(found.bps).toBeCloseTo(bps, 6);
});
