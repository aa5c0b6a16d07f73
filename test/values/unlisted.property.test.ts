// Explains why a name cannot be traded, and finds the nearest listed names.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { price } from '../../src/values/amounts.ts';
import { currency, instrumentName } from '../../src/values/ids.ts';
import { type Instant, instant } from '../../src/values/instant.ts';
import type { Instrument } from '../../src/values/instrument.ts';
import { nameTerms } from '../../src/values/instrument-names.ts';
import { editsBetween, nearestListed, unlisted } from '../../src/values/unlisted.ts';
import { NOON, option, perpetual, spot } from '../support/engine/markets.ts';

const at = (month: number, day: number): Instant => instant(Date.UTC(2026, month - 1, day, 8));
const call = (name: string, expiresAt: Instant, strike: string): Instrument =>
  option({
    name: instrumentName(name),
    expiresAt,
    option: { strike: price(strike), type: 'call' },
  });
const future = (name: string, expiresAt: Instant): Instrument =>
  perpetual({ name: instrumentName(name), kind: 'future', expiresAt });

const LISTED: readonly Instrument[] = [
  perpetual(),
  perpetual({ name: instrumentName('ETH-PERPETUAL'), base: currency('ETH') }),
  perpetual({ name: instrumentName('BTC_USDC-PERPETUAL') }),
  spot(),
  future('BTC-27NOV26', at(11, 27)),
  future('BTC-25DEC26', at(12, 25)),
  call('BTC-27NOV26-90000-C', at(11, 27), '90000'),
  call('BTC-27NOV26-100000-C', at(11, 27), '100000'),
  call('BTC-25DEC26-100000-C', at(12, 25), '100000'),
  option({
    name: instrumentName('BTC-27NOV26-100000-P'),
    expiresAt: at(11, 27),
    option: { strike: price('100000'), type: 'put' },
  }),
];

describe('a name that cannot be traded', () => {
  it.each([
    ['BTC-20NOV26', '"BTC-20NOV26" expired on 2026-11-20 08:00 UTC', 'BTC-27NOV26, BTC-25DEC26'],
    ['BTC-4DEC26', '"BTC-4DEC26" is not listed', 'BTC-27NOV26, BTC-25DEC26'],
    ['ETJ-PERPETUAL', '"ETJ-PERPETUAL" is not listed', 'ETH-PERPETUAL, BTC-PERPETUAL'],
    ['ETH_USDC', '"ETH_USDC" is not listed', 'BTC_USDC'],
    [
      'BTC-28NOV26-95001-C',
      '"BTC-28NOV26-95001-C" is not listed',
      'BTC-27NOV26-100000-C, BTC-27NOV26-90000-C, BTC-25DEC26-100000-C',
    ],
    ['BTC-27NOV26-99000-P', '"BTC-27NOV26-99000-P" is not listed', 'BTC-27NOV26-100000-P'],
    ['btc-perpetual', '"btc-perpetual" is not an instrument name', 'BTC-PERPETUAL'],
    ['BTC-PERPETUAL ', '"BTC-PERPETUAL " is not an instrument name', 'BTC-PERPETUAL'],
    ['BTCPERPETUAL', '"BTCPERPETUAL" is not an instrument name', 'BTC-PERPETUAL'],
    ['BTC-31FEB26', '"BTC-31FEB26" is not an instrument name', 'BTC-25DEC26'],
    ['BTC-04DEC26', '"BTC-04DEC26" is not an instrument name', 'BTC-25DEC26'],
  ])(
    'the fault of %s is explained and the nearest instruments are named',
    (name, what, nearest) => {
      const found = unlisted(name, LISTED, NOON);
      expect(found.reason).toBe(
        `${what}; accepted: a listed instrument, such as ${found.nearest.join(', ')}`,
      );
      expect(found.nearest.join(', ')).toMatch(new RegExp(`^${nearest}`));
    },
  );

  test('a name that resembles no listed one, or an empty listing, refers to the list of instruments', () => {
    for (const [name, listed] of [
      ['?'.repeat(20), LISTED],
      ['BTC-PERPETUAL', []],
    ] as const) {
      const { reason, nearest } = unlisted(name, listed, NOON);
      expect(nearest).toEqual([]);
      expect(reason).toContain('accepted: a name of public/get_instruments');
    }
  });

  test("a name whose instrument is still known is explained by that instrument's expiry", () => {
    expect(unlisted('BTC-25DEC26', LISTED, NOON, at(11, 19))).toMatchObject({
      kind: 'expired',
      reason: expect.stringContaining('expired on 2026-11-19 08:00 UTC'),
    });
  });
});

const names = fc.oneof(
  fc.string({ maxLength: 200, size: 'max' }),
  fc.stringMatching(/^[A-Z]{3}(_USDC)?-(PERPETUAL|\d{1,2}(NOV|DEC|FEB)2[0-9](-\d{1,6}-[CP])?)$/),
);

describe('the nearest listed names', () => {
  it('the first nearest name is the name itself if it is listed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LISTED),
        fc.shuffledSubarray([...LISTED], { minLength: 10 }),
        (one, listed) => {
          expect(nearestListed(one.name, listed)[0]).toBe(one.name);
        },
      ),
    );
  });

  it('at most three names are returned, each listed and unique', () => {
    const known = new Set<string>(LISTED.map(({ name }) => name));
    fc.assert(
      fc.property(names, (name) => {
        const { nearest, kind } = unlisted(name, LISTED, NOON);
        expect(nearest.length).toBeLessThanOrEqual(3);
        expect(new Set(nearest).size).toBe(nearest.length);
        expect(nearest.every((one) => known.has(one))).toBe(true);
        expect(kind === 'malformed').toBe(nameTerms(name) === undefined);
      }),
    );
  });

  it('at most five thousand listings and names of at most 64 characters are examined', () => {
    let looked = 0;
    const watched = (name: string): Instrument =>
      new Proxy(perpetual({ name: instrumentName(name) }), {
        get: (target, field) => {
          if (field === 'base') looked += 1;
          return Reflect.get(target, field);
        },
      });
    const many = Array.from({ length: 6_000 }, (_, number) => watched(`BTC-${number}`));
    nearestListed('BTC-PERPETUAL', many);
    expect(looked).toBeLessThanOrEqual(2 * 5_000);
    expect(looked).toBeGreaterThan(0);
    expect(
      nearestListed('X'.repeat(65), [perpetual({ name: instrumentName('X'.repeat(65)) })]),
    ).toEqual([]);
  });
});

/** The full edit-distance table, without a bound. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const rest = [a.slice(1), b.slice(1)] as const;
  if (a[0] === b[0]) return edits(...rest);
  return 1 + Math.min(edits(...rest), edits(rest[0], b), edits(a, rest[1]));
}

test('bounded edit distances equal the full table up to the bound, and one more beyond it', () => {
  const word = fc.stringMatching(/^[AB]{0,6}$/);
  fc.assert(
    fc.property(word, word, fc.nat(7), (a, b, most) => {
      expect(editsBetween(a, b, most)).toBe(Math.min(edits(a, b), most + 1));
    }),
  );
});
