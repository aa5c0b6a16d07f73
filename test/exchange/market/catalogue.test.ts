import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exchange/market/listing/catalogue.ts';
import { listedExpiries } from '../../../src/exchange/market/listing/expiries.ts';
import { isMultiple, text, toNumber } from '../../../src/values/amounts.ts';
import { listedSince, tenorOf } from '../../../src/values/expiry/expiry-calendar.ts';
import {
  DAY_MS,
  type Instant,
  isoText,
  later,
  nextDailyUtc,
  utcInstant,
} from '../../../src/values/instant.ts';
import { type Instrument, onTick } from '../../../src/values/instrument.ts';
import { EXPIRY_HOUR } from '../../../src/values/instrument-names.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { NOON, seededIndex } from './seeded.ts';

const listings = catalogue(seededIndex());
const anyInstant = fc
  .integer({ min: 0, max: 400 * 24 * 60 })
  .map((minutes) => later(NOON, minutes * 60_000));
const chain = (now: Instant, coin: string): ReadonlyMap<number, readonly Instrument[]> =>
  Map.groupBy(
    listings.listed(now).filter((each) => each.kind === 'option' && each.base === coin),
    (each) => Number(each.expiresAt),
  );

const SHOWN_DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

/** BTC-PERPETUAL, BTC_USDC-PERPETUAL, BTC_USDC, BTC-4DEC26, BTC-4DEC26-90000-P. */
function nameShownBy({ base, quote, kind, expiresAt, option }: Instrument): string {
  const pair = quote === 'USDC' ? `${base}_${quote}` : `${base}`;
  if (expiresAt === undefined) return kind === 'perpetual' ? `${pair}-PERPETUAL` : pair;
  const [day = '', month = '', year = ''] = SHOWN_DAY.format(expiresAt)
    .replace('Sept', 'Sep')
    .split(' ');
  const dated = `${base}-${day}${month.toUpperCase()}${year}`;
  return option === undefined
    ? dated
    : `${dated}-${text(option.strike)}-${option.type === 'call' ? 'C' : 'P'}`;
}

