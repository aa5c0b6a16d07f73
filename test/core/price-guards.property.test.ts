// Whatever the market and the leg's options, no price is sent that is beyond a bound or off the grid.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardedPrice } from '../../src/core/pricing/price-guards.ts';
import { modelPrice, price, toNumber } from '../../src/values/amounts.ts';
import { isOnTick, onTick } from '../../src/values/instrument.ts';
import { NOON, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const bps = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined });

const cases = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  asked: fc.integer({ min: 97_000, max: 103_000 }),
  bid: fc.option(fc.integer({ min: 99_000, max: 100_000 }), { nil: undefined }),
  spread: fc.integer({ min: 1, max: 800 }),
  mark: fc.option(fc.integer({ min: 99_000, max: 101_000 }), { nil: undefined }),
  arrival: fc.option(fc.integer({ min: 99_000, max: 101_000 }), { nil: undefined }),
  bandBps: bps,
  slippageMaxBps: bps,
  spreadMaxBps: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
});

test('a price that is sent is within every bound, on the grid and no more aggressive than requested', () => {
  fc.assert(
    fc.property(cases, ({ side, asked, bid, spread, mark, arrival, ...guards }) => {
      const ask = bid === undefined ? undefined : bid + spread;
      const seen = quote(PERP, [bid, ask], {
        mark: mark === undefined ? undefined : modelPrice(mark),
      });
      const found = guardedPrice(onTick(PERP, price(String(asked)), 'down'), {
        guards,
        side,
        instrument: PERP,
        quote: seen,
        now: NOON,
        quoteAgeMaxMs: 1_000,
        arrival: arrival === undefined ? undefined : modelPrice(arrival),
      });
      if (found.kind === 'none') return;
      const sign = side === 'buy' ? 1 : -1;
      const at = toNumber(found.price);
      expect(isOnTick(PERP, found.price)).toBe(true);
      expect(sign * (at - asked)).toBeLessThanOrEqual(0);
      const bounds = [
        [mark, guards.bandBps],
        [arrival, guards.slippageMaxBps],
      ] as const;
      for (const [from, most] of bounds) {
        if (most === undefined) continue;
        expect(from).toBeDefined();
        expect((sign * (at - (from ?? 0)) * 10_000) / (from ?? 1)).toBeLessThanOrEqual(most + 1e-6);
      }
      if (guards.spreadMaxBps === undefined || bid === undefined || ask === undefined) return;
      expect(((ask - bid) * 20_000) / (ask + bid)).toBeLessThanOrEqual(guards.spreadMaxBps);
    }),
    { numRuns: 500 },
  );
});

test('a price that was meant to take and may not does not become a resting order', () => {
  const seen = quote(PERP, [99_990, 100_010], { mark: price('100000') });
  const asked = {
    guards: { bandBps: 0.5 },
    side: 'buy' as const,
    instrument: PERP,
    quote: seen,
    now: NOON,
    quoteAgeMaxMs: 1_000,
  };
  expect(guardedPrice(price('101000'), asked)).toEqual({ kind: 'none', reason: 'price_band' });
  const resting = guardedPrice(price('100008'), asked);
  expect(resting.kind === 'price' && toNumber(resting.price)).toBe(100_005);
});

/** Hundredths of a basis point, of a price at which each of them is a whole number of ticks. */
const exactly = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  hundredths: fc.integer({ min: 1, max: 20_000 }),
  from: fc.integer({ min: 1, max: 20 }).map((times) => times * 500_000),
});

test('a bound in basis points is exact, with as many digits as it is given', () => {
  fc.assert(
    fc.property(exactly, ({ side, hundredths, from }) => {
      const away = (from / 1_000_000) * hundredths * (side === 'buy' ? 1 : -1);
      const further = Math.sign(away) * 0.5;
      const mark = modelPrice(from);
      const asked = { side, instrument: PERP, now: NOON, quoteAgeMaxMs: 1_000 };
      const seen = quote(PERP, [undefined, undefined], { mark });
      const at = (wanted: number) =>
        guardedPrice(modelPrice(wanted), {
          ...asked,
          quote: seen,
          guards: { bandBps: hundredths / 100 },
        });
      const worst = modelPrice(from + away);
      expect(at(from + away)).toEqual({ kind: 'price', price: worst });
      expect(at(from + away + further)).toEqual({ kind: 'price', price: worst, isBound: true });
    }),
    {
      // 1 + 22.2 / 10000 and 1 - 11.1 / 10000 have no exact float.
      examples: [
        [{ side: 'buy', hundredths: 2_220, from: 500_000 }],
        [{ side: 'sell', hundredths: 1_110, from: 500_000 }],
      ],
    },
  );
});

test('a spread of exactly the limit is allowed, and no wider one', () => {
  fc.assert(
    fc.property(exactly, ({ side, hundredths, from }) => {
      const half = ((from / 1_000_000) * hundredths) / 2;
      const asked = { side, instrument: PERP, now: NOON, quoteAgeMaxMs: 1_000 };
      const kindAt = (more: number) =>
        guardedPrice(modelPrice(from), {
          ...asked,
          quote: quote(PERP, [from - half - more, from + half + more]),
          guards: { spreadMaxBps: hundredths / 100 },
        }).kind;
      expect([kindAt(0), kindAt(0.25)]).toEqual(['price', 'none']);
    }),
  );
});

test('the spread is measured as a share of the mid, wherever the mark price is', () => {
  const guards = { spreadMaxBps: 20 };
  const asked = { guards, side: 'buy' as const, instrument: PERP, now: NOON, quoteAgeMaxMs: 1_000 };
  const priceIn = (sides: readonly [number, number], mark: string) =>
    guardedPrice(price('99000'), { ...asked, quote: quote(PERP, sides, { mark: price(mark) }) });
  for (const mark of ['50000', '100000', '200000']) {
    expect(priceIn([99_900, 100_100], mark).kind).toBe('price');
    expect(priceIn([99_899, 100_100], mark)).toEqual({ kind: 'none', reason: 'wide_spread' });
  }
});

test('a price exactly at the band and a quote exactly at the age limit are allowed', () => {
  const asked = { side: 'buy' as const, instrument: PERP, now: NOON, quoteAgeMaxMs: 1_000 };
  const seen = quote(PERP, [99_990, 100_000], { mark: price('100000') });
  const at = (bandBps: number, wanted: string) =>
    guardedPrice(price(wanted), { ...asked, quote: seen, guards: { bandBps } });
  expect(at(10, '100100')).toEqual({ kind: 'price', price: price('100100') });
  expect(at(10, '100100.5')).toMatchObject({ price: price('100100'), isBound: true });
  const old = {
    ...asked,
    now: (NOON + 1_000) as typeof NOON,
    guards: { bandBps: 10 },
    quote: seen,
  };
  expect(guardedPrice(price('99000'), old).kind).toBe('price');
  const stale = { ...old, now: (NOON + 1_001) as typeof NOON };
  expect(guardedPrice(price('99000'), stale)).toEqual({ kind: 'none', reason: 'stale_reference' });
});
