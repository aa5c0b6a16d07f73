import { describe, expect, it } from 'vitest';
import { feeOf, highestFee } from '../../../src/exchange/model/fees.ts';
import { price, quantity, ratio, text } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual, btcUsdcPut } from '../instruments.ts';

interface Vector {
  readonly of: Instrument;
  readonly at: string;
  readonly amount: string;
  readonly rate: string;
  readonly fee: string;
  readonly index?: string;
}

/** Fees charged or documented by the venue, and its formulas computed manually. */
const VECTORS: readonly Vector[] = [
  { of: btcPerpetual, at: '8947', amount: '8940', rate: '0.0005', fee: '0.00049961' },
  { of: btcPerpetual, at: '203.8', amount: '100', rate: '0.00075', fee: '0.00036801' },
  { of: btcPerpetual, at: '202.8', amount: '21', rate: '0.00075', fee: '0.00007766' },
  { of: btcPerpetual, at: '8954', amount: '20', rate: '0.00075', fee: '0.00000168' },
  { of: btcPerpetual, at: '9681.5', amount: '10', rate: '-0.0002', fee: '-0.00000021' },
  { of: btcCall, at: '0.0001', amount: '1', rate: '0.0003', fee: '0.0000125' },
  { of: btcCall, at: '0.05', amount: '2', rate: '0.0003', fee: '0.0006' },
  { of: btcUsdcPut, at: '20', amount: '1', rate: '0.0003', index: '100000', fee: '2.5' },
  { of: btcUsdcPut, at: '2000', amount: '0.5', rate: '0.0003', index: '100000', fee: '15' },
  { of: btcUsdcPerpetual, at: '100000.5', amount: '0.0123', rate: '0.0005', fee: '0.615003' },
  { of: btcSpot, at: '100000', amount: '1', rate: '0', fee: '0' },
];

describe('the fee of a fill', () => {
  it.each(VECTORS)(
    '$of.name: the fee of $amount at $at is charged at rate $rate',
    ({ of, at, amount, rate, fee, index }) => {
      const instrument = { ...of, takerFee: ratio(rate), makerFee: ratio('0.9') };
      const charged = feeOf(instrument, {
        price: price(at),
        quantity: quantity(amount),
        liquidity: 'taker',
        index: index === undefined ? undefined : price(index),
      });
      expect(text(charged)).toBe(fee);
    },
  );
});

describe('the most that a fill may be charged', () => {
  it.each([
    ['the rate of the taker, the higher one', btcCall, '0.0002', '0.0003', '3', '0.0009'],
    ['the rate of the maker, if that is higher', btcCall, '0.0004', '0.0003', '3', '0.0012'],
    ['nothing where both sides get a rebate', btcCall, '-0.0001', '-0.0002', '3', '0'],
    // 100 000.13 × 0.01 × 0.0003 is 0.30000039.
    ['rounded up, because it is reserved', btcUsdcPut, '0.0003', '0.0003', '0.01', '0.300001'],
  ] as const)('it is %s', (_, of, maker, taker, amount, most) => {
    const instrument = { ...of, makerFee: ratio(maker), takerFee: ratio(taker) };
    expect(text(highestFee(instrument, quantity(amount), price('100000.13')))).toBe(most);
  });
});