describe('catalogue', () => {
  it('both coins have perpetuals, dated futures, spot and a chain of options', () => {
    const names = listings.listed(NOON).map(({ name }) => name as string);
    for (const name of [
      'BTC-PERPETUAL',
      'BTC_USDC-PERPETUAL',
      'BTC_USDC',
      'BTC-27NOV26',
      'BTC-25DEC26',
      'ETH-PERPETUAL',
      'ETH_USDC-PERPETUAL',
      'ETH_USDC',
      'ETH-27NOV26',
      'ETH-25DEC26',
    ]) {
      expect(names).toContain(name);
    }
    expect(new Set(names).size).toBe(names.length);
  });

  it("every instrument is named by its terms, in the venue's format", () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        for (const instrument of listings.listed(now)) {
          expect(nameShownBy(instrument)).toBe(instrument.name);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('no expired instrument is listed, and all expiries are at 08:00 UTC', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        const expiries = listings.listed(now).flatMap(({ expiresAt }) => expiresAt ?? []);
        for (const expiresAt of new Set(expiries)) {
          expect(expiresAt).toBeGreaterThan(now);
          expect(isoText(expiresAt)).toMatch(/T08:00:00\.000Z$/);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('at least four expiries have at least nine strikes, on both sides of the index when strikes were last added', () => {
    const index = seededIndex();
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('BTC' as const, 'ETH' as const), (now, coin) => {
        const chains = chain(now, coin);
        const level = index.price(coin, later(nextDailyUtc(now, EXPIRY_HOUR), -DAY_MS));
        expect(chains.size).toBeGreaterThanOrEqual(4);
        for (const options of chains.values()) {
          const strikes = new Set(options.map(({ option }) => toNumber(option?.strike as never)));
          expect(strikes.size).toBeGreaterThanOrEqual(9);
          expect(options).toHaveLength(2 * strikes.size);
          expect(Math.min(...strikes)).toBeLessThan(level);
          expect(Math.max(...strikes)).toBeGreaterThan(level);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('a chain has some 900 options as those recorded have, and neither half nor twice as many', () => {
    fc.assert(
      fc.property(anyInstant, fc.constantFrom('BTC', 'ETH'), (now, coin) => {
        const count = [...chain(now, coin).values()].flat().length;
        expect(count).toBeGreaterThan(450);
        expect(count).toBeLessThan(1_800);
      }),
      { numRuns: 20 },
    );
  });

  it('a strike is never delisted before it expires', () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: 1, max: 3 }), (now, days) => {
        const before = listings.listed(now);
        const after = later(now, days * DAY_MS);
        const names = new Set(listings.listed(after).map(({ name }) => name));
        const delisted = before.filter(
          ({ name, expiresAt }) => expiresAt !== undefined && expiresAt > after && !names.has(name),
        );
        expect(delisted).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('the same array is returned until the next listing', () => {
    const eight = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });
    const before = listings.listed(NOON);
    expect(listings.listed(later(eight, -1))).toBe(before);
    expect(listings.listed(eight)).not.toBe(before);
    const expired = before.find(({ expiresAt }) => expiresAt === eight);
    expect(expired && listings.instrument(expired.name, later(eight, -1))).toEqual(expired);
    expect(expired && listings.instrument(expired.name, eight)).toBeUndefined();
  });

  it('minimums are multiples of the lot, and larger ticks are multiples of the smallest', () => {
    for (const instrument of nonEmpty(listings.listed(NOON))) {
      const { amountStep, minAmount, tickSize, tickSteps } = instrument;
      expect(isMultiple(minAmount, amountStep)).toBe(true);
      for (const step of tickSteps) {
        expect(isMultiple(step.tickSize, tickSize)).toBe(true);
        expect(isMultiple(step.above, step.tickSize)).toBe(true);
      }
      expect(text(onTick(instrument, tickSize, 'down'))).toBe(text(tickSize));
    }
  });
});

describe('expiries', () => {
  const days = (expiries: readonly Instant[]) => expiries.map((at) => isoText(at).slice(0, 10));

  it('every option expiry has one dated future, for as long as it has options', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        for (const coin of ['BTC', 'ETH']) {
          const dated = listings
            .listed(now)
            .filter(({ kind, base }) => kind === 'future' && base === coin);
          const [expiries, ends] = [chain(now, coin).keys(), dated.map((one) => one.expiresAt)];
          expect(ends.toSorted()).toEqual([...nonEmpty([...expiries])].toSorted());
        }
      }),
      { numRuns: 20 },
    );
  });

  it('options and the future of an expiry are listed at the same instant, which daily ones are too', () => {
    const eight = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });
    const names = (now: Instant) => listings.listed(now).map(({ name }) => name as string);
    const added = names(eight).filter((name) => !names(later(eight, -1)).includes(name));
    const newest = added.filter((name) => name.startsWith('BTC-25NOV26'));
    expect(newest.filter((name) => !/-[CP]$/.test(name))).toEqual(['BTC-25NOV26']);
    expect(newest.length).toBeGreaterThan(10);
  });

  it('Fridays that end a month or a quarter are recognised', () => {
    const tenors = listedExpiries(NOON).map(({ at, tenor }) => [isoText(at).slice(0, 10), tenor]);
    expect(Object.fromEntries(tenors)).toEqual({
      '2026-11-21': 'day',
      '2026-11-22': 'day',
      '2026-11-23': 'day',
      '2026-11-24': 'day',
      '2026-11-27': 'month',
      '2026-12-04': 'week',
      '2026-12-11': 'week',
      '2026-12-25': 'quarter',
      '2027-01-29': 'month',
      '2027-03-26': 'quarter',
      '2027-06-25': 'quarter',
      '2027-09-24': 'quarter',
    });
  });

  it('on the eve of an expiry there is one Friday, month or quarter more', () => {
    const wednesday = utcInstant({ year: 2026, month: 12, day: 23, hour: 8 });
    const thursday = later(wednesday, DAY_MS);
    const added = days(listedExpiries(thursday).map(({ at }) => at)).filter(
      (day) => !days(listedExpiries(wednesday).map(({ at }) => at)).includes(day),
    );
    expect(added).toEqual(['2026-12-28', '2027-01-15', '2027-12-31']);
    expect(days(listedExpiries(later(thursday, -1)).map(({ at }) => at))).not.toContain(
      '2027-01-15',
    );
  });

  it('an expiry is in the list from when it is said to be listed, until it expires', () => {
    fc.assert(
      fc.property(anyInstant, (now) => {
        for (const { at, tenor } of listedExpiries(now)) {
          const listed = (when: Instant) => listedExpiries(when).some((one) => one.at === at);
          expect(tenorOf(at)).toBe(tenor);
          expect(listed(later(listedSince(at), -1))).toBe(false);
          expect([listed(listedSince(at)), listed(later(at, -1)), listed(at)]).toEqual([
            true,
            true,
            false,
          ]);
        }
      }),
      { numRuns: 50 },
    );
  });
});
