// How the page writes figures, durations and dates, case by case; and that nothing else of the page writes them.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  ageText,
  bpsText,
  dateText,
  dateTimeText,
  dollars,
  durationText,
  fieldTime,
  figure,
  minuteText,
  percent,
  signed,
  significant,
  spanMs,
  spanText,
  timeText,
} from '../../src/page/model/formatting.ts';
import { atPlaces, counted, grouped, placesOf } from '../../src/values/text/written-figures.ts';

const NOON_MS = Date.UTC(2026, 10, 30, 12, 5, 9);
/** Beyond every date. */
const NEVER_MS = 8.64e15;

describe('formatting of the page', () => {
  test.each([
    ['0', '0'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-1234567.5', '-1,234,567.5'],
    ['1234.123456789', '1,234.123456789'],
    ['90071992547409931234', '90,071,992,547,409,931,234'],
    ['', ''],
    ['market', 'market'],
    ['<b>1000</b>', '<b>1000</b>'],
  ])('the decimal "%s" is grouped as "%s", and what is none stays', (text, shown) => {
    expect(grouped(text)).toBe(shown);
  });

  test.each([
    ['99980.3456', '0.5', '99,980.3'],
    ['99980.35', '0.5', '99,980.4'],
    ['3351.2', '0.05', '3,351.20'],
    ['0.04151234', '0.0005', '0.0415'],
    ['0.99995', '0.0001', '1.0000'],
    ['999999.96', '0.1', '1,000,000.0'],
    ['101312.5', '10', '101,313'],
    ['-0.0004', '0.01', '0.00'],
    ['-2.345', '0.010', '-2.35'],
    ['none', '0.5', 'none'],
  ])('the price %s with a tick of %s is shown as %s', (price, tick, shown) => {
    expect(atPlaces(price, placesOf(tick))).toBe(shown);
  });

  test.each([
    ['1 h', 3_600_000, '1 h'],
    ['30 min', 1_800_000, '30 min'],
    ['30m', 1_800_000, '30 min'],
    ['1h30m', 5_400_000, '1 h 30 min'],
    ['1.5 hours', 5_400_000, '1 h 30 min'],
    ['2 hrs', 7_200_000, '2 h'],
    ['90 s', 90_000, '1 min 30 s'],
    ['90 SECONDS', 90_000, '1 min 30 s'],
    ['500 ms', 500, '500 ms'],
    ['1 d 2 h', 93_600_000, '1 d 2 h'],
    [' 0.1 h ', 360_000, '6 min'],
    ['0 s', 0, '0 s'],
  ])('the length of time "%s" is read as %d ms and shown as "%s"', (text, ms, shown) => {
    expect(spanMs(text)).toBe(ms);
    expect(spanText(ms)).toBe(shown);
    expect(spanMs(shown)).toBe(ms);
  });

  test.each(['', '3600', 'soon', '1 h 30', '1 fortnight', '-1 h', '1,5 h', '1e3 s', '0.5 ms', 'h'])(
    'the text "%s" is no length of time',
    (text) => {
      expect(spanMs(text)).toBeUndefined();
    },
  );

  test('a price whose tick is not known is shown whole', () => {
    expect(atPlaces('99980.3456', undefined)).toBe('99,980.3456');
  });

  test.each<[number | null | undefined, number, string]>([
    [0, 2, '0.00'],
    [1.005, 2, '1.01'],
    [1234.5, 1, '1,234.5'],
    [-0.001, 2, '0.00'],
    [1e21, 0, '1,000,000,000,000,000,000,000'],
    [1.5e-7, 8, '0.00000015'],
    [null, 2, 'not known'],
    [undefined, 2, 'not known'],
    [Number.NaN, 2, 'not known'],
    [Number.POSITIVE_INFINITY, 2, 'not known'],
  ])('the figure %s with %s decimals is shown as %s', (value, places, shown) => {
    expect(figure(value, places)).toBe(shown);
  });

  test.each<[number | null, string, string]>([
    [1.8, '+1.80', '+1.80 bp'],
    [-0.4, '-0.40', '-0.40 bp'],
    [0, '0.00', '0.00 bp'],
    [0.001, '0.00', '0.00 bp'],
    [null, 'not known', '–'],
  ])('the cost %s has its sign, and zero has none', (value, shown, asBps) => {
    expect([signed(value, 2), bpsText(value)]).toEqual([shown, asBps]);
  });

  test.each<[number | null, string]>([
    [9.566, '9.57 USD'],
    [-999.994, '-999.99 USD'],
    [1234567.4, '1,234,567 USD'],
    [null, 'not known'],
  ])('%s dollars are shown as %s', (usd, shown) => {
    expect(dollars(usd)).toBe(shown);
  });

  test('shares, counts and significant digits', () => {
    expect([percent(0.3333), percent(1, 0), percent(-0.0001)]).toEqual(['33.3%', '100%', '0.0%']);
    expect([significant(1234567), significant(0.00000012345678), significant(Number.NaN)]).toEqual([
      '1,234,570',
      '0.000000123457',
      'not known',
    ]);
  });

  test.each([
    [0, '0 orders', '0 entries'],
    [1, '1 order', '1 entry'],
    [2, '2 orders', '2 entries'],
    [2000, '2,000 orders', '2,000 entries'],
  ])('of %d there is one noun or several', (count, orders, entries) => {
    expect(counted(count, 'order')).toBe(orders);
    expect(counted(count, 'entry', 'entries')).toBe(entries);
  });

  test.each([
    [-5, 'over'],
    [0, 'over'],
    [1, '1 s'],
    [59_001, '1 min 00 s'],
    [270_000, '4 min 30 s'],
    [3_599_001, '1 h 00 min'],
    [7_500_000, '2 h 05 min'],
    [86_399_000, '23 h 59 min'],
    [86_400_000, '1 d 00 h'],
    [100_000_000_000, '1,157 d 09 h'],
    [Number.NaN, 'not known'],
  ])('%s ms last "%s"', (ms, shown) => {
    expect(durationText(ms)).toBe(shown);
  });

  test('what was just read is a second old, not over', () => {
    expect([ageText(-20), ageText(0), ageText(12_000)]).toEqual(['1 s', '1 s', '12 s']);
  });

  test.each([
    [NOON_MS, '2026-11-30', '12:05:09', '12:05', '2026-11-30 12:05:09', '2026-11-30T12:05:09'],
    [0, '1970-01-01', '00:00:00', '00:00', '1970-01-01 00:00:00', '1970-01-01T00:00:00'],
    [Number.NaN, 'not known', 'not known', 'not known', 'not known', ''],
    [NEVER_MS, 'not known', 'not known', 'not known', 'not known', ''],
  ])('the instant %s is written in UTC, and what is none is not known', (ms, ...shown) => {
    expect([dateText(ms), timeText(ms), minuteText(ms), dateTimeText(ms), fieldTime(ms)]).toEqual(
      shown,
    );
  });

  test('no other file of the page formats a number or an instant', () => {
    const own = /\.(toFixed|toPrecision|toISOString|toUTCString|toLocale\w*)\(|\bIntl\./;
    const files = readdirSync('src/page', { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && name !== 'model/formatting.ts',
    );
    expect(files.length).toBeGreaterThan(60);
    const others = files.filter((name) => own.test(readFileSync(`src/page/${name}`, 'utf8')));
    expect(others, 'use src/page/model/formatting.ts').toEqual([]);
  });
});
