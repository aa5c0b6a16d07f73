// Names of combos read back: the legs that a name says are those from which it was made.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  legsOfName,
  type NamedLeg,
  namedStructure,
} from '../../../src/exchange/structures/combo-name.ts';
import { price } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { option, perpetual } from '../../support/engine/markets.ts';

const DAYS = ['1MAR26', '27MAR26', '26JUN26'];
const STRIKES = [80_000, 90_000, 100_000, 110_000];

const optionLeg = fc
  .record({
    day: fc.nat({ max: DAYS.length - 1 }),
    strike: fc.constantFrom(...STRIKES),
    type: fc.constantFrom('call' as const, 'put' as const),
    ratio: fc.constantFrom(1, -1, 2, -2, 3, -3),
  })
  .map(({ day, strike, type, ratio }): NamedLeg => {
    const name = `BTC-${DAYS[day]}-${strike}-${type === 'call' ? 'C' : 'P'}`;
    const of = {
      ...option({ name: instrumentName(name) }),
      expiresAt: instant(Date.UTC(2026, day, 27, 8)),
      option: { strike: price(String(strike)), type },
    };
    return { of, ratio };
  });

const legsOf = (legs: readonly NamedLeg[]) =>
  legs.map(({ of, ratio }) => ({ instrument: of.name as string, ratio }));

describe('legs from the name of a combo', () => {
  test('every structure of options that has a code is read back from its name', () => {
    let named = 0;
    fc.assert(
      fc.property(fc.array(optionLeg, { minLength: 2, maxLength: 4 }), (legs) => {
        fc.pre(new Set(legs.map(({ of }) => of.name)).size === legs.length);
        const structure = namedStructure(legs);
        if (structure === undefined) return;
        named += 1;
        expect(legsOfName(structure.name)).toEqual(legsOf(structure.legs));
      }),
      { numRuns: 5_000 },
    );
    expect(named).toBeGreaterThan(50);
  });

  test('a spread of futures is read back, with the perpetual under its full name', () => {
    expect(legsOfName('BTC-FS-26JUN26_PERP')).toEqual([
      { instrument: 'BTC-26JUN26', ratio: 1 },
      { instrument: 'BTC-PERPETUAL', ratio: -1 },
    ]);
    const [far, near] = ['BTC-26JUN26', 'BTC-PERPETUAL'].map((name, at) => ({
      of: {
        ...perpetual({ name: instrumentName(name) }),
        ...(at === 0 && { kind: 'future' as const, expiresAt: instant(Date.UTC(2026, 5, 26, 8)) }),
      },
      ratio: at === 0 ? 1 : -1,
    })) as [NamedLeg, NamedLeg];
    expect(namedStructure([near, far])?.name).toBe('BTC-FS-26JUN26_PERP');
  });

  test.each([
    'BTC-PERPETUAL',
    'BTC-26JUN26',
    'BTC-26JUN26-90000-C',
    'BTC_USDC',
    'BTC-CC-26JUN26-1A2B3C4D',
    'BTC-CS-26JUN26-90000',
    'BTC-CS-26JUN26-90000_95000_99000',
    'BTC-CS-26JUN26_27MAR26-90000_95000',
    'BTC-FS-26JUN26',
    'BTC-FS-26JUN26_PERP-90000',
    'BTC-XX-26JUN26-90000_95000',
    '',
  ])('%j says no legs', (name) => {
    expect(legsOfName(name)).toBeUndefined();
  });
});
