import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exchange/market/listing/catalogue.ts';
import { marks } from '../../../src/exchange/market/prices/marks.ts';
import { premium } from '../../../src/exchange/market/prices/premium.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { DAY_MS, type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { NOON, seededIndex } from './seeded.ts';

const index = seededIndex();
const listings = catalogue(index);
const worth = marks('test', index);
const anyInstant = fc
  .integer({ min: 0, max: 60 * 24 * 60 * 60 })
  .map((seconds) => later(NOON, seconds * 1_000));
const named = (name: string, now: Instant): Instrument =>
  must(listings.instrument(instrumentName(name), now), name);

interface Strike {
  readonly strike: number;
  readonly call: Instrument;
  readonly put: Instrument;
}

function strikesOf(now: Instant, coin: string): readonly Strike[] {
  const byStrike = Map.groupBy(
    listings.listed(now).filter((each) => each.kind === 'option' && each.base === coin),
    (each) => `${each.expiresAt}/${each.option?.strike}`,
  );
  return [...byStrike.values()].map(([call, put]) => ({
    strike: toNumber(must(call?.option, 'option').strike),
    call: must(call, 'call'),
    put: must(put, 'put'),
  }));
}

describe('marks', () => {
  it('the mark price of a perpetual is within half a percent of its index, and its band 1.5 % around it', () => {
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('BTC', 'ETH'), (now, coin) => {
        for (const name of [`${coin}-PERPETUAL`, `${coin}_USDC-PERPETUAL`]) {
          const at = worth.value(named(name, now), now);
          expect(Math.abs(at.mark / at.index - 1)).toBeLessThan(0.005);
          expect(Math.abs(at.fair / at.mark - 1)).toBeLessThan(0.005);
          expect(at.lowest).toBeCloseTo(at.mark * 0.985, 6);
          expect(at.highest).toBeCloseTo(at.mark * 1.015, 6);
        }
      }),
    );
  });

  it('USDC spot prices imply a USDC of nearly one dollar, the same for both coins', () => {
    const strays: number[] = [];
    fc.assert(
      fc.property(anyInstant, (now) => {
        const [btc, eth] = ['BTC_USDC', 'ETH_USDC'].map((name) => {
          const at = worth.value(named(name, now), now);
          expect(Math.abs(at.fair / at.mark - 1)).toBeLessThan(0.001);
          return at.index / at.mark;
        });
        expect(btc).toBeCloseTo(must(eth, 'ETH'), 4);
        expect(Math.abs(must(btc, 'BTC') - 1)).toBeLessThan(0.001);
        strays.push(must(btc, 'BTC') - 1);
      }),
    );
    expect(Math.min(...strays)).toBeLessThan(0);
    expect(Math.max(...strays)).toBeGreaterThan(0);
  });

  it('later futures are above earlier ones, and all converge to the index at expiry', () => {
    const [near, far] = ['BTC-27NOV26', 'BTC-25DEC26'].map((name) => named(name, NOON));
    const mark = (of: Instrument | undefined, now: Instant): number =>
      worth.value(must(of, 'future'), now).mark;
    expect(mark(near, NOON)).toBeGreaterThan(index.price('BTC', NOON));
    expect(mark(far, NOON)).toBeGreaterThan(mark(near, NOON));
    const expiry = must(near?.expiresAt, 'expiry');
    expect(mark(near, expiry)).toBe(index.price('BTC', expiry));
  });

  it('calls and puts of a strike satisfy put-call parity, with equal volatility', () => {
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('BTC', 'ETH'), (now, coin) => {
        for (const { strike, call, put } of strikesOf(now, coin)) {
          const [calls, puts] = [worth.value(call, now), worth.value(put, now)];
          const underlying = must(calls.option, 'option').underlying;
          expect(calls.option?.volatility).toBe(puts.option?.volatility);
          expect(calls.mark - puts.mark).toBeCloseTo((underlying - strike) / underlying, 5);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('calls are cheaper at higher strikes, and the wings have higher volatility than the middle', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const chains = Map.groupBy(strikesOf(now, 'BTC'), ({ call }) => call.expiresAt);
        for (const chain of nonEmpty([...chains.values()])) {
          const marksUp = chain.map(({ call }) => worth.value(call, now));
          for (const [at, next] of marksUp.slice(1).entries()) {
            expect(next.mark).toBeLessThanOrEqual(must(marksUp[at], 'call').mark);
          }
          const volatilities = marksUp.map(({ option }) => must(option, 'option').volatility);
          const lowest = Math.min(...volatilities);
          expect(lowest).toBeGreaterThan(0.2);
          expect(must(volatilities[0], 'wing')).toBeGreaterThan(lowest);
          expect(must(volatilities.at(-1), 'wing')).toBeGreaterThanOrEqual(lowest);
          // In the last hours the volatility of the wings is unbounded.
          const isFar = (must(chain[0], 'chain').call.expiresAt ?? now) - now > DAY_MS;
          if (isFar) expect(Math.max(...volatilities)).toBeLessThan(3);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('greeks have the right sign and size', () => {
    for (const { call, put } of nonEmpty(strikesOf(NOON, 'ETH'))) {
      const calls = must(worth.value(call, NOON).option, 'option').greeks;
      const puts = must(worth.value(put, NOON).option, 'option').greeks;
      expect(calls.delta).toBeGreaterThanOrEqual(0);
      expect(calls.delta).toBeLessThanOrEqual(1);
      expect(calls.delta - puts.delta).toBeCloseTo(1, 4);
      expect(calls.vega).toBeCloseTo(puts.vega, 4);
      expect(calls.theta).toBeLessThanOrEqual(0);
      expect(calls.gamma).toBeGreaterThanOrEqual(0);
    }
  });

  it('the mark price of an option carries eight decimals', () => {
    const marked = strikesOf(NOON, 'BTC').map(({ call }) => worth.value(call, NOON).mark);
    for (const mark of marked) expect(mark).toBe(Number(mark.toFixed(8)));
    const finest = marked.filter((mark) => mark !== Number(mark.toFixed(6)));
    expect(finest.length).toBeGreaterThan(marked.length / 2);
  });

  it('at its expiry an option is marked at what its forward makes of it, without exposure', () => {
    for (const { call } of nonEmpty(strikesOf(NOON, 'BTC')).slice(0, 5)) {
      const at = must(call.expiresAt, 'expiry');
      const { mark, option } = worth.value(call, at);
      const { underlying, greeks } = must(option, 'option');
      const strike = toNumber(must(call.option, 'terms').strike);
      expect(mark).toBeCloseTo(Math.max(0, underlying - strike) / underlying, 8);
      expect(greeks).toEqual({ delta: 0, gamma: 0, vega: 0, theta: 0, rho: 0 });
    }
  });

  it('option bands contain the mark price', () => {
    for (const { call } of nonEmpty(strikesOf(NOON, 'BTC'))) {
      const { mark, lowest, highest } = worth.value(call, NOON);
      expect(lowest).toBeCloseTo(mark - 0.03 - 0.01 * mark, 9);
      expect(highest).toBeCloseTo(mark + 0.03 + 0.05 * mark, 9);
    }
  });

  it('volatility moves over days', () => {
    const option = must(strikesOf(NOON, 'BTC').at(-20)?.call, 'option');
    const seen = Array.from({ length: 20 }, (_, day) => {
      const at = worth.value(option, later(NOON, day * DAY_MS));
      return must(at.option, 'option').volatility;
    });
    expect(new Set(seen).size).toBeGreaterThan(10);
  });
});

describe('premium', () => {
  const traits = { slow: 0.0002, quick: 0.0001 };

  it('the average is the same after a gap as second by second', () => {
    const watched = premium(1, traits);
    for (let second = 0; second < 500; second += 1) watched.average(NOON + second * 1_000, 0.005);
    const end = NOON + 499_000;
    expect(premium(1, traits).average(end, 0.005)).toBe(watched.average(end, 0.005));
  });

  it('the average follows the premium with a memory of about thirty seconds', () => {
    const stray = premium(3, traits);
    let [ofSignal, ofAverage] = [0, 0];
    for (let second = 0; second < 2_000; second += 1) {
      const at = NOON + second * 1_000;
      ofSignal += Math.abs(stray.at(at + 1_000) - stray.at(at));
      ofAverage += Math.abs(stray.average(at + 1_000, 1) - stray.average(at, 1));
    }
    expect(ofAverage).toBeLessThan(ofSignal / 3);
    expect(ofAverage).toBeGreaterThan(0);
  });

  it('no sample counts for more than the bound', () => {
    const wild = premium(5, { slow: 1, quick: 1 });
    for (let minute = 0; minute < 100; minute += 1) {
      expect(Math.abs(wild.average(NOON + minute * 60_000, 0.005))).toBeLessThan(0.005 + 1e-12);
    }
  });
});
