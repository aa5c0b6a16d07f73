// Instruments as the ledger keeps them: a combo with its legs, any other as before combos could be legs.
import { expect, test } from 'vitest';
import { instrumentFromRecord, instrumentToRecord } from '../../src/core/terms/spec-record.ts';
import { comboInstrument } from '../../src/exchange/combos/combo-terms.ts';
import { instrumentName } from '../../src/values/ids.ts';
import { option, perpetual, spot } from '../support/engine/markets.ts';

const stored = (record: unknown) => JSON.parse(JSON.stringify(record));

test('a combo keeps its legs in the ledger', () => {
  const high = option({ name: instrumentName('BTC-27MAR26-110000-C') });
  const spread = comboInstrument('BTC-CSR12-27MAR26-100000_110000', [
    { of: option(), ratio: 1 },
    { of: high, ratio: -2 },
  ]);
  const record = stored(instrumentToRecord(spread));
  expect(record.legs).toEqual([
    { instrument: option().name, ratio: 1 },
    { instrument: high.name, ratio: -2 },
  ]);
  expect(instrumentFromRecord(record)).toEqual(spread);
});

test.each([perpetual(), option(), spot()])(
  '$name has no legs, in the ledger and read from it',
  (one) => {
    const record = stored(instrumentToRecord(one));
    expect(record).not.toHaveProperty('legs');
    expect(instrumentFromRecord(record)).toEqual(one);
    expect(instrumentFromRecord(record).legs).toBeUndefined();
  },
);
