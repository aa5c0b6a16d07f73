// The limits on single orders divide what a slice wants: no order is above them, and nothing is left because of them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Override } from '../../../src/core/risk/gate/overrides.ts';
import { legPlan } from '../../../src/core/schedule/slice-plan.ts';
import type { LegForm, PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const COIN = spot();
const HEDGE = perpetual({ name: instrumentName('BTC-25DEC26'), kind: 'perpetual' });
const CAP: Settings = { ...SETTINGS, orderUsdMax: money('1000000') };

const bid = {
  priceType: 'dynamic',
  price: price('100000'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'bid',
  dynamicMs: 1_000,
} as const;

const perpLeg = (size: string, change: Partial<LegForm> = {}) =>
  legForm({ quantity: quantity(size), ...change });

function work(change: Partial<PortfolioForm>, settings = CAP): CoreWork {
  const quotes = [
    quote(PERP, [99_990, 100_010]),
    quote(CALL, [0.05, 0.0505]),
    quote(COIN, [99_990, 100_010]),
  ];
  const shown = new Map<string, (typeof quotes)[number]>(
    quotes.map((one) => [one.instrument, one]),
  );
  const rules = { orderUsdMax: settings.orderUsdMax, quote: (name: string) => shown.get(name) };
  const made = new CoreWork(form(change), [PERP, CALL, COIN], settings, rules);
  for (const one of quotes) made.show(one);
  return made;
}

const sizes = ({ placed }: CoreWork): number[] => placed.map((order) => Number(order.quantity));
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

describe('a slice above the largest order', () => {
  test('after a pause of one slice the rest is caught up in orders of at most the cap, to the last contract', () => {
    const made = work({
      twapTrade: { durationSec: 200, frequencySec: 20 },
      legs: [perpLeg('9950000', { priceOptions: bid })],
    });
    made.until(2_000);
    made.apply({ kind: 'pause', by: '7' });
    made.until(42_000);
    made.apply({ kind: 'resume', by: '7' });
    made.until(400_000);
    expect(made.desk.state.status).toBe('filled');
    expect(sum(sizes(made))).toBe(9_950_000);
    expect(Math.max(...sizes(made))).toBe(1_000_000);
    // 995,000 and an eighth of the one missed, up to the lot.
    expect(sizes(made).slice(1, 3)).toEqual([1_000_000, 119_380]);
    expect(made.events('slice_waiting')[0]).toMatchObject({
      reason: 'order_cap',
      why: 'order_value: 1119380 of BTC-PERPETUAL are wanted, at most 1000000 an order (limit 1000000 USD)',
    });
  });

  test('what a resting order of the cap leaves returns to the pool, and the slice tells why', () => {
    const made = work({
      twapTrade: { durationSec: 60, frequencySec: 20 },
      legs: [perpLeg('2700000', { priceOptions: bid })],
    });
    made.fills = ({ slice }) => (slice === 1 ? 0 : 1);
    made.apply({ kind: 'pause', by: '7' });
    made.until(21_000);
    made.apply({ kind: 'resume', by: '7' });
    made.until(41_000);
    expect(made.events('slice_waiting')[0]).toMatchObject({ slice: 1, reason: 'order_cap' });
    expect(made.events('slice_ended')[0]).toMatchObject({ slice: 1, filled: '0' });
  });

  test('more orders than a slice may try fit into it, as long as each fills', () => {
    const small: Settings = { ...CAP, orderUsdMax: money('1000'), attemptsMax: 3 };
    const made = work(
      { twapTrade: { durationSec: 100, frequencySec: 10 }, legs: [perpLeg('10000')] },
      small,
    );
    made.apply({ kind: 'pause', by: '7' });
    made.until(71_000);
    made.apply({ kind: 'resume', by: '7' });
    made.until(200_000);
    expect(made.desk.state.status).toBe('filled');
    expect(Math.max(...sizes(made))).toBe(1_000);
  });

  test('the end action takes the rest in orders of at most the cap', () => {
    const made = work({
      twapTrade: { durationSec: 60, frequencySec: 20 },
      legs: [
        perpLeg('2700000', {
          priceOptions: { priceType: 'limit', price: price('90000'), priceIn: 'USD' },
        }),
      ],
      execution: { endAction: 'market' },
    });
    made.fills = ({ timeInForce }) => (timeInForce === 'immediate_or_cancel' ? 1 : 0);
    made.until(80_000);
    const swept = made.placed.filter(({ timeInForce }) => timeInForce === 'immediate_or_cancel');
    expect(swept.map((order) => text(order.quantity))).toEqual(['1000000', '1000000', '700000']);
    expect(made.desk.state.status).toBe('filled');
  });

  test('a resting order whose new price would make it worth more is replaced by a smaller one', () => {
    const made = work({
      twapTrade: { durationSec: 60, frequencySec: 60 },
      legs: [
        perpLeg('10', {
          instrument: COIN.name,
          instrumentType: 'spot',
          priceOptions: { ...bid, priceIn: 'USDC' },
        }),
      ],
    });
    made.fills = () => 0;
    made.at(0);
    made.show(quote(COIN, [100_100, 100_110]));
    made.until(10_000);
    const [first, next] = made.placed;
    expect([first, next].map((order) => order && text(order.quantity))).toEqual(['10', '9.99']);
    expect(made.edited).toEqual([]);
  });
});

describe('a hedge above the largest order', () => {
  test('it goes out in several orders, and ends hedged', () => {
    const made = work({
      twapTrade: { durationSec: 60, frequencySec: 30 },
      legs: [
        legForm({ instrument: CALL.name, instrumentType: 'option', quantity: quantity('18') }),
        perpLeg('4000000', { side: 'sell', hedge: true }),
      ],
    });
    made.until(120_000);
    expect(made.desk.state.status).toBe('filled');
    const hedges = made.placed.filter(({ leg }) => leg === 1).map((order) => text(order.quantity));
    expect(hedges).toEqual(['1000000', '1000000', '1000000', '1000000']);
  });
});

describe('the limits by instrument and on amounts', () => {
  const controls = {
    version: 'test',
    orderUsdMax: new Map([[PERP.name as string, money('2000')]]),
    quantityMax: new Map([['*', quantity('1500')]]),
  };
  const gate = { limits: controls, overrides: [], unrest: new Map() };
  const legs = [perpLeg('6000')];
  const twapTrade = { durationSec: 20, frequencySec: 20 };

  test('the tightest of them shapes an order', () => {
    const made = work({ twapTrade, legs });
    made.desk.given = { gate };
    made.until(20_000);
    expect(sizes(made)).toEqual([1_500, 1_500, 1_500, 1_500]);
  });

  test('an override lets an order of its size past the limit it names', () => {
    const made = work({ twapTrade, legs });
    const { quantityMax: _, ...valued } = controls;
    const override: Override = {
      id: '1',
      control: 'order_value',
      account: accountId('10001'),
      instrument: PERP.name,
      side: 'buy',
      quantity: quantity('6000'),
      reason: 'agreed',
      askedBy: '1',
      askedAt: NOON,
      expiresAt: later(NOON, 60_000),
      grantedBy: '2',
    };
    made.desk.given = { gate: { ...gate, limits: valued, overrides: [override] } };
    made.at(0);
    expect(sizes(made)).toEqual([6_000]);
  });

  test('a limit below the smallest order blocks, and the slice tells which', () => {
    const made = work({ twapTrade, legs });
    made.desk.given = {
      gate: { ...gate, limits: { ...controls, quantityMax: new Map([['*', quantity('5')]]) } },
    };
    made.at(0);
    expect(made.placed).toEqual([]);
    expect(made.events('slice_waiting')).toMatchObject([
      { reason: 'risk_limit', why: expect.stringMatching(/^order_volume: 6000 .*limit 5\)/) },
    ]);
  });
});

describe('random sizes', () => {
  test('no planned slice is above the cap, and the total is exact', () => {
    const asked = {
      twapTrade: { durationSec: 600, frequencySec: 60 },
      legs: [perpLeg('9000000', { priceOptions: bid })],
      execution: { randomSize: 0.5, seed: 'a' },
    };
    const { spec } = work(asked).desk.state;
    const { randomise } = spec.execution;
    const timing = { startAt: spec.startAt, durationMs: 600_000, frequencyMs: 60_000, phase: 0 };
    const plan = legPlan({ ...timing, randomise }, quantity('9000000'), PERP);
    const planned = Array.from({ length: 10 }, (_, slice) => Number(plan.planned(slice)));
    expect(sum(planned)).toBe(9_000_000);
    expect(Math.max(...planned)).toBeLessThanOrEqual(1_000_000);
    expect(new Set(planned).size).toBeGreaterThan(5);
    // (100,000 − 1) / (90,000 + 1) − 1 lots, to four decimals.
    expect(randomise?.size).toBe(0.111);
  });

  test('a portfolio that needs no bound keeps the randomness it requested', () => {
    const asked = { legs: [perpLeg('600')], execution: { randomSize: 0.5 } };
    expect(work(asked).desk.state.spec.execution.randomise?.size).toBe(0.5);
  });
});

describe('whatever the cap', () => {
  test('no order is above it, and at a market that takes everything the total fills', () => {
    const cases = fc.record({
      lots: fc.integer({ min: 8, max: 400 }),
      least: fc.constantFrom(1, 3, 7),
      capLots: fc.integer({ min: 20, max: 60 }),
      slices: fc.integer({ min: 1, max: 8 }),
      pausedSec: fc.integer({ min: 0, max: 40 }),
      catchUp: fc.constantFrom('spread' as const, 'front' as const),
      randomSize: fc.constantFrom(0, 0.4, 0.9),
      isHedged: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, (of) => {
        const grid = { ...PERP, minAmount: quantity(String(10 * of.least)) };
        const settings: Settings = { ...CAP, orderUsdMax: money(String(10 * of.capLots)) };
        const even = Math.ceil(of.lots / of.slices);
        fc.pre(even + 1 <= of.capLots);
        const hedge = perpLeg(String(20 * of.lots), {
          instrument: HEDGE.name,
          side: 'sell',
          hedge: true,
        });
        const made = new CoreWork(
          form({
            twapTrade: { durationSec: 10 * of.slices, frequencySec: 10 },
            legs: [perpLeg(String(10 * of.lots)), ...(of.isHedged ? [hedge] : [])],
            execution: {
              catchUp: of.catchUp,
              randomSize: of.randomSize,
              maxCatchUp: 50,
              endAction: 'market',
            },
          }),
          [grid, HEDGE],
          settings,
          { orderUsdMax: settings.orderUsdMax },
        );
        made.show(quote(PERP, [99_990, 100_010]));
        made.show(quote(HEDGE, [99_990, 100_010]));
        made.at(0);
        made.apply({ kind: 'pause', by: '7' });
        made.until(1_000 * of.pausedSec);
        made.apply({ kind: 'resume', by: '7' });
        made.until(10_000 * of.slices + 60_000);
        for (const size of sizes(made)) expect(size).toBeLessThanOrEqual(10 * of.capLots);
        // Paused over its end, a portfolio ends there.
        if (of.pausedSec < 10 * of.slices) expect(made.desk.state.status).toBe('filled');
      }),
      { numRuns: 60 },
    );
  });
});
