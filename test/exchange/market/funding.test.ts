import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exchange/market/listing/catalogue.ts';
import { Funding, fundingRate } from '../../../src/exchange/market/prices/funding-rate.ts';
import { marks } from '../../../src/exchange/market/prices/marks.ts';
import { must } from '../../../src/values/assert.ts';
import { instrumentName } from '../../../src/values/ids.ts';
import { HOUR_MS, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { NOON, seededIndex } from './seeded.ts';

describe('funding rates', () => {
  it.each([
    [0.0002, 0],
    [-0.00025, 0],
    [0.0005, 0.00025],
    [-0.001, -0.00075],
  ])('a premium of %f gives a rate of %f per eight hours', (premium, rate) => {
    expect(fundingRate(premium)).toBeCloseTo(rate, 9);
  });

  it('the average of the last eight hours is the same after a gap as minute by minute', () => {
    const premium = (atMs: number): number => 0.0008 * Math.cos(atMs / 5e6);
    const [watched, late] = [new Funding(premium), new Funding(premium)];
    for (let minute = 0; minute <= 600; minute += 1)
      watched.lastEightHours(NOON + minute * MINUTE_MS);
    const end = NOON + 600 * MINUTE_MS;
    expect(late.lastEightHours(end)).toBe(watched.lastEightHours(end));
    const rates = Array.from({ length: 480 }, (_, minute) =>
      fundingRate(premium(end - minute * MINUTE_MS)),
    );
    expect(late.lastEightHours(end)).toBeCloseTo(rates.reduce((sum, rate) => sum + rate) / 480, 7);
    expect(new Funding(() => 0.00125).lastEightHours(end)).toBeCloseTo(0.001, 9);
  });

  it('the funding of the seeded perpetuals is mostly zero and sometimes of either sign', () => {
    const index = seededIndex('funding');
    const worth = marks('funding', index);
    const perpetual = must(
      catalogue(index).instrument(instrumentName('ETH-PERPETUAL'), NOON),
      'a perpetual',
    );
    const rates = Array.from({ length: 1_000 }, (_, number) => {
      const { funding } = worth.value(perpetual, later(NOON, number * 3 * HOUR_MS));
      return must(funding, 'funding').current;
    });
    const share = (is: (rate: number) => boolean): number => rates.filter(is).length / rates.length;
    expect(share((rate) => rate === 0)).toBeGreaterThan(0.5);
    expect(share((rate) => rate > 0)).toBeGreaterThan(0.02);
    expect(share((rate) => rate < 0)).toBeGreaterThan(0.002);
    expect(Math.max(...rates.map(Math.abs))).toBeLessThan(0.002);
  });
});
