// The instants of a Smart Balance part, each on both sides of its bound; noon is zero.
import { describe, expect, test } from 'vitest';
import type {
  CurrentSlice,
  PartState,
} from '../../../../src/core/portfolio/aggregate/portfolio-state.ts';
import {
  chaseAt,
  hedgedBy,
  mayTradeAfterEnd,
  nextCheckAt,
  renewAt,
  sweptBy,
} from '../../../../src/core/portfolio/balance/part-clock.ts';
import { money, price, quantity, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import {
  BalanceRun,
  balanceForm,
  COIN,
  coinLeg,
  PERP,
  perpLeg,
} from '../../../support/engine/balance-run.ts';
import { SETTINGS } from '../../../support/engine/engine-world.ts';
import { NOON } from '../../../support/engine/markets.ts';

const at = (ms: number) => later(NOON, ms);
const ms = (instant: Instant | undefined) => instant && instant - NOON;
const TERMS = { parts: 3, totalLimitMs: 0, partTimeout: 'chase' } as const;
const part = (change: Partial<PartState>): PartState => ({
  part: 0,
  stage: 'work',
  startedAt: at(0),
  stageAt: at(0),
  lookedAt: at(0),
  ...change,
});

describe('the time limit of a part', () => {
  test.each([
    ['no fill yet', {}, undefined],
    ['a fill at once', { begunAt: at(0) }, 10_000],
    ['a fill just before the first limit', { begunAt: at(9_999) }, 10_000],
    ['a fill at the first limit, which restarted it', { begunAt: at(10_000) }, 20_000],
    ['a fill in the third period', { begunAt: at(29_999) }, 30_000],
    ['a part that is completed already', { begunAt: at(0), stage: 'chase' as const }, undefined],
  ])('%s', (_what, change, expected) => {
    expect(ms(chaseAt(part(change), { ...TERMS, eachLimitMs: 10_000 }))).toBe(expected);
  });

  test.each([
    [10_000, 300_000],
    [300_000, 300_000],
    [600_000, 600_000],
  ])('the wait for a part of %i ms is reported after %i ms', (eachLimitMs, expected) => {
    const looked = part({ lookedAt: at(50) });
    expect(ms(nextCheckAt(looked, { ...TERMS, eachLimitMs }))).toBe(50 + expected);
  });

  test('a part of the sweep has the grace period from its own stage on', () => {
    const swept = part({ stage: 'sweep', stageAt: at(7_000) });
    expect(ms(sweptBy(swept, { ...SETTINGS, endGraceMs: 4_000 }))).toBe(11_000);
  });
});

describe('a leg that has used up its attempts', () => {
  const slice = (attempts: number, capped: number) =>
    ({ attempts, capped, triedAt: at(5_000) }) as unknown as CurrentSlice;

  test.each([
    ['one attempt is left', 19, 0, 10_000, undefined],
    ['a short part: it pauses for a minute', 20, 0, 10_000, 65_000],
    ['a long part: it pauses for the limit of the part', 20, 0, 120_000, 125_000],
    ['attempts that the cap of an order made do not count', 22, 3, 10_000, undefined],
    ['of 23, three do not count', 23, 3, 10_000, 65_000],
  ])('%s', (_what, attempts, capped, eachLimitMs, expected) => {
    const terms = { ...TERMS, eachLimitMs };
    const settings = { ...SETTINGS, attemptsMax: 20 };
    expect(ms(renewAt(slice(attempts, capped), terms, settings))).toBe(expected);
  });
});

describe('an end that is noticed late', () => {
  const settings = { ...SETTINGS, endLateMaxMs: 900, endGraceMs: 4_000 };
  const { spec } = new BalanceRun(balanceForm([perpLeg()], { totalLimitMs: 60_000 })).desk.state;

  test.each([
    ['in time', 60_000, false, 64_000],
    ['as late as it may be', 60_900, false, 64_900],
    ['a millisecond too late', 60_901, false, undefined],
    ['in time, and paused', 60_000, true, undefined],
    ['not at all', undefined, false, undefined],
  ])('%s: hedges are aligned until %s', (_what, overMs, isPaused, until) => {
    const state = {
      spec,
      timeOverAt: overMs === undefined ? undefined : at(overMs),
      paused: isPaused ? { by: '7', at: at(0) } : undefined,
    };
    expect(ms(hedgedBy(state, settings))).toBe(until);
    expect(mayTradeAfterEnd(state, settings)).toBe(until !== undefined);
  });
});

describe('a part at work', () => {
  const IOC = 'immediate_or_cancel';
  const GTC = 'good_til_cancelled';
  const atMid = (currency: string) =>
    ({
      priceOptions: {
        priceType: 'dynamic',
        price: price('100000'),
        priceIn: currency,
        dynamicPriceStrategy: 'mid',
        dynamicMs: 60_000,
      },
    }) as const;

  test('a resting follower is replaced as soon as its order could be twice as large', () => {
    const legs = [perpLeg({ priority: true, ...atMid('USD') }), coinLeg(atMid('USDC'))];
    const run = new BalanceRun(balanceForm(legs, { parts: 1 }));
    run.pass();
    run.serve(0);
    // 200 of 1000 release 0.002; 390 release 0.0039, one lot less than twice as much.
    run.trade(PERP.name, 0.2);
    run.serve(0);
    run.trade(PERP.name, 190 / 800);
    expect([run.filled, run.wanted]).toEqual([['390', '0'], []]);
    run.trade(PERP.name, 0.016);
    expect([run.filled, run.wanted]).toEqual([['400', '0'], [`cancel ${COIN.name}`]]);
  });

  test('a resting order that the cap made smaller is not replaced for the rest of the part', () => {
    const settings = { ...SETTINGS, orderUsdMax: money('300') };
    const run = new BalanceRun(balanceForm([perpLeg(atMid('USD'))], { parts: 1 }), settings);
    run.pass();
    expect(run.wanted).toEqual([`place 300 ${PERP.name} ${GTC}`]);
    run.serve(0);
    for (let checks = 0; checks < 3; checks += 1) run.pass(1_000);
    expect(run.wanted).toEqual([]);
    run.trade(PERP.name, 1);
    expect(run.wanted).toEqual([`place 300 ${PERP.name} ${GTC}`]);
  });

  test('a leader whose rest is below the smallest order releases the whole part to its followers', () => {
    const legs = [perpLeg({ priority: true, ...atMid('USD') }), coinLeg()];
    const run = new BalanceRun(balanceForm(legs, { parts: 2 }));
    run.pass();
    run.serve(0);
    // 497 of 500: the 3 that are missing are less than the minimum of 10.
    run.venue.strike(must([...run.venue.books.keys()][0], 'a leader'), run.now);
    const [report] = run.venue.told.slice(-1);
    const [order] = must(report, 'a report').orders;
    const told = must(order, 'an order');
    const { orderId, label, side, instrument } = told;
    const trade = {
      tradeId: 't1',
      orderId,
      label,
      side,
      instrument,
      price: price('100000'),
      quantity: quantity('497'),
      fee: money('0'),
      feeCurrency: 'BTC',
      liquidity: 'maker',
      at: run.now,
    };
    run.apply({
      kind: 'record_report',
      orders: [{ ...told, filledQuantity: quantity('497') }],
      trades: [trade as never],
    });
    const follower = run.venue.requests.filter(({ instrument }) => instrument === COIN.name);
    expect(follower.map((one) => ('quantity' in one ? text(one.quantity) : ''))).toEqual(['0.005']);
  });

  test('a part of the sweep is given up at the end of its grace period, and not before', () => {
    const cut = { totalLimitMs: 8_000, totalEndAction: 'fill_by_market' } as const;
    const run = new BalanceRun(balanceForm([perpLeg(atMid('USD')), coinLeg(atMid('USDC'))], cut));
    run.pass();
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.show(COIN.name, 'ask');
    run.pass(8_000);
    run.serve(0);
    run.pass(SETTINGS.endGraceMs - 1);
    expect(run.desk.state.status).toBe('active');
    run.pass(1);
    expect(run.desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
  });

  test.each([
    ['cancel_remaining', 0, 'expired'],
    ['fill_by_market', 0, 'expired'],
    ['cancel_remaining', 600_000, 'time_limit'],
  ] as const)(
    'the end action %s with a limit of %i ms ends as %s',
    (totalEndAction, limit, reason) => {
      const run = new BalanceRun(
        balanceForm([perpLeg(atMid('USD'))], { totalLimitMs: limit, totalEndAction }),
      );
      run.pass();
      run.serve(0);
      const { state } = run.desk;
      run.desk.state = { ...state, spec: { ...state.spec, durationMs: 600_000 } };
      run.pass(600_000);
      run.serve(0);
      expect(run.wanted).toEqual([]);
      expect(run.desk.state).toMatchObject({ status: 'cancelled', reason });
    },
  );

  test('after the end a hedge that did not fill is tried again while its grace period lasts', () => {
    const legs = [perpLeg(atMid('USD')), coinLeg({ hedge: true, ...atMid('USDC') })];
    const run = new BalanceRun(balanceForm(legs, { totalLimitMs: 60_000 }));
    run.pass();
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.serve(0);
    run.pass(60_000);
    run.serve(0);
    const hedge = [`place 0.0017 ${COIN.name} ${IOC}`];
    expect(run.wanted).toEqual(hedge);
    run.serve(0);
    expect(run.desk.state.status).toBe('active');
    run.pass(SETTINGS.retryMs);
    expect(run.wanted).toEqual(hedge);
    run.serve(1);
    expect([run.filled, run.desk.state.status]).toEqual([['170', '0.0017'], 'cancelled']);
  });
});
