// Smart Balance case by case: consecutive parts, a leading leg, a hedge, a part that exceeds its time limit, and both
// end actions.
import { describe, expect, test } from 'vitest';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { later } from '../../../../src/values/instant.ts';
import {
  BalanceRun,
  balanceForm,
  COIN,
  coinLeg,
  PERP,
  perpLeg,
} from '../../../support/engine/balance-run.ts';

const IOC = 'immediate_or_cancel';
const GTC = 'good_til_cancelled';

/** Rests at the mid. */
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

const limitAt = (at: string, currency: string) =>
  ({ priceOptions: { priceType: 'limit', price: price(at), priceIn: currency } }) as const;

function started(...given: Parameters<typeof balanceForm>): BalanceRun {
  const run = new BalanceRun(balanceForm(...given));
  run.pass();
  return run;
}

describe('a total limit that is amended', () => {
  const amended = (run: BalanceRun, durationMs: number): void => {
    run.apply({ kind: 'amend', by: '7', terms: { durationMs, legs: [] } });
    expect(run.told('amended')).toHaveLength(1);
  };

  test('a leg continues after the former end, in a slice of its own', () => {
    const cut = { parts: 1, totalLimitMs: 10_000 };
    const run = started([perpLeg(limitAt('100000', 'USD'))], cut, { partTimeout: 'keep' });
    run.serve(0);
    amended(run, 600_000);
    expect(run.wakeAt()).toBe(run.now + 10_000);
    run.pass(10_000);
    expect(run.wanted).toEqual([`cancel ${PERP.name}`]);
    run.serve(1);
    expect(run.wanted).toEqual([`place 1000 ${PERP.name} ${GTC}`]);
    run.serve(1);
    expect(run.desk.state.status).toBe('filled');
  });

  test('a leg that found no price before the former end places after it', () => {
    const cut = { parts: 1, totalLimitMs: 10_000 };
    const run = started([perpLeg()], cut, { partTimeout: 'keep' });
    amended(run, 0);
    run.show(PERP.name, 'none');
    run.serve(0);
    run.pass(11_000);
    expect(run.wanted).toEqual([]);
    run.show(PERP.name);
    run.now = run.wakeAt() ?? run.now;
    run.pass();
    run.serve(1);
    expect(run.desk.state.status).toBe('filled');
  });
});

describe('parts', () => {
  test('parts run one after the other as soon as every leg is done, rounded down to the lot, the rest last', () => {
    const run = started([perpLeg(), coinLeg()]);
    const first = [`place 330 ${PERP.name} ${IOC}`, `place 0.0033 ${COIN.name} ${IOC}`];
    expect(run.wanted).toEqual(first);
    run.serve(1, PERP.name);
    expect(run.wanted).toEqual(first.slice(1));
    run.serve(1, COIN.name);
    expect(run.wanted).toEqual(first);
    run.serve(1);
    expect(run.filled).toEqual(['660', '0.0066']);
    expect(run.wanted).toEqual([
      `place 340 ${PERP.name} ${IOC}`,
      `place 0.0034 ${COIN.name} ${IOC}`,
    ]);
    run.serve(1);
    expect(run.filled).toEqual(['1000', '0.01']);
    expect(run.desk.state.status).toBe('filled');
    expect(run.told('part_ended')).toMatchObject([
      { part: 0, filled: ['330', '0.0033'] },
      { part: 1, filled: ['660', '0.0066'] },
      { part: 2, filled: ['1000', '0.01'] },
    ]);
  });

  test('an unfilled quantity is retried after a pause within the part', () => {
    const run = started([perpLeg()]);
    run.serve(0.5);
    expect(run.wanted).toEqual([]);
    run.pass(run.desk.settings.retryMs);
    expect(run.wanted).toEqual([`place 160 ${PERP.name} ${IOC}`]);
  });

  test('a leg whose part is below the minimum size makes the number of parts invalid', () => {
    expect(() => new BalanceRun(balanceForm([perpLeg()], { parts: 100 }))).not.toThrow();
    expect(() => new BalanceRun(balanceForm([perpLeg()], { parts: 101 }))).toThrow(
      /balanceTrade.parts.*101 is too many.*100 at most/,
    );
  });
});

