// Contract of every record of markets for cost reports: rows are returned unchanged, and each is stored once.
import { expect, test } from 'vitest';
import type { LegMoment, MarketInstant, MarketSecond } from '../../../src/core/report/cost-rows.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import type { CostRecord } from '../../../src/ports/costs/cost-record.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { currency, instrumentName, portfolioId, venueName } from '../../../src/values/ids.ts';
import { instant, later, SECOND_MS } from '../../../src/values/instant.ts';
import { expectRefused } from '../refusals.ts';

const VENUE = venueName('paper');
const PERP = instrumentName('BTC-PERPETUAL');
const AT = instant(Date.UTC(2026, 10, 24, 23, 59, 58));

const level = (at: string, size: string) => ({ price: price(at), quantity: quantity(size) });
/** What is known of an option. */
const FULL: SeenMarket = {
  bid: level('0.0135', '12.5'),
  ask: level('0.0140', '3'),
  last: price('0.0138'),
  mark: price('0.013712345678901234'),
  index: price('91234.56'),
  underlying: price('91300.5'),
  markIv: 0.532_1,
  greeks: { delta: -0.25, gamma: 0.000_012, vega: 85.125, theta: -31.5 },
  fundingRate: -0.000_012_5,
  ageMs: 120,
};
/** A one-sided book and nothing else. */
const BARE: SeenMarket = {
  bid: level('91000.5', '50000'),
  ask: undefined,
  last: undefined,
  mark: undefined,
  index: undefined,
  underlying: undefined,
  markIv: undefined,
  greeks: undefined,
  fundingRate: undefined,
  ageMs: 0,
};

export const secondAt = (n: number, change: Partial<MarketSecond> = {}): MarketSecond => ({
  venue: VENUE,
  instrument: PERP,
  second: later(AT, n * SECOND_MS),
  at: later(AT, n * SECOND_MS + 3),
  market: BARE,
  volume: undefined,
  ...change,
});

const instantAt = (ms: number, change: Partial<MarketInstant> = {}): MarketInstant => ({
  venue: VENUE,
  instrument: PERP,
  at: later(AT, ms),
  bid: price('0.0135'),
  ask: price('0.013712345678901234'),
  count: {
    since: later(AT, -5_000),
    volume: quantity('12345678901.5'),
    value: money('1126173612345678.123456789'),
  },
  ...change,
});

const momentOf = (version: number, change: Partial<LegMoment> = {}): LegMoment => ({
  portfolio: portfolioId(String(AT * 1_000 + 7)),
  version,
  leg: 0,
  at: later(AT, version),
  market: FULL,
  expected: undefined,
  ...change,
});

const everything = {
  venue: VENUE,
  instrument: PERP,
  from: later(AT, -1_000),
  to: later(AT, 9_000),
};

