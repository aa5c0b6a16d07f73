import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RfqLeg } from '../../../src/exchange/rfq/rfq.ts';
import { sharedOut, sharedOutInRounds } from '../../../src/exchange/rfq/shares.ts';
import { fittedLegs } from '../../../src/exchange/structures/leg-prices.ts';
import { gcdOf, structureTicks } from '../../../src/exchange/structures/structure-leg.ts';
import { price, ratio } from '../../../src/values/amounts.ts';
import { instrumentName } from '../../../src/values/ids.ts';

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('sharing', () => {
  const claims = fc.array(fc.nat(1_000_000_000), { minLength: 1, maxLength: 8 });

  it('shares add up, never exceed their claims, and are within one unit of their exact values', () => {
    fc.assert(
      fc.property(claims, fc.double({ min: 0, max: 1, noNaN: true }), (owed, part) => {
        const amount = Math.floor(sum(owed) * part);
        const shares = sharedOut(amount, owed);
        expect(sum(shares)).toBe(amount);
        for (const [at, share] of shares.entries()) {
          const claim = owed[at] ?? 0;
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(claim);
          expect(Math.abs(share - (amount * claim) / Math.max(1, sum(owed)))).toBeLessThan(1.001);
        }
      }),
    );
  });

  it('every claim is paid in full after the last round', () => {
    fc.assert(
      fc.property(
        claims,
        fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
        (owed, weights) => {
          const total = sum(owed);
          const amounts = sharedOut(
            total,
            weights.map((weight) => weight + total),
          );
          const rounds = sharedOutInRounds(amounts, owed);
          expect(rounds.map(sum)).toEqual(amounts);
          expect(owed.map((_, at) => sum(rounds.map((shares) => shares[at] ?? 0)))).toEqual(owed);
        },
      ),
    );
  });
});

describe('leg prices', () => {
  const leg = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    hundredths: fc.constantFrom(100, 200, 300, 50, 133),
    tickUnits: fc.constantFrom(1, 5),
    at: fc.integer({ min: 2_000, max: 8_000 }),
  });
  type Drawn = typeof leg extends fc.Arbitrary<infer D> ? D : never;

  const rfqLegs = (drawn: readonly Drawn[]): readonly RfqLeg[] =>
    drawn.map(({ side, hundredths, tickUnits }, at) => ({
      instrument: instrumentName(`L${at}`),
      side,
      ratio: ratio(String(hundredths / 100)),
      lots: 1,
      tick: price('0.0001'),
      step: hundredths * tickUnits,
    }));

  it('leg prices add up to any price of the grid that the bands allow', () => {
    fc.assert(
      fc.property(
        fc.array(leg, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: -60, max: 60 }),
        (drawn, moves) => {
          const legs = rfqLegs(drawn);
          const from = drawn.map(({ at }) => at);
          const ranges = legs.map(() => ({ low: 1, high: 10_000 }));
          const grid = gcdOf(legs.map(({ step }) => step));
          const target = structureTicks(legs, from) + moves * grid;
          const fitted = fittedLegs({ legs, from, ranges, target });
          // The remainders of two legs repeat after at most 1 500 steps, and the bands are wider than that.
          expect(fitted && structureTicks(legs, fitted)).toBe(target);
          for (const ticks of fitted ?? []) {
            expect(ticks).toBeGreaterThanOrEqual(1);
            expect(ticks).toBeLessThanOrEqual(10_000);
          }
        },
      ),
    );
  });

  it('prices of two legs are found exactly where a scan of every pair finds some', () => {
    fc.assert(
      fc.property(
        fc.tuple(leg, leg),
        fc.integer({ min: -200, max: 200 }),
        fc.integer({ min: 5, max: 120 }),
        (drawn, moves, room) => {
          const legs = rfqLegs(drawn);
          const from = drawn.map(({ at }) => at);
          const ranges = from.map((at) => ({ low: at - room, high: at + room }));
          const target = structureTicks(legs, from) + moves * gcdOf(legs.map(({ step }) => step));
          const every = (at: number): readonly number[] =>
            Array.from({ length: 2 * room + 1 }, (_, offset) => at - room + offset);
          const [one = 0, two = 0] = from;
          const reached = new Set(every(one).map((at) => structureTicks(legs, [at, two])));
          const isThere = every(two).some((at) =>
            reached.has(target - structureTicks(legs, [one, at]) + structureTicks(legs, from)),
          );
          const fitted = fittedLegs({ legs, from, ranges, target });
          expect(fitted !== undefined).toBe(isThere);
          if (fitted !== undefined) expect(structureTicks(legs, fitted)).toBe(target);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('leg prices that already add up are unchanged, otherwise one leg of ratio 1 moves first', () => {
    const make = (side: 'buy' | 'sell', hundredths: number): RfqLeg => ({
      instrument: instrumentName(`${side}${hundredths}`),
      side,
      ratio: ratio(String(hundredths / 100)),
      lots: 1,
      tick: price('0.0001'),
      step: hundredths,
    });
    const legs = [make('buy', 200), make('sell', 100)];
    const ranges = legs.map(() => ({ low: 1, high: 1_000 }));
    const from = [500, 200];
    const fit = { legs, from, ranges };
    expect(fittedLegs({ ...fit, target: 80_000 })).toEqual([500, 200]);
    expect(fittedLegs({ ...fit, target: 80_700 })).toEqual([500, 193]);
    expect(
      fittedLegs({
        ...fit,
        target: 79_000,
        ranges: [
          { low: 1, high: 1_000 },
          { low: 190, high: 205 },
        ],
      }),
    ).toEqual([495, 200]);
    expect(fittedLegs({ ...fit, target: 80_050 })).toBeUndefined();
  });
});