describe('a leading leg', () => {
  test('the fills of the leader release the followers, rounded down to their lot', () => {
    const run = started([perpLeg({ priority: true, ...atMid('USD') }), coinLeg()]);
    expect(run.wanted).toEqual([`place 330 ${PERP.name} ${GTC}`]);
    run.serve(0);
    run.trade(PERP.name, 0.1);
    expect(run.filled).toEqual(['40', '0']);
    expect(run.wanted).toEqual([`place 0.0004 ${COIN.name} ${IOC}`]);
    run.serve(1);
    run.trade(PERP.name, 1);
    expect(run.wanted).toEqual([`place 0.0029 ${COIN.name} ${IOC}`]);
    run.serve(1);
    expect(run.filled).toEqual(['330', '0.0033']);
    expect(run.wanted).toEqual([`place 330 ${PERP.name} ${GTC}`]);
  });

  test('a resting follower is replaced by a larger order once its quantity has doubled', () => {
    const run = started([perpLeg({ priority: true, ...atMid('USD') }), coinLeg(atMid('USDC'))], {
      parts: 1,
    });
    run.serve(0);
    run.trade(PERP.name, 0.1);
    run.serve(0);
    run.trade(PERP.name, 0.1);
    expect(run.filled[0]).toBe('190');
    expect(run.wanted).toEqual([]);
    run.trade(PERP.name, 0.2);
    expect(run.wanted).toEqual([`cancel ${COIN.name}`]);
    run.serve(0);
    expect(run.wanted).toEqual([`place 0.0036 ${COIN.name} ${GTC}`]);
  });
});