/** `open` returns an empty record; every test has its own. */
export function costRecordConformance(open: () => Promise<CostRecord>): void {
  test('seconds are returned unchanged, in order of time, across midnight', async () => {
    const record = await open();
    const rows = [
      secondAt(0),
      secondAt(1, { market: FULL }),
      secondAt(2, { volume: quantity('12.5') }),
      secondAt(4, { volume: quantity('0') }),
    ];
    record.add({ seconds: rows.toReversed() });
    await record.flush();
    expect(await record.seconds(everything)).toEqual(rows);
  });

  test('a query returns the seconds of its venue, instrument and span, both ends included', async () => {
    const record = await open();
    const other = secondAt(1, { instrument: instrumentName('ETH-PERPETUAL') });
    const elsewhere = secondAt(1, { venue: venueName('other') });
    record.add({ seconds: [0, 1, 2, 3, 4].map((n) => secondAt(n)) });
    record.add({ seconds: [other, elsewhere] });
    await record.flush();
    const span = { from: later(AT, 1_000), to: later(AT, 3_000) };
    expect(await record.seconds({ ...everything, ...span })).toEqual(
      [1, 2, 3].map((n) => secondAt(n)),
    );
    expect(await record.seconds({ ...everything, instrument: other.instrument })).toEqual([other]);
  });

  test('of a second that two daemons record, the first row is kept', async () => {
    const record = await open();
    const first = secondAt(0, { volume: quantity('3') });
    record.add({ seconds: [first, secondAt(0, { volume: quantity('5') })] });
    await record.flush();
    record.add({ seconds: [secondAt(0, { market: FULL })] });
    await record.flush();
    expect(await record.seconds(everything)).toEqual([first]);
  });

  test('moments of a portfolio are returned unchanged, in order of version and leg, once each', async () => {
    const record = await open();
    const expected = { bps: 3.25, fee: money('0.00012'), feeCurrency: currency('BTC') };
    const rows = [
      momentOf(1, { expected }),
      momentOf(1, { leg: 1, market: undefined, expected: { ...expected, bps: undefined } }),
      momentOf(2),
      momentOf(5, { market: BARE }),
    ];
    const foreign = momentOf(1, { portfolio: portfolioId('1700000000000000') });
    record.add({ moments: [...rows.toReversed(), foreign] });
    record.add({ moments: [momentOf(2, { market: BARE })] });
    await record.flush();
    expect(await record.moments(momentOf(1).portfolio)).toEqual(rows);
    expect(await record.moments(foreign.portfolio)).toEqual([foreign]);
    expect(await record.moments(portfolioId('1700000000000001'))).toEqual([]);
  });

  test('instants are returned unchanged, in order of time, across midnight, once each', async () => {
    const record = await open();
    const rows = [
      instantAt(0),
      instantAt(1, { bid: undefined, count: undefined }),
      instantAt(1_999, { ask: undefined }),
      // A combo may be sold for less than nothing.
      instantAt(2_000, { bid: price('-0.5'), ask: price('0') }),
      instantAt(86_402_000, { bid: undefined, ask: undefined }),
    ];
    record.add({ instants: rows.toReversed() });
    record.add({ instants: [instantAt(1), instantAt(2_000, { count: undefined })] });
    await record.flush();
    const span = { ...everything, to: later(AT, 200_000_000) };
    expect(await record.instants(span)).toEqual(rows);
  });

  test('a query returns the instants of its venue, instrument and span, both ends included', async () => {
    const record = await open();
    const other = instantAt(1, { instrument: instrumentName('ETH-PERPETUAL') });
    const elsewhere = instantAt(1, { venue: venueName('other') });
    record.add({ instants: [0, 1, 2, 3, 4].map((ms) => instantAt(ms)) });
    record.add({ instants: [other, elsewhere], seconds: [secondAt(0)] });
    await record.flush();
    const span = { from: later(AT, 1), to: later(AT, 3) };
    expect(await record.instants({ ...everything, ...span })).toEqual(
      [1, 2, 3].map((ms) => instantAt(ms)),
    );
    expect(await record.instants({ ...everything, instrument: other.instrument })).toEqual([other]);
    const { from, to } = everything;
    expect(await record.instants({ ...everything, from: to, to: from })).toEqual([]);
  });

  test('of many rows of one second that are added together, the first is kept', async () => {
    const record = await open();
    const rows = Array.from({ length: 300 }, (_, n) =>
      secondAt(n % 100, { at: later(AT, n), volume: quantity(String(n)) }),
    );
    const legs = rows.map((_, n) => momentOf(n % 100, { at: later(AT, n) }));
    record.add({ seconds: rows, moments: legs });
    await record.flush();
    const span = { ...everything, to: later(AT, 200_000) };
    expect(await record.seconds(span)).toEqual(rows.slice(0, 100));
    expect(await record.moments(momentOf(0).portfolio)).toEqual(legs.slice(0, 100));
  });

  test('a number that is not finite is unknown, each greek by itself', async () => {
    const record = await open();
    const greeks = { delta: 0.5, gamma: Number.NaN, vega: 1, theta: -1 };
    const market: SeenMarket = {
      ...FULL,
      markIv: Number.NaN,
      fundingRate: Number.POSITIVE_INFINITY,
      greeks,
    };
    const unknown = {
      ...FULL,
      markIv: undefined,
      fundingRate: undefined,
      greeks: { delta: 0.5, vega: 1, theta: -1 },
    };
    const expected = {
      bps: Number.NEGATIVE_INFINITY,
      fee: money('1'),
      feeCurrency: currency('BTC'),
    };
    record.add({
      seconds: [secondAt(0, { market })],
      moments: [momentOf(1, { market, expected })],
    });
    await record.flush();
    expect(await record.seconds(everything)).toEqual([secondAt(0, { market: unknown })]);
    expect(await record.moments(momentOf(1).portfolio)).toEqual([
      momentOf(1, { market: unknown, expected: { ...expected, bps: undefined } }),
    ]);
  });

  test('a span whose end is before its begin has no seconds', async () => {
    const record = await open();
    record.add({ seconds: [secondAt(0), secondAt(1)] });
    await record.flush();
    const { from, to } = everything;
    expect(await record.seconds({ ...everything, from: to, to: from })).toEqual([]);
  });

  test('a closed record loses what is added, answers no read, and may be closed again', async () => {
    const record = await open();
    record.add({ seconds: [secondAt(0)] });
    await record.close();
    record.add({ seconds: [secondAt(1)] });
    await record.flush();
    await expectRefused({
      seconds: () => record.seconds(everything),
      instants: () => record.instants(everything),
      moments: () => record.moments(momentOf(1).portfolio),
    });
    await record.close();
  });
}
