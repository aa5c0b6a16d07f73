// What charts draw, computed from the answers of the course operation.
import { describe, expect, test } from 'vitest';
import {
  joined,
  type LegCourse,
  priceData,
  restingLines,
  scheduleData,
} from '../../src/page/model/portfolio/course-data.ts';
import { amendmentRow, happeningText } from '../../src/page/model/portfolio/sentences.ts';

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

test('a side of the market that is empty is a gap, not a zero', () => {
  const { at, bid, ask, maker, taker } = priceData(LEG, { start: 0, now: 90 });
  const place = at.indexOf(60);
  expect([bid[place], ask[place]]).toEqual([null, 102]);
  expect(maker[at.indexOf(70)]).toBe(100);
  expect(taker.every((one) => one === null)).toBe(true);
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
  expect(happeningText(event)).toBe('Block RFQ over: 12, traded.');
});