describe('a hedge leg', () => {
  test('a hedge follows the least filled of the other legs and ends each part in proportion', () => {
    const run = started([perpLeg(), perpLeg({ hedge: true, side: 'buy' }), coinLeg()]);
    expect(run.wanted).toEqual([
      `place 330 ${PERP.name} ${IOC}`,
      `place 0.0033 ${COIN.name} ${IOC}`,
    ]);
    run.serve(1, COIN.name);
    expect(run.wanted).toEqual([`place 330 ${PERP.name} ${IOC}`]);
    run.serve(0.5, PERP.name);
    expect(run.filled).toEqual(['170', '0', '0.0033']);
    expect(run.wanted).toEqual([`place 170 ${PERP.name} ${IOC}`]);
    run.serve(1);
    expect(run.filled).toEqual(['170', '170', '0.0033']);
    run.pass(1_000);
    run.serve(1);
    expect(run.told('part_ended')).toEqual([]);
    run.serve(1);
    expect(run.told('part_ended')).toMatchObject([{ filled: ['330', '330', '0.0033'] }]);
  });

  test('a hedge is aligned after the end, when no other leg may trade', () => {
    const run = started([perpLeg(atMid('USD')), coinLeg({ hedge: true, ...atMid('USDC') })], {
      totalLimitMs: 60_000,
    });
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.serve(0);
    expect(run.filled).toEqual(['170', '0']);
    run.pass(60_000);
    expect(run.wanted).toEqual([`cancel ${PERP.name}`, `cancel ${COIN.name}`]);
    run.serve(0);
    expect(run.wanted).toEqual([`place 0.0017 ${COIN.name} ${IOC}`]);
    run.serve(1);
    expect(run.filled).toEqual(['170', '0.0017']);
    expect(run.desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
  });
});

describe('a part that exceeds its time limit', () => {
  test('a part that has started is completed at market, lagging legs first', () => {
    const run = started([perpLeg(atMid('USD')), coinLeg(atMid('USDC'))]);
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.pass(9_999);
    expect(run.wanted).toEqual([]);
    run.pass(1);
    expect(run.wanted).toEqual([`cancel ${PERP.name}`, `cancel ${COIN.name}`]);
    run.serve(0);
    expect(run.wanted).toEqual([`place 0.0017 ${COIN.name} ${IOC}`]);
    run.serve(1);
    expect(run.wanted).toEqual([
      `place 160 ${PERP.name} ${IOC}`,
      `place 0.0016 ${COIN.name} ${IOC}`,
    ]);
    run.serve(1);
    expect(run.told('part_chased')).toMatchObject([
      { part: 0, stage: 'chase', missing: ['160', '0.0033'] },
    ]);
    expect(run.wanted).toEqual([
      `place 330 ${PERP.name} ${GTC}`,
      `place 0.0033 ${COIN.name} ${GTC}`,
    ]);
  });

  test('a part without any fill is not chased, because there is no exposure', () => {
    const run = started([perpLeg(atMid('USD')), coinLeg(atMid('USDC'))]);
    run.serve(0);
    run.pass(25_000);
    expect(run.wanted).toEqual([]);
    run.trade(COIN.name, 0.5);
    run.pass(4_999);
    expect(run.wanted).toEqual([]);
    run.pass(1);
    expect(run.wanted).toEqual([`cancel ${PERP.name}`, `cancel ${COIN.name}`]);
  });

  test('a chase keeps the price of a LIMIT leg', () => {
    const run = started([perpLeg(limitAt('99000', 'USD')), coinLeg(atMid('USDC'))]);
    run.serve(0);
    run.trade(COIN.name, 0.5);
    run.pass(10_000);
    expect(run.wanted).toEqual([`cancel ${COIN.name}`]);
    run.serve(0);
    expect(run.wanted).toEqual([]);
    run.trade(PERP.name, 1);
    expect(run.wanted).toEqual([`place 0.0016 ${COIN.name} ${IOC}`]);
  });

  test('a part with partTimeout keep continues to wait', () => {
    const run = started(
      [perpLeg(atMid('USD')), coinLeg(atMid('USDC'))],
      {},
      { partTimeout: 'keep' },
    );
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.pass(100_000);
    expect(run.wanted).toEqual([]);
    expect(run.told('part_chased')).toEqual([]);
  });
});

describe('the total limit', () => {
  const half = (action: 'cancel_remaining' | 'fill_by_market') => {
    const run = started([perpLeg(atMid('USD')), coinLeg(atMid('USDC'))], {
      totalLimitMs: 8_000,
      totalEndAction: action,
    });
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.pass(8_000);
    expect(run.wanted).toEqual([`cancel ${PERP.name}`, `cancel ${COIN.name}`]);
    run.serve(0);
    return run;
  };

  test('end action 1 cancels the remainder', () => {
    const run = half('cancel_remaining');
    expect(run.wanted).toEqual([]);
    expect(run.desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    expect(run.told('cancelled')).toMatchObject([{ residual: ['830', '0.01'] }]);
  });

  test('end action 2 fills the remainder at market, part after part', () => {
    const run = half('fill_by_market');
    expect(run.wanted).toEqual([`place 0.0017 ${COIN.name} ${IOC}`]);
    for (let round = 0; round < 4; round += 1) run.serve(1);
    expect(run.filled).toEqual(['1000', '0.01']);
    expect(run.desk.state.status).toBe('filled');
    expect(run.told('part_started')).toMatchObject([
      { stage: 'work' },
      { stage: 'sweep' },
      { stage: 'sweep' },
    ]);
  });

  test('end action 2 gives up a part that the market does not fill, and leaves the legs in proportion', () => {
    const run = half('fill_by_market');
    run.show(COIN.name, 'ask');
    run.serve(0);
    run.pass(2_000);
    expect(run.wanted).toEqual([]);
    run.pass(run.desk.settings.endGraceMs);
    expect(run.desk.state).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    expect(run.filled).toEqual(['170', '0']);
  });

  test('a clock that is set back after the end waits before it tries a refused order again', () => {
    const run = started([perpLeg(atMid('USD')), coinLeg(atMid('USDC'))], {
      totalLimitMs: 8_000,
      totalEndAction: 'fill_by_market',
    });
    run.serve(0);
    run.trade(PERP.name, 0.5);
    run.pass(8_000);
    run.now = later(run.now, -250);
    run.serve(0);
    const sent = run.wanted;
    expect(sent).toEqual([`place 0.0017 ${COIN.name} ${IOC}`]);
    run.serve(0);
    expect(run.wanted).toEqual([]);
    run.pass();
    expect(run.wanted).toEqual([]);
    run.pass(run.desk.settings.retryMs);
    expect(run.wanted).toEqual(sent);
  });

  test('nothing is traded after an end that was noticed too late', () => {
    const run = started([perpLeg(), coinLeg()], {
      totalLimitMs: 8_000,
      totalEndAction: 'fill_by_market',
    });
    run.serve(0);
    run.pass(8_000 + run.desk.settings.endLateMaxMs + 1);
    expect(run.wanted).toEqual([]);
    expect(run.desk.state.status).toBe('cancelled');
  });
});

describe('refused BALANCE forms', () => {
  const refused = (...given: Parameters<typeof balanceForm>) => {
    let faults: readonly { field: string }[] = [];
    try {
      new BalanceRun(balanceForm(...given));
    } catch (error) {
      faults = JSON.parse((error as Error).message);
    }
    return faults.map(({ field }) => field);
  };

  test.each<[string, Parameters<typeof balanceForm>, readonly string[]]>([
    ['no parts', [[perpLeg()], { parts: 0 }], ['balanceTrade.parts']],
    ['half a part', [[perpLeg()], { parts: 1.5 }], ['balanceTrade.parts']],
    ['too short a part limit', [[perpLeg()], { eachLimitMs: 999 }], ['balanceTrade.eachLimitMs']],
    [
      'too short a total limit',
      [[perpLeg()], { totalLimitMs: 999 }],
      ['balanceTrade.totalLimitMs'],
    ],
    [
      'two leaders',
      [[perpLeg({ priority: true }), coinLeg({ priority: true })]],
      ['legs[1].priority'],
    ],
    [
      'a hedge that leads',
      [[perpLeg(), coinLeg({ hedge: true, priority: true })]],
      ['legs[1].priority'],
    ],
    ['a second end action', [[perpLeg()], {}, { endAction: 'market' }], ['execution.endAction']],
    ['a clock option', [[perpLeg()], {}, { phase: 0.5 }], ['execution.phase']],
    ['hedge legs only', [[perpLeg({ hedge: true })]], ['legs']],
    [
      'a leg too small for its parts',
      [[perpLeg({ quantity: quantity('20') })]],
      ['balanceTrade.parts'],
    ],
  ])('a BALANCE form with %s is refused and the field is named', (_name, asked, fields) => {
    expect(refused(...asked)).toEqual(fields);
  });
});
