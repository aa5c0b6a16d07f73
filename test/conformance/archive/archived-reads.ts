// Contract of every archive of ended days: what a day holds is returned unchanged and in its order, and a day that is not there is
// refused.
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { LegMoment, MarketInstant, MarketSecond } from '../../../src/core/report/cost-rows.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import {
  type ArchivedReads,
  type DayArchive,
  EventsArchived,
} from '../../../src/ports/archive/archived-reads.ts';
import { type DayName, dayOf } from '../../../src/ports/archive/submit-day.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import {
  currency,
  instrumentName,
  type PortfolioId,
  portfolioId,
  venueName,
} from '../../../src/values/ids.ts';
import { DAY_MS, instant, later } from '../../../src/values/instant.ts';
import type { ArchivedContent } from '../../doubles/memory/memory-archive.ts';

const VENUE = venueName('paper');
const PERP = instrumentName('BTC-PERPETUAL');
const MIDNIGHT = instant(Date.UTC(2026, 10, 24));
const idAt = (n: number): PortfolioId => portfolioId(String(MIDNIGHT * 1_000 + n));
const [FIRST, SECOND] = [idAt(5_000_007), idAt(5_000_008)];

/** Everything that can be known of a market. */
const FULL: SeenMarket = {
  bid: { price: price('0.0135'), quantity: quantity('12.5') },
  ask: { price: price('0.0140'), quantity: quantity('3') },
  last: price('0.0138'),
  mark: price('0.013712345678901234'),
  index: price('91234.56'),
  underlying: price('91300.5'),
  markIv: 0.532_1,
  greeks: { delta: -0.25, gamma: 0.000_012, vega: 85.125, theta: -31.5 },
  fundingRate: -0.000_012_5,
  ageMs: 120,
};
const BARE: SeenMarket = {
  bid: undefined,
  ask: undefined,
  last: price('91000.5'),
  mark: undefined,
  index: undefined,
  underlying: undefined,
  markIv: undefined,
  greeks: undefined,
  fundingRate: undefined,
  ageMs: 0,
};

const secondAt = (ms: number, change: Partial<MarketSecond> = {}): MarketSecond => ({
  venue: VENUE,
  instrument: PERP,
  second: later(MIDNIGHT, ms),
  at: later(MIDNIGHT, ms + 7),
  market: FULL,
  volume: quantity('1.25'),
  ...change,
});

const instantAt = (ms: number, change: Partial<MarketInstant> = {}): MarketInstant => ({
  venue: VENUE,
  instrument: PERP,
  at: later(MIDNIGHT, ms),
  bid: price('91234.5'),
  ask: price('91235'),
  count: {
    since: later(MIDNIGHT, 17),
    volume: quantity('12345678901.5'),
    value: money('1126173612345678.123456789'),
  },
  ...change,
});

const momentOf = (version: number, change: Partial<LegMoment> = {}): LegMoment => ({
  portfolio: FIRST,
  version,
  leg: 0,
  at: later(MIDNIGHT, 5_000 + version),
  market: FULL,
  expected: undefined,
  ...change,
});

const eventAt = (n: number): PortfolioEvent => ({
  kind: 'paused',
  at: later(MIDNIGHT, 5_000 + n),
  by: `key “${n}” of the desk`,
});

const EVENTS = Array.from({ length: 7 }, (_, n) => eventAt(n));
const OTHER = instrumentName('ETH-PERPETUAL');
const EXPECTED = { bps: 3.25, fee: money('0.00012'), feeCurrency: currency('BTC') };

const DAYS: readonly ArchivedContent[] = [
  {
    day: dayOf(MIDNIGHT),
    events: new Map([
      [FIRST, EVENTS],
      [SECOND, EVENTS.slice(0, 2)],
    ]),
    moments: [
      momentOf(1, { expected: EXPECTED }),
      momentOf(1, { leg: 1, market: undefined, expected: { ...EXPECTED, bps: undefined } }),
      momentOf(3, { market: BARE }),
      momentOf(1, { portfolio: SECOND }),
    ],
    seconds: [
      secondAt(5_000),
      secondAt(DAY_MS - 2_000, { market: BARE, volume: undefined }),
      secondAt(DAY_MS - 1_000),
      secondAt(5_000, { instrument: OTHER }),
      secondAt(5_000, { instrument: OTHER, venue: venueName('second') }),
    ],
    instants: [
      instantAt(5_123),
      instantAt(6_000, { bid: undefined, count: undefined }),
      instantAt(DAY_MS - 1),
      instantAt(5_123, { instrument: OTHER }),
      instantAt(5_123, { instrument: OTHER, venue: venueName('second') }),
    ],
  },
  {
    day: dayOf(later(MIDNIGHT, DAY_MS)),
    events: new Map(),
    moments: [],
    seconds: [secondAt(DAY_MS), secondAt(DAY_MS + 1_000)],
  },
];

