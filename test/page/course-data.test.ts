// What charts draw, computed from the answers of the course operation.
import { describe, expect, test } from 'vitest';
import type { PortfolioReport } from '../../src/gateway/client/client.ts';
import {
  filledSteps,
  gapsOf,
  joined,
  type LegCourse,
  priceData,
  priceRange,
  restingLines,
  scheduleData,
  sliceBars,
  valueAt,
} from '../../src/page/model/portfolio/course-data.ts';
import { amendmentRow, historyText } from '../../src/page/model/portfolio/sentences.ts';

const fill = (at: number, filled: string): LegCourse['fills'][number] => ({
  at,
  filled,
  quantity: '10',
  price: '100',
  liquidity: 'maker',
});

const LEG: LegCourse = {
  leg: 0,
  instrument: 'BTC-PERPETUAL',
  side: 'buy',
  hedge: false,
  quantity: '30',
  filled: '20',
  plan: [
    { at: 0, quantity: '10' },
    { at: 60, quantity: '20' },
    { at: 120, quantity: '30' },
  ],
  fills: [fill(10, '10'), fill(70, '20')],
  children: [],
  market: [
    { at: 0, bid: '99', ask: '101' },
    { at: 60, bid: null, ask: '102' },
  ],
};

describe('the schedule chart', () => {
  const { at, upper, lower, filled } = scheduleData(LEG, { start: 0, end: 180, now: 90 });
  const when = (instant: number) => at.indexOf(instant);

  test('its envelope goes from what was due when the slice began to what it calls for', () => {
    expect([lower[when(60)], upper[when(60)]]).toEqual([10, 20]);
    expect([lower[when(120)], upper[when(120)]]).toEqual([20, 30]);
  });

  test('at the end everything is due', () => {
    expect([lower[when(180)], upper[when(180)]]).toEqual([30, 30]);
  });

  test('fills are shown until now, and nothing is invented after it', () => {
    expect(filled[when(0)]).toBe(0);
    expect(filled[when(70)]).toBe(20);
    expect(filled[when(90)]).toBe(20);
    expect(filled[when(120)]).toBeNull();
  });

  test('a leg without a plan has no envelope', () => {
    const hedge = scheduleData({ ...LEG, plan: [] }, { start: 0, end: 180, now: 90 });
    expect(new Set([...hedge.upper, ...hedge.lower])).toEqual(new Set([null]));
  });
});

test('beside another leg, everything is a share of the total of its leg', () => {
  const other = { ...LEG, leg: 1, quantity: '40', fills: [fill(10, '10')] };
  const { at, upper, filled, others } = scheduleData(LEG, { start: 0, end: 180, now: 90 }, [other]);
  const when = at.indexOf(70);
  expect([upper[when], filled[when], others[0]?.[when]]).toEqual([20 / 30, 20 / 30, 10 / 40]);
  expect(others[0]?.[at.indexOf(120)]).toBeNull();
});

test('a hedge without a total of its own has no share', () => {
  const hedge = { ...LEG, leg: 1, hedge: true, quantity: '0', plan: [] };
  const { others } = scheduleData(LEG, { start: 0, end: 180, now: 90 }, [hedge]);
  expect(new Set(others[0])).toEqual(new Set([null]));
});

test('a fill that was booked after a later trade never lets the filled total fall', () => {
  expect(filledSteps([fill(70, '10'), fill(60, '20')])).toEqual({
    at: [70, 70],
    filled: [10, 20],
  });
});

describe('the value in force at an instant', () => {
  const at = [10, 20, 30];
  test.each([
    [9, null],
    [10, 1],
    [19, 1],
    [20, null],
    [30, 3],
    [99, 3],
  ])('at %s it is %s', (instant, value) => {
    expect(valueAt(at, [1, null, 3], instant)).toBe(value);
  });
});

describe('the price chart', () => {
  const rows = (...seconds: readonly number[]): LegCourse['market'] =>
    seconds.map((second) => ({ at: second * 1_000, bid: '99', ask: '101' }));

  test('a side of the market that is empty is a gap, not a zero, and without it there is no mid', () => {
    const { at, bid, ask, mid } = priceData(LEG, { start: 0, now: 90 });
    const place = at.indexOf(60);
    expect([bid[place], ask[place], mid[place]]).toEqual([null, 102, null]);
    expect(mid[at.indexOf(0)]).toBe(100);
  });

  test('a row without a successor for ten seconds ends there, until the next row', () => {
    const market = rows(0, 5, 15, 26);
    expect(gapsOf(market, { start: 0, now: 30_000 })).toEqual([{ from: 25_000, to: 26_000 }]);
    const { at, mid } = priceData({ market }, { start: 0, now: 30_000 });
    expect(at.map((instant, index) => [instant, mid[index]])).toEqual([
      [0, 100],
      [5_000, 100],
      [15_000, 100],
      [25_000, null],
      [26_000, 100],
      [30_000, 100],
    ]);
  });

  test('without a row since the start, or up to now, nothing is known', () => {
    expect(gapsOf([], { start: 0, now: 60_000 })).toEqual([{ from: 0, to: 60_000 }]);
    expect(gapsOf(rows(0, 10), { start: 0, now: 60_000 })).toEqual([{ from: 20_000, to: 60_000 }]);
    const { at, bid } = priceData({ market: rows(20) }, { start: 0, now: 25_000 });
    expect(bid[at.indexOf(0)]).toBeNull();
    expect(bid[at.indexOf(25_000)]).toBe(99);
  });

  test('rows that are thinned over a long time are no gaps', () => {
    const hour = 3_600_000;
    const market = rows(...Array.from({ length: 600 }, (_one, index) => index * 144));
    expect(gapsOf(market, { start: 0, now: 24 * hour })).toEqual([]);
  });
});

