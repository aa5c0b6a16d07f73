// What the gate judges of a Block RFQ: the legs and the hedge as the account itself would trade them.
import { describe, expect, test } from 'vitest';
import { sizedLegs } from '../../../src/engine/risk/gate-rfqs.ts';
import { price, quantity, ratio, text } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';

const NEAR = instrumentName('BTC-27NOV26');
const FAR = instrumentName('BTC-25DEC26');
const PERPETUAL = instrumentName('BTC-PERPETUAL');

const structure = {
  quantity: quantity('20'),
  legs: [
    { instrument: NEAR, side: 'buy', ratio: ratio('1'), price: price('100000') },
    { instrument: FAR, side: 'sell', ratio: ratio('2'), price: price('101000') },
  ],
  hedge: {
    instrument: PERPETUAL,
    side: 'sell',
    quantity: quantity('30'),
    price: price('99000'),
  },
} as const;

describe('the legs of a Block RFQ', () => {
  test.each([
    ['taker', 'buy', ['buy', 'sell', 'sell']],
    ['taker', 'sell', ['sell', 'buy', 'sell']],
    ['maker', 'buy', ['buy', 'sell', 'buy']],
    ['maker', 'sell', ['sell', 'buy', 'buy']],
  ] as const)(
    'the legs of a %s who will %s are judged on their own sides, the hedge on that of the role',
    (role, side, expected) => {
      expect(sizedLegs(structure, { role, side }).map((leg) => leg.side)).toEqual(expected);
    },
  );

  test('the legs are judged with the ratio times the quantity, the hedge with its own', () => {
    const sized = sizedLegs(structure, { role: 'taker', side: 'buy' });
    expect(sized.map((leg) => [leg.instrument, text(leg.quantity)])).toEqual([
      [NEAR, '20'],
      [FAR, '40'],
      [PERPETUAL, '30'],
    ]);
  });
});