export interface OpenedArchive {
  readonly archive: ArchivedReads;
  /** Of the manifest of a day. */
  readonly digestOf: (day: DayName) => string;
}

/** `open` returns an archive of the days. */
export function archivedReadsConformance(
  open: (days: readonly ArchivedContent[]) => Promise<OpenedArchive>,
): void {
  const opened = async () => {
    const { archive, digestOf } = await open(DAYS);
    const of = (n: number): DayArchive => {
      const day = dayOf(later(MIDNIGHT, n * DAY_MS));
      return { day, digest: digestOf(day) };
    };
    return { archive, of };
  };

  test('the events of a portfolio are returned after a version, in order, and at most as many as are requested', async () => {
    const { archive, of } = await opened();
    expect(await archive.eventsAfter(of(0), FIRST, { version: 0 })).toEqual(EVENTS);
    for (let version = 0; version <= EVENTS.length; version += 1) {
      for (const limit of [1, 2, 3, EVENTS.length]) {
        const found = await archive.eventsAfter(of(0), FIRST, { version, limit });
        expect(found).toEqual(EVENTS.slice(version, version + limit));
      }
    }
    expect(await archive.eventsAfter(of(0), SECOND, { version: 1 })).toEqual(EVENTS.slice(1, 2));
  });

  test('a portfolio that an archived day does not hold has no events and no moments', async () => {
    const { archive, of } = await opened();
    expect(await archive.eventsAfter(of(0), idAt(1), { version: 0 })).toEqual([]);
    expect(await archive.moments(of(0), idAt(1))).toEqual([]);
  });

  test('moments of a portfolio are returned unchanged, in order of version and leg', async () => {
    const { archive, of } = await opened();
    expect(await archive.moments(of(0), FIRST)).toEqual(DAYS[0]?.moments.slice(0, 3));
    expect(await archive.moments(of(0), SECOND)).toEqual(DAYS[0]?.moments.slice(3));
  });

  test('seconds of a venue and instrument in a day are returned unchanged, both ends included', async () => {
    const { archive, of } = await opened();
    const span = { from: later(MIDNIGHT, DAY_MS - 2_000), to: later(MIDNIGHT, DAY_MS) };
    const perp = { venue: VENUE, instrument: PERP, ...span };
    expect(await archive.seconds(of(0), perp)).toEqual(DAYS[0]?.seconds.slice(1, 3));
    expect(await archive.seconds(of(1), perp)).toEqual([secondAt(DAY_MS)]);
    const early = { from: MIDNIGHT, to: later(MIDNIGHT, 9_000) };
    expect(await archive.seconds(of(0), { venue: VENUE, instrument: OTHER, ...early })).toEqual([
      secondAt(5_000, { instrument: OTHER }),
    ]);
  });

  test('instants of a venue and instrument in a day are returned unchanged, both ends included', async () => {
    const { archive, of } = await opened();
    const perp = { venue: VENUE, instrument: PERP };
    const span = { from: later(MIDNIGHT, 6_000), to: later(MIDNIGHT, DAY_MS - 1) };
    expect(await archive.instants(of(0), { ...perp, ...span })).toEqual(
      DAYS[0]?.instants?.slice(1, 3),
    );
    const early = { from: MIDNIGHT, to: later(MIDNIGHT, 5_123) };
    expect(await archive.instants(of(0), { venue: VENUE, instrument: OTHER, ...early })).toEqual([
      instantAt(5_123, { instrument: OTHER }),
    ]);
  });

  test('a day that was archived without instants has none', async () => {
    const { archive, of } = await opened();
    const from = later(MIDNIGHT, DAY_MS);
    const query = { venue: VENUE, instrument: PERP, from, to: later(from, DAY_MS) };
    expect(await archive.instants(of(1), query)).toEqual([]);
    expect(await archive.seconds(of(1), query)).toHaveLength(2);
  });

  test('what is asked of a day that is not in the archive is refused', async () => {
    const { archive, of } = await opened();
    const foreign = idAt(-1);
    const market = {
      venue: VENUE,
      instrument: PERP,
      from: later(MIDNIGHT, -1),
      to: MIDNIGHT,
    };
    const asked = [
      archive.eventsAfter(of(-1), foreign, { version: 0 }),
      archive.moments(of(-1), foreign),
      archive.seconds(of(-1), market),
      archive.instants(of(-1), market),
    ];
    for (const one of await Promise.allSettled(asked)) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(EventsArchived) });
    }
  });
}
