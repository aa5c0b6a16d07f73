// Tests the effect of each execution option on the children of a portfolio, at its boundary and beyond it.
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { price, quantity, text } from '../../src/values/amounts.ts';
import { later } from '../../src/values/instant.ts';
import { CoreWork } from '../support/engine/core-work.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const MARKET = quote(PERP, [99_990, 100_010], { mark: price('100000') });

function work(
  execution: PortfolioForm['execution'],
  change: Partial<PortfolioForm> = {},
): CoreWork {
  const made = new CoreWork(form({ execution, ...change }), [PERP, CALL]);
  made.show(MARKET);
  return made;
}

const sizes = ({ placed }: CoreWork): string[] => placed.map((order) => text(order.quantity));
const prices = ({ placed }: CoreWork): string[] => placed.map((order) => text(order.price));
const times = ({ placed }: CoreWork): number[] => placed.map(({ atMs }) => atMs);

const limited = (at: string) =>
  legForm({ priceOptions: { priceType: 'limit', price: price(at), priceIn: 'USD' } });

describe('slippageMaxBps', () => {
  test("every child is priced within the bound around its slice's arrival price", () => {
    const made = work({ slippageMaxBps: 2 });
    made.fills = () => 0;
    made.at(0);
    expect(made.events('slice_arrived')).toMatchObject([{ slice: 0, price: '100000' }]);
    // The offer at 1 bps is taken, but not as far as the collar would reach.
    expect(prices(made)).toEqual(['100020']);
    made.show(quote(PERP, [100_010, 100_020]));
    made.at(1_000);
    expect(prices(made)).toEqual(['100020', '100020']);
    made.show(quote(PERP, [100_010, 100_020.5]));
    made.at(2_000);
    expect(made.placed).toHaveLength(2);
    expect(made.waits()).toEqual(['slippage_cap']);
  });

  test('the next slice takes its arrival price from the current market', () => {
    const made = work({ slippageMaxBps: 2 });
    made.until(5_000);
    made.show(quote(PERP, [100_990, 101_010]));
    made.until(15_000);
    expect(made.events('slice_arrived').map((event) => event.price)).toEqual(['100000', '101000']);
    expect(prices(made)).toEqual(['100020', '101020']);
  });

  test('a resting child is repriced no further than the bound', () => {
    const priceOptions = {
      priceType: 'dynamic',
      price: price('100'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'bid',
      dynamicMs: 1_000,
    } as const;
    const made = work({ slippageMaxBps: 2 }, { legs: [legForm({ priceOptions })] });
    made.fills = () => 0;
    made.until(1_500);
    made.show(quote(PERP, [100_030, 100_050]));
    made.until(4_500);
    expect(prices(made)).toEqual(['99990']);
    expect(made.edited.map((one) => one.price)).toEqual(['100020']);
    expect(made.repricedFor()).toEqual(['bound']);
  });
});

describe('bandBps', () => {
  test.each([
    [1, ['100010'], []],
    [0.9, [], ['price_band']],
  ])('a band of %s bps around the mark price places or waits', (bandBps, sent, waits) => {
    const made = work({ bandBps });
    made.at(0);
    expect(prices(made)).toEqual(sent);
    expect(made.waits()).toEqual(waits);
  });

  test('nothing is sent while the mark price is unknown', () => {
    const made = work({ bandBps: 100 });
    made.show(quote(PERP, [99_990, 100_010], { mark: undefined }));
    made.at(0);
    expect(made.placed).toHaveLength(0);
    expect(made.waits()).toEqual(['no_reference']);
  });

  test('a sell has a lower bound', () => {
    const made = work({ bandBps: 1 }, { legs: [legForm({ side: 'sell' })] });
    made.at(0);
    expect(prices(made)).toEqual(['99990']);
  });
});

describe('spreadMaxBps and spreadMaxVol', () => {
  test.each([
    [2, 1, []],
    [1.99, 0, ['wide_spread']],
  ])('a spread of 2 bps is checked against a spreadMaxBps of %s', (spreadMaxBps, sent, waits) => {
    const made = work({ spreadMaxBps });
    made.at(0);
    expect(made.placed).toHaveLength(sent);
    expect(made.waits()).toEqual(waits);
  });

  test('the slice places as soon as the spread narrows', () => {
    const made = work({ spreadMaxBps: 1 });
    made.until(3_500);
    made.show(quote(PERP, [100_000, 100_000.5]));
    made.until(5_000);
    expect(times(made)).toEqual([4_000]);
  });

  test('a one-sided book places nothing, for lack of a reference', () => {
    const made = work({ spreadMaxBps: 100 });
    made.show(quote(PERP, [undefined, 100_010]));
    made.at(0);
    expect(made.waits()).toEqual(['no_reference']);
  });

  test('spreadMaxVol limits the spread of an option in volatility points', () => {
    const leg = legForm({
      instrument: CALL.name,
      instrumentType: 'option',
      quantity: quantity('0.6'),
    });
    const [narrow, wide] = [quote(CALL, [0.05, 0.0505]), quote(CALL, [0.03, 0.06])];
    for (const [seen, sent] of [
      [narrow, 1],
      [wide, 0],
    ] as const) {
      const made = work({ spreadMaxVol: 3 }, { legs: [leg] });
      made.show(seen);
      made.at(0);
      expect(made.placed).toHaveLength(sent);
    }
  });
});

describe('escalation', () => {
  const steps = [
    { from: 0, manner: 'post' },
    { from: 0.3, manner: 'rejoin' },
    { from: 0.6, manner: 'mid' },
    { from: 0.8, manner: 'cross' },
  ] as const;

  test('an escalation posts, rejoins, moves to the mid and crosses at the shares of its slice', () => {
    const made = work({ escalation: steps });
    made.fills = ({ timeInForce }) => (timeInForce === 'immediate_or_cancel' ? 1 : 0);
    made.until(500);
    made.show(quote(PERP, [99_995, 100_010]));
    made.until(9_900);
    const [first, last] = made.placed;
    expect(first).toMatchObject({ postOnly: true, timeInForce: 'good_til_cancelled', atMs: 0 });
    expect(text(first?.price ?? price('0'))).toBe('99990');
    expect(made.edited).toEqual([
      { atMs: 3_000, price: '99995', postOnly: true },
      { atMs: 6_000, price: '100002.5', postOnly: true },
    ]);
    expect(last).toMatchObject({ timeInForce: 'immediate_or_cancel', atMs: 8_000 });
    expect(made.repricedFor()).toEqual(['step', 'step']);
    expect(made.placed).toHaveLength(2);
    expect(made.filled()).toBe('100');
  });

  test('a child that fills while resting is not crossed', () => {
    const made = work({ escalation: steps });
    made.fills = ({ timeInForce }) => (timeInForce === 'immediate_or_cancel' ? 1 : 0.4);
    made.until(9_900);
    expect(sizes(made)).toEqual(['100', '60']);
  });

  test('a reprice records whether the market or a bound of the portfolio caused it', () => {
    const made = work({ escalation: [{ from: 0, manner: 'mid' }], bandBps: 1 });
    made.fills = () => 0;
    made.until(500);
    made.show(quote(PERP, [99_995, 100_010], { mark: price('100000') }));
    made.until(1_500);
    made.show(quote(PERP, [100_020, 100_040], { mark: price('100000') }));
    made.until(2_500);
    expect(made.edited.map((edit) => edit.price)).toEqual(['100002.5', '100010']);
    expect(made.repricedFor()).toEqual(['reference', 'bound']);
  });

  test('no step prices worse than the limit of the leg', () => {
    const made = work({ escalation: steps }, { legs: [limited('99992')] });
    made.fills = () => 0;
    made.until(9_900);
    expect(prices(made)).toEqual(['99990']);
    expect(made.edited.map((edit) => edit.price)).toEqual(['99992']);
    expect(made.edited.at(-1)).toMatchObject({ atMs: 6_000 });
    expect(made.repricedFor()).toEqual(['step']);
  });
});

describe('wouldPrices', () => {
  const would = [{ leg: 0, price: price('99900'), share: 0.5 }];

  test('half of the remaining quantity is taken at a would price and is not requested again', () => {
    const made = work({ would });
    made.until(4_000);
    made.show(quote(PERP, [99_890, 99_900]));
    made.until(4_999);
    made.show(MARKET);
    made.until(70_000);
    expect(sizes(made)[1]).toBe('250');
    expect(prices(made)[1]).toBe('99900');
    expect(made.filled()).toBe('600');
    expect(made.events('filled')).toHaveLength(1);
  });

  test('a would price takes only what is shown, and not one tick beyond the price', () => {
    const made = work({ would });
    const shown = { price: price('99900'), quantity: quantity('30') };
    made.show({ ...quote(PERP, [99_890, 99_900]), ask: shown });
    made.at(0);
    expect(sizes(made)).toEqual(['30']);
    const above = work({ would });
    above.show(quote(PERP, [99_890, 99_900.5]));
    above.at(0);
    expect(sizes(above)).toEqual(['100']);
  });

  test('a would price beyond the limit of its leg takes up to the limit and sends nothing above it', () => {
    const beyond = [{ leg: 0, price: price('100050'), share: 1 }];
    const made = work({ would: beyond }, { legs: [limited('100000')] });
    made.fills = () => 0;
    made.show(quote(PERP, [100_010, 100_020]));
    made.until(9_000);
    // The slice rests at its limit all the time.
    expect(made.placed.map((one) => [text(one.price), one.timeInForce])).toEqual([
      ['100000', 'good_til_cancelled'],
    ]);
    expect(made.events('cancel_intended')).toEqual([]);
    made.show(quote(PERP, [99_990, 100_000]));
    made.until(9_500);
    expect(made.placed.map((one) => [text(one.price), one.timeInForce])[1]).toEqual([
      '100000',
      'immediate_or_cancel',
    ]);
  });

  test('a would price beyond the guards of its portfolio leaves the slice to its own price', () => {
    const beyond = [{ leg: 0, price: price('100050'), share: 1 }];
    const made = work({ would: beyond, bandBps: 1 }, { legs: [limited('99000')] });
    made.fills = () => 0;
    made.show(quote(PERP, [100_010, 100_020], { mark: price('100000') }));
    made.until(9_000);
    expect(made.placed.map((one) => [text(one.price), one.timeInForce])).toEqual([
      ['99000', 'good_til_cancelled'],
    ]);
    expect(made.waits()).toEqual([]);
  });
});

describe('participationMax', () => {
  const traded = (amount: string) => ({ ...MARKET, traded: quantity(amount) });

  test('a leg sends no more than its share of the volume since its first slice', () => {
    const made = work({ participationMax: 0.1 });
    made.show(traded('5000'));
    made.at(0);
    expect(made.waits()).toEqual(['participation']);
    made.show(traded('5390'));
    made.until(1_000);
    expect(sizes(made)).toEqual(['30']);
    made.show(traded('5400'));
    made.until(2_500);
    expect(sizes(made)).toEqual(['30', '10']);
  });

  test('a volume count that restarts loses nothing that was already counted', () => {
    const made = work({ participationMax: 0.1 });
    made.show(traded('5000'));
    made.at(0);
    made.show(traded('5500'));
    made.at(10_000);
    expect(sizes(made)).toEqual(['50']);
    made.show(traded('300'));
    made.at(20_000);
    expect(sizes(made)).toEqual(['50', '30']);
  });

  test('a slice that begins with a quote too old to price from does not count from its volume', () => {
    const made = work({ participationMax: 0.1 });
    made.show(traded('5000'));
    made.desk.quoteAgeMs = made.desk.settings.quoteAgeMaxMs + 1;
    made.at(0);
    made.desk.quoteAgeMs = 0;
    made.show(traded('9000'));
    made.until(1_000);
    expect(made.events('slice_started')).toMatchObject([{ slice: 0 }]);
    expect(made.events('slice_started')[0]?.traded).toBeUndefined();
    expect(sizes(made)).toEqual([]);
  });

  test('nothing is sent if the venue has no volume count', () => {
    const made = work({ participationMax: 1 });
    made.until(70_000);
    expect(made.placed.filter(({ atMs }) => atMs < 60_000)).toHaveLength(0);
  });
});

describe('avoidWindows', () => {
  test('nothing is placed or left resting during the window, and the missed quantity is caught up', () => {
    const made = work(
      { avoidWindows: true, catchUp: 'front' },
      { legs: [limited('99000')], twapTrade: { durationSec: 60, frequencySec: 10 } },
    );
    made.fills = () => 0;
    made.until(12_000);
    expect(times(made)).toEqual([0, 9_000, 10_000]);
    expect(made.events('cancel_intended')).toMatchObject([
      { reason: 'quiet_window', at: later(NOON, 5_000) },
      { reason: 'slice_over', at: later(NOON, 9_800) },
    ]);
  });

  test('a portfolio without avoidWindows trades during the window', () => {
    const made = work({ phase: 0.6 });
    made.until(7_000);
    expect(times(made)).toEqual([6_000]);
  });
});

describe('downtime', () => {
  test.each([
    ['catch_up', '600', 0],
    ['skip', '400', 1],
  ] as const)('downtime %s applies after two missed slices', (downtime, filled, over) => {
    const made = work({ downtime, endAction: 'market' });
    made.until(5_000);
    made.at(35_000);
    made.until(80_000);
    expect(made.filled()).toBe(filled);
    expect(made.events('cancelled')).toHaveLength(over);
    expect(made.events('slices_missed')).toMatchObject([{ from: 1, to: 2 }]);
  });

  test('downtime skip also gives up slices that passed just before the end', () => {
    const made = work({ downtime: 'skip', endAction: 'market' });
    made.until(5_000);
    made.at(65_000);
    made.until(80_000);
    expect(made.filled()).toBe('100');
    expect(made.events('cancelled')).toMatchObject([{ reason: 'time_limit', residual: ['500'] }]);
  });
});

describe('end actions', () => {
  /** Nothing fills before the end. */
  const unfilled = (execution: PortfolioForm['execution']): CoreWork => {
    const made = work(execution);
    made.fills = ({ atMs }) => (atMs < 60_000 ? 0 : 1);
    made.until(60_000);
    return made;
  };

  test('sweep prices up to its cap from the mark, market up to the collar', () => {
    expect(prices(unfilled({ endAction: 'sweep', endCapBps: 3 })).at(-1)).toBe('100030');
    expect(prices(unfilled({ endAction: 'market' })).at(-1)).toBe('101010');
    const capped = unfilled({ endAction: 'sweep', endCapBps: 0.5 });
    capped.until(80_000);
    expect(capped.placed.filter(({ atMs }) => atMs >= 60_000)).toHaveLength(0);
    expect(capped.events('cancelled')).toMatchObject([{ reason: 'time_limit' }]);
  });

  test('the cap of a sweep defaults to 50 bps', () => {
    expect(prices(unfilled({ endAction: 'sweep' })).at(-1)).toBe('100500');
  });

  test('a sweep ignores the spread limit', () => {
    const made = unfilled({ endAction: 'market', spreadMaxBps: 1 });
    expect(made.events('filled')).toHaveLength(1);
  });

  test('extend continues in capped slices until everything is filled', () => {
    const made = unfilled({ endAction: 'extend', extendMs: 60_000, maxCatchUp: 2 });
    made.until(200_000);
    const after = made.placed.filter(({ atMs }) => atMs >= 60_000);
    expect(after.map(({ atMs, quantity: size }) => [atMs, text(size)])).toEqual([
      [60_000, '200'],
      [70_000, '200'],
      [80_000, '200'],
    ]);
    expect(made.events('filled')).toHaveLength(1);
  });

  test('extend ends when its time is up', () => {
    const made = unfilled({ endAction: 'extend', extendMs: 15_000, maxCatchUp: 2 });
    made.until(200_000);
    expect(made.filled()).toBe('400');
    expect(made.events('cancelled')).toMatchObject([
      { at: later(NOON, 75_000), reason: 'time_limit', residual: ['200'] },
    ]);
  });
});

test('a portfolio without options has events without option fields', () => {
  const made = work({ endAction: 'market' });
  made.until(70_000);
  const kinds = new Set(made.desk.events.map(({ kind }) => kind));
  expect(kinds.has('slice_arrived')).toBe(false);
  const [started] = made.events('slice_started');
  expect(Object.keys(started ?? {}).sort()).toEqual(
    ['at', 'dueAt', 'endsAt', 'kind', 'leg', 'planned', 'quantity', 'slice'].sort(),
  );
});
