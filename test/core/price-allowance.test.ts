// How far a bound in percent lies from a price: of the price itself, of a combo by its legs.
import { describe, expect, test } from 'vitest';
import { allowanceOf } from '../../src/core/pricing/price-allowance.ts';
import { comboInstrument } from '../../src/exchange/combos/combo-terms.ts';
import { price, ratio, text } from '../../src/values/amounts.ts';
import { instrumentName } from '../../src/values/ids.ts';
import type { Instrument } from '../../src/values/instrument.ts';
import { option, perpetual } from '../support/engine/markets.ts';

const high = option({ name: instrumentName('BTC-27MAR26-110000-C') });
const future = perpetual({ name: instrumentName('BTC-27MAR26'), kind: 'future' });
const callSpread = comboInstrument('BTC-CS-27MAR26-100000_110000', [
  { of: option(), ratio: 1 },
  { of: high, ratio: -1 },
]);
const ratioSpread = comboInstrument('BTC-CSR12-27MAR26-100000_110000', [
  { of: option(), ratio: 1 },
  { of: high, ratio: -2 },
]);
const futureSpread = comboInstrument('BTC-FS-27MAR26_PERP', [
  { of: future, ratio: 1 },
  { of: perpetual(), ratio: -1 },
]);

const allowed = (instrument: Instrument, from: string, share: string, index?: string): string =>
  text(
    allowanceOf({
      instrument,
      from: price(from),
      share: ratio(share),
      index: index === undefined ? undefined : price(index),
    }),
  );

describe('how far a bound lies from a price', () => {
  test('a bound of a single instrument is a share of its price', () => {
    expect(allowed(perpetual(), '100000', '0.01', '90000')).toBe('1000');
    expect(allowed(option(), '0.05', '0.1')).toBe('0.005');
  });

  test('a bound of a combo of futures is a share of the index for each leg, whatever its own price', () => {
    for (const from of ['-500', '0', '500']) {
      expect(allowed(futureSpread, from, '0.001', '100000')).toBe('200');
    }
    expect(allowed(futureSpread, '-500', '0.001')).toBe('1');
  });

  test('a bound of a combo of options is a share of its price without a sign', () => {
    for (const from of ['-0.05', '0.05']) expect(allowed(callSpread, from, '0.1')).toBe('0.005');
  });

  test('a bound of a combo of options is at least one tick for each option that it trades', () => {
    for (const from of ['-0.0005', '0', '0.0005']) {
      expect(allowed(callSpread, from, '0.1')).toBe('0.0002');
      expect(allowed(ratioSpread, from, '0.1')).toBe('0.0003');
    }
  });
});