describe('the range of prices', () => {
  test('the range is that of what was quoted and traded, with eight percent of room', () => {
    expect(priceRange([100, null, 200], [])).toEqual([92, 208]);
  });

  test('an own order within a quarter of the range widens it, and no farther one', () => {
    // A quarter of 100 is 25: 75 and 225 are in, and make it 150 wide.
    expect(priceRange([100, 200], [75, 225])).toEqual([63, 237]);
    expect(priceRange([100, 200], [74.9, 225.1])).toEqual([92, 208]);
  });

  test('without a market the range is that of the own orders, and without those there is none', () => {
    expect(priceRange([null, null], [100, 200])).toEqual([92, 208]);
    expect(priceRange([null], [])).toBeUndefined();
  });
});

describe('the strip of slices', () => {
  const slice = (index: number, due: number, change: object = {}) =>
    ({
      leg: 0,
      slice: index,
      due: new Date(due).toISOString(),
      planned: '10',
      filled: '10',
      isSent: true,
      ...change,
    }) as PortfolioReport['slices'][number];

  test('slices that ran are those of the report, slices to come those of the plan, each until the next', () => {
    const ran = [
      slice(1, 60, { isSent: false, filled: '0' }),
      slice(0, 0),
      slice(0, 0, { leg: 1 }),
    ];
    expect(
      sliceBars(LEG, ran, { end: 180 }).map(
        ({ from, to, slice: index, planned, filled, state }) => [
          [from, to],
          index,
          `${filled} of ${planned}`,
          state,
        ],
      ),
    ).toEqual([
      [[0, 60], 0, '10 of 10', 'sent'],
      [[60, 120], 1, '0 of 10', 'not sent'],
      [[120, 180], undefined, '0 of 10', 'next'],
    ]);
  });

  test('a slice whose time no plan knows is left out', () => {
    expect(sliceBars({ ...LEG, plan: [] }, [slice(0, 0, { due: null })], { end: 180 })).toEqual([]);
  });
});

test('a child that never was in the book is no line', () => {
  const child = (state: LegCourse['children'][number]['state']) => ({
    label: state,
    slice: 0,
    attempt: 0,
    state,
    quantity: '10',
    filled: '0',
    prices: [{ at: 5, price: '99' }],
    closedAt: 20,
  });
  const children = (['rejected', 'unsent', 'cancelled'] as const).map(child);
  expect(restingLines({ ...LEG, children }, 90)).toEqual([
    { from: 5, to: 20, price: 99, isOpen: false },
  ]);
});

test('a child is a line at each of its prices, until it was closed or now', () => {
  const children: LegCourse['children'] = [
    {
      label: 'a',
      slice: 0,
      attempt: 0,
      state: 'live',
      quantity: '10',
      filled: '0',
      prices: [
        { at: 5, price: '99' },
        { at: 20, price: '98' },
      ],
      closedAt: null,
    },
  ];
  expect(restingLines({ ...LEG, children }, 90)).toEqual([
    { from: 5, to: 20, price: 99, isOpen: false },
    { from: 20, to: 90, price: 98, isOpen: true },
  ]);
});

test('what is new is joined to what was read, and the plan is replaced', () => {
  const about = { portfolioId: 1, timestamp: 0, startTimestamp: 0, endTimestamp: 180 };
  const before = { ...about, version: 5, overTimestamp: null, legs: [LEG] };
  const child = {
    label: 'a',
    slice: 0,
    attempt: 0,
    quantity: '10',
    filled: '10',
    prices: [{ at: 5, price: '99' }],
  };
  const open = { ...child, state: 'live' as const, closedAt: null };
  const closed = { ...child, state: 'filled' as const, closedAt: 95 };
  const old = { ...before, legs: [{ ...LEG, children: [open] }] };
  const news: LegCourse = {
    ...LEG,
    plan: [{ at: 0, quantity: '30' }],
    fills: [fill(95, '30')],
    children: [closed],
    market: [{ at: 95, bid: '98', ask: '99' }],
  };
  const [leg] = joined(old, { ...before, version: 9, legs: [news] }).legs;
  expect(leg?.fills.map(({ filled }) => filled)).toEqual(['10', '20', '30']);
  expect(leg?.children).toEqual([closed]);
  expect(leg?.plan).toEqual([{ at: 0, quantity: '30' }]);
  expect(leg?.market).toHaveLength(3);
});

test('an amendment lists the terms that it changed, before and after', () => {
  const terms = (quantity: string, durationMs: number, limits: object) => ({
    durationMs,
    limits,
    legs: [{ quantity, pricing: { type: 'market' } }],
  });
  const detail = {
    kind: 'amended',
    at: 1,
    by: '7001',
    number: 1,
    before: terms('10', 60_000, { maxCatchUp: 3, collar: '0.01' }),
    after: terms('12', 90_000, { maxCatchUp: 3, collar: '0.01', bandBps: 20 }),
  };
  const event = { messageType: 'PORTFOLIO_AMENDED', version: 4, timestamp: '1', detail };
  expect(amendmentRow(event).changes).toEqual([
    'duration: 60 s → 90 s',
    'total of leg 1: 10 → 12',
    'bandBps: off → 20',
  ]);
});

test('a message of a kind without a sentence of its own is still shown', () => {
  const detail = { kind: 'rfq_over', at: 1, outcome: 'traded', price: '12' };
  const event = { messageType: 'PORTFOLIO_RFQ_OVER', version: 4, timestamp: '1', detail };
  expect(historyText(event)).toBe('Block RFQ over: 12, traded.');
});
