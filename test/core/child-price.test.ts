import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childPrice, repriceEveryMs } from '../../src/core/pricing/child-price.ts';
import { atVolatility, optionTerms, volatilityOf } from '../../src/core/pricing/option-price.ts';
import type { DynamicReference, LegPricing, PriceUnit } from '../../src/core/terms/spec.ts';
import { modelPrice, price, quantity, ratio, text, toNumber } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { later } from '../../src/values/instant.ts';
import { isOnTick, onTick } from '../../src/values/instrument.ts';
import type { Quote } from '../../src/values/quote.ts';
import { NOON, option, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();

function priced(
  pricing: LegPricing,
  seen: Quote | undefined,
  change: { side?: 'buy' | 'sell'; postOnly?: boolean; instrument?: typeof PERP } = {},
): string {
  const { side = 'buy', postOnly = false, instrument = PERP } = change;
  const leg = { side, postOnly, pricing };
  const collar = ratio('0.01');
  const found = childPrice({
    leg,
    instrument,
    quote: seen,
    now: NOON,
    quoteAgeMaxMs: 5_000,
    collar,
  });
  return found.kind === 'price' ? text(found.price) : found.reason;
}

const dynamic = (
  reference: DynamicReference,
  offset = '0',
  unit: PriceUnit = 'currency',
): LegPricing => ({
  type: 'dynamic',
  price: price('1'),
  unit,
  reference,
  offset: price(offset),
  everyMs: 1_000,
});

/** Prices on the grid of an option at which its volatility is defined. */
const quotedOptions = fc
  .record({
    isLinear: fc.boolean(),
    type: fc.constantFrom('call' as const, 'put' as const),
    strike: fc.integer({ min: 40, max: 250 }).map((thousands) => thousands * 1_000),
    forward: fc.integer({ min: 5_000_000, max: 20_000_000 }).map((cents) => cents / 100),
    days: fc.integer({ min: 1, max: 400 }),
    ticks: fc.integer({ min: 1, max: 4_000 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
  })
  .map(({ isLinear, type, strike, forward, days, ticks, side }) => {
    const instrument = option({
      ...(isLinear ? { marginKind: 'linear', tickSize: price('5'), tickSteps: [] } : {}),
      option: { strike: price(String(strike)), type },
      expiresAt: later(NOON, days * 86_400_000),
    });
    const at = onTick(instrument, modelPrice(isLinear ? ticks * 5 : ticks / 10_000), 'up');
    const seen = quote(instrument, [toNumber(at), toNumber(at)], {
      mark: undefined,
      underlying: modelPrice(forward),
    });
    return { instrument, at, seen, side };
  });

test.each(['iv', 'usd'] as const)(
  'an offset of zero in %s keeps the tick of its reference',
  (unit) => {
    let kept = 0;
    fc.assert(
      fc.property(quotedOptions, ({ instrument, at, seen, side }) => {
        const terms = must(optionTerms(instrument, seen, NOON), 'the option has terms');
        if (unit === 'iv' && volatilityOf(instrument, terms, at) === undefined) return;
        kept += 1;
        const pricing = dynamic(side === 'buy' ? 'bid' : 'ask', '0', unit);
        expect(priced(pricing, seen, { side, instrument })).toBe(text(at));
      }),
      { numRuns: 2_000 },
    );
    expect(kept).toBeGreaterThan(500);
  },
);

test('an offset in USD does not lose a tick to the last digit of a float', () => {
  const linear = option({ marginKind: 'linear', tickSize: price('0.1'), tickSteps: [] });
  const seen = quote(linear, [10.1, 10.1]);
  expect(priced(dynamic('bid', '0.2', 'usd'), seen, { instrument: linear })).toBe('10.3');
});

describe('the price of a child', () => {
  const seen = quote(PERP, [99_990, 100_011], {
    mark: price('100003.3'),
    model: price('100004.4'),
  });

  test.each([
    ['mid', '0', 'buy', '100000.5'],
    ['mid', '0.3', 'buy', '100000.5'],
    ['mid', '0.3', 'sell', '100001'],
    ['mark', '0', 'buy', '100003'],
    ['mark', '0', 'sell', '100003.5'],
    ['model', '-10', 'buy', '99994'],
    ['bid', '0', 'sell', '99990'],
    ['ask', '-5', 'buy', '100006'],
  ] as const)(
    'reference %s with offset %s prices a %s at %s, rounded to the less aggressive side',
    (reference, offset, side, expected) => {
      expect(priced(dynamic(reference, offset), seen, { side })).toBe(expected);
    },
  );

  test('a post-only child against an opposite price between two ticks stays a whole tick short of it', () => {
    const between = quote(PERP, [99_990.2, 100_000.3]);
    const far = (at: string) => ({ type: 'limit', price: price(at), unit: 'currency' }) as const;
    expect(priced(far('100010'), between, { postOnly: true })).toBe('99999.5');
    expect(priced(far('99980'), between, { postOnly: true, side: 'sell' })).toBe('99991');
  });

  test('a sell below the band and a buy above it wait, while the reverse cases do not', () => {
    const band = quote(PERP, [99_990, 100_010], {
      minPrice: price('99000'),
      maxPrice: price('101000'),
    });
    const at = (limit: string) =>
      ({ type: 'limit', price: price(limit), unit: 'currency' }) as const;
    expect(priced(at('98999.5'), band, { side: 'sell' })).toBe('outside_band');
    expect(priced(at('99000'), band, { side: 'sell' })).toBe('99000');
    expect(priced(at('98999.5'), band)).toBe('98999.5');
    expect(priced(at('101000.5'), band)).toBe('outside_band');
    expect(priced(at('101000'), band)).toBe('101000');
    expect(priced(at('101000.5'), band, { side: 'sell' })).toBe('101000.5');
  });

  test('an unknown or negative volatility gives no price', () => {
    const call = quote(CALL, [0.049, 0.051], { markIv: 0.6 });
    const at = (pricing: LegPricing, shown: Quote) => priced(pricing, shown, { instrument: CALL });
    expect(at(dynamic('mark', '-0.61', 'iv'), call)).toBe('no_reference');
    expect(Number(at(dynamic('mark', '-0.1', 'iv'), call))).toBeGreaterThan(0);
    // More than the coin itself: no volatility makes that price.
    expect(at(dynamic('mid', '0', 'iv'), quote(CALL, [1.2, 1.4]))).toBe('no_reference');
  });

  test('a volatility of zero prices an option at its intrinsic value', () => {
    const call = quote(CALL, [0.17, 0.18], { markIv: 0.6, underlying: price('120000') });
    const bought = { instrument: CALL };
    expect(priced(dynamic('mark', '-0.6', 'iv'), call, bought)).toBe('0.1665');
    expect(priced(dynamic('mark', '-0.6001', 'iv'), call, bought)).toBe('no_reference');
  });

  test('a volatility relative to the mark or the model starts from the volatility of the mark', () => {
    const shown = { markIv: 0.6, underlying: price('95000'), model: price('0.04') };
    const call = quote(CALL, [0.03, 0.032], { ...shown, mark: price('0.031') });
    const at = (reference: DynamicReference): string =>
      priced(dynamic(reference, '0', 'iv'), call, { instrument: CALL });
    const limit: LegPricing = { type: 'limit', price: price('0.6'), unit: 'iv' };
    const atMark = priced(limit, call, { instrument: CALL });
    expect([at('mark'), at('model')]).toEqual([atMark, atMark]);
    expect(Number(at('mid'))).toBeLessThan(0.032);
    expect(Number(atMark)).toBeGreaterThan(0.032);
  });

  test('only a price that follows the market is recomputed while the child rests', () => {
    const limit = (unit: PriceUnit) => ({ type: 'limit', price: price('1'), unit }) as const;
    expect(repriceEveryMs(limit('currency'))).toBeUndefined();
    expect(repriceEveryMs(limit('usd'))).toBe(1_000);
    expect(repriceEveryMs({ type: 'market' })).toBeUndefined();
    expect(repriceEveryMs({ ...dynamic('mid'), everyMs: 700 } as LegPricing)).toBe(700);
  });

  test('a missing side, mark price or quote, or an old quote, gives no price and the reason', () => {
    const oneSided = quote(PERP, [99_990, undefined], { mark: undefined });
    expect(priced(dynamic('mid'), oneSided)).toBe('no_reference');
    expect(priced(dynamic('ask'), oneSided)).toBe('no_reference');
    expect(priced(dynamic('mark'), oneSided)).toBe('no_reference');
    expect(priced(dynamic('bid'), oneSided)).toBe('99990');
    expect(priced(dynamic('mid'), undefined)).toBe('no_reference');
    const old = { ...seen, seenAt: later(NOON, -5_001) };
    expect(priced(dynamic('mid'), old)).toBe('stale_reference');
    expect(priced({ type: 'limit', price: price('90000'), unit: 'currency' }, undefined)).toBe(
      '90000',
    );
  });

  test('a market child is priced through the opposite side by the collar, within the band', () => {
    expect(priced({ type: 'market' }, seen)).toBe('101011');
    expect(priced({ type: 'market' }, seen, { side: 'sell' })).toBe('98990.5');
    const banded = { ...seen, maxPrice: price('100500'), minPrice: price('99500') };
    expect(priced({ type: 'market' }, banded)).toBe('100500');
    expect(priced({ type: 'market' }, banded, { side: 'sell' })).toBe('99500');
    expect(priced({ type: 'market' }, quote(PERP, [99_990, undefined]))).toBe('no_reference');
    const cheap = quote(CALL, [0.0001, 0.0002]);
    expect(priced({ type: 'market' }, cheap, { instrument: CALL })).toBe('0.0002');
  });

  test('a post-only child stays one tick off the opposite side, also across a tick-size boundary', () => {
    const at = (limit: string): LegPricing => ({
      type: 'limit',
      price: price(limit),
      unit: 'currency',
    });
    expect(priced(at('100020'), seen, { postOnly: true })).toBe('100010.5');
    expect(priced(at('99000'), seen, { postOnly: true, side: 'sell' })).toBe('99990.5');
    expect(priced(at('99000'), seen, { postOnly: true })).toBe('99000');
    const step = quote(CALL, [0.0049, 0.0055]);
    expect(priced(at('0.006'), step, { postOnly: true, instrument: CALL })).toBe('0.005');
  });

  test('a child whose price the venue would refuse waits', () => {
    const banded = { ...seen, maxPrice: price('99000') };
    expect(priced(dynamic('mid'), banded)).toBe('outside_band');
    expect(priced(dynamic('bid', '-200000'), seen)).toBe('outside_band');
  });

  test('an option has a price until just before it expires, and none afterwards', () => {
    const seenCall = quote(CALL, [0.03, 0.032], { underlying: price('95000') });
    const expiresAt = must(CALL.expiresAt, 'expiry');
    expect(optionTerms(CALL, seenCall, later(expiresAt, -1))?.years).toBeGreaterThan(0);
    expect(optionTerms(CALL, seenCall, expiresAt)).toBeUndefined();
    const expired = { type: 'call', forward: 95_000, strike: 100_000, years: 0 } as const;
    expect(atVolatility(CALL, expired, 0.6)).toBeUndefined();
  });

  test('volatility and USD prices are converted to coin prices and follow the forward', () => {
    const seenCall = quote(CALL, [0.03, 0.032], { markIv: 0.6, underlying: price('95000') });
    const terms = must(optionTerms(CALL, seenCall, NOON), 'terms');
    const sold = { side: 'sell', instrument: CALL } as const;
    const at60 = toNumber(must(atVolatility(CALL, terms, 0.6), 'price'));
    const found = Number(
      priced({ type: 'limit', price: price('0.6'), unit: 'iv' }, seenCall, sold),
    );
    expect(found).toBeGreaterThanOrEqual(at60);
    expect(found - at60).toBeLessThan(0.0005);
    expect(Number(priced(dynamic('mark', '0', 'iv'), seenCall, sold))).toBe(found);
    expect(Number(priced(dynamic('mark', '0.05', 'iv'), seenCall, sold))).toBeGreaterThan(found);
    expect(priced({ type: 'limit', price: price('2850'), unit: 'usd' }, seenCall, sold)).toBe(
      '0.03',
    );
    expect(priced(dynamic('mid', '0', 'usd'), seenCall, sold)).toBe('0.031');
    expect(priced(dynamic('mid', '90', 'usd'), seenCall, sold)).toBe('0.032');
    expect(priced(dynamic('mid', '-50', 'usd'), seenCall, sold)).toBe('0.0305');
  });

  test('every price is on the tick grid and never worse than the limit', () => {
    const cents = fc.integer({ min: 1, max: 30_000 });
    fc.assert(
      fc.property(cents, cents, fc.constantFrom('buy' as const, 'sell' as const), (a, b, side) => {
        const limit = modelPrice(a / 100_000);
        const shown = quote(CALL, [b / 100_000, (b + 7) / 100_000]);
        const pricing: LegPricing = { type: 'limit', price: limit, unit: 'currency' };
        const found = priced(pricing, shown, { side, instrument: CALL });
        if (found === 'outside_band') return;
        expect(isOnTick(CALL, price(found))).toBe(true);
        expect(side === 'buy' ? limit.gte(found) : limit.lte(found)).toBe(true);
      }),
    );
  });

  test('pricing at the volatility implied by a price returns that price', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 2, noNaN: true }), (volatility) => {
        const seenCall = quote(CALL, [0.03, 0.032], { underlying: price('97000') });
        const terms = must(optionTerms(CALL, seenCall, NOON), 'terms');
        const at = must(atVolatility(CALL, terms, volatility), 'price');
        const back = volatilityOf(CALL, terms, at);
        expect(back).toBeCloseTo(volatility, 8);
      }),
    );
  });

  test('the quantity at the opposite best does not affect the price', () => {
    const thin = { ...seen, ask: { price: price('100011'), quantity: quantity('10') } };
    expect(priced({ type: 'market' }, thin)).toBe(priced({ type: 'market' }, seen));
  });
});
