import { describe, expect, it } from 'vitest';
import type { ControlLimits } from '../../../../src/core/risk/gate/control-limits.ts';
import type { GateContext, GateOrder } from '../../../../src/core/risk/gate/gate-order.ts';
import { judgeBlockLeg, judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import { money, price, quantity } from '../../../../src/values/amounts.ts';
import { later } from '../../../../src/values/instant.ts';
import {
  emptyView,
  gateContext,
  gateOrder,
  WIDE_LIMITS,
  workingOrder,
} from '../../../support/engine/gate-orders.ts';
import { NOON, option, perpetual, quote, spot } from '../../../support/engine/markets.ts';

const controlOf = (
  order: Partial<GateOrder>,
  limits: Partial<ControlLimits>,
  context: Partial<GateContext> = {},
): string => judgeOrder(gateOrder(order), gateContext(limits, context))?.control ?? 'passes';

const collar = { ...WIDE_LIMITS.collar, bps: 100 } as NonNullable<ControlLimits['collar']>;

describe('PT-1, the collar of one order', () => {
  it.each([
    ['buy', '98999.5', 'passes'],
    ['buy', '100999.5', 'passes'],
    ['buy', '101000', 'passes'],
    ['buy', '101000.5', 'price_collar'],
    ['sell', '101000.5', 'passes'],
    ['sell', '99000.5', 'passes'],
    ['sell', '99000', 'passes'],
    ['sell', '98999.5', 'price_collar'],
  ] as const)(
    'the verdict on a %s at %s, with a mark of 100000 and a collar of 1 %%, is %s',
    (side, at, expected) => {
      expect(controlOf({ side, price: price(at) }, { collar })).toBe(expected);
    },
  );

  it.each([
    ['no quote', { quote: undefined }],
    ['an old quote', { now: later(NOON, 15_001) }],
    [
      'no mark price and a one-sided book',
      { quote: quote(perpetual(), [99_990, undefined], { mark: undefined }) },
    ],
    [
      'a mark price of zero',
      { quote: quote(perpetual(), [99_990, 100_010], { mark: price('0') }) },
    ],
    [
      'a mark price far from the book',
      { quote: quote(perpetual(), [99_990, 100_010], { mark: price('106000') }) },
    ],
  ])('the collar blocks an order with %s', (_, context) => {
    expect(controlOf({}, { collar }, context)).toBe('price_collar');
  });

  it('a quote at its age limit is used, and the mid replaces a missing mark price', () => {
    expect(controlOf({}, { collar }, { now: later(NOON, 15_000) })).toBe('passes');
    const unmarked = quote(perpetual(), [99_990, 100_010], { mark: undefined });
    expect(controlOf({}, { collar }, { quote: unmarked })).toBe('passes');
    expect(controlOf({ price: price('101000.5') }, { collar }, { quote: unmarked })).toBe(
      'price_collar',
    );
  });

  it.each([
    ['0.01', 'passes'],
    ['0.0105', 'price_collar'],
  ])(
    'an option with a mark of 0.005 may pay up to the larger of its share and its ticks: %s',
    (at, expected) => {
      const instrument = option();
      const asked = quote(instrument, [0.0045, 0.0055], { mark: price('0.005') });
      const options = { ...collar, optionShare: 1, optionTicks: 10 };
      const context = { quote: asked };
      expect(controlOf({ instrument, price: price(at) }, { collar: options }, context)).toBe(
        expected,
      );
    },
  );

  it.each([
    ['0.0051', 'passes'],
    ['0.0052', 'price_collar'],
  ])('the collar counts ticks if the mark price is almost zero: %s', (at, expected) => {
    const instrument = option();
    const asked = quote(instrument, [undefined, 0.0055], { mark: price('0.0001') });
    const options = { ...collar, optionShare: 1, optionTicks: 50 };
    const context = { quote: asked };
    expect(controlOf({ instrument, price: price(at) }, { collar: options }, context)).toBe(
      expected,
    );
  });

  it('the limit of an untriggered order is checked at its trigger price, and is not checked without a limit', () => {
    const waits = { waits: true, takes: false, triggerPrice: price('120000') };
    expect(controlOf({ ...waits, price: price('121200') }, { collar })).toBe('passes');
    expect(controlOf({ ...waits, price: price('121200.5') }, { collar })).toBe('price_collar');
    expect(controlOf({ ...waits, price: undefined }, { collar })).toBe('passes');
    expect(controlOf({ price: undefined }, { collar })).toBe('price_collar');
  });

  it('a block states the limit, the value checked and the rule version', () => {
    const block = judgeOrder(gateOrder({ price: price('102000') }), gateContext({ collar }));
    expect(block).toMatchObject({ limit: '1000', input: '2000', version: '1-test' });
  });
});

describe('PT-2, the drift of the fills of a leg', () => {
  const drift = { windowMs: 300_000, bps: 50, optionBps: 500 };
  const child = { portfolio: '1', leg: 0, slice: 0 };

  it('a child waits while the fills of the day are unknown, and a manual order does not', () => {
    expect(controlOf({ child }, { drift }, { account: undefined })).toBe('price_drift');
    expect(controlOf({ child }, { drift })).toBe('passes');
    expect(controlOf({ child }, {}, { account: undefined })).toBe('passes');
    expect(controlOf({}, { drift }, { account: undefined })).toBe('passes');
  });
});

describe('PT-3 and PT-4, the size of one order', () => {
  const usd = (of: string) => ({ usd: money(of) });

  it.each([
    ['1', 'passes'],
    ['49999.99', 'passes'],
    ['50000', 'passes'],
    ['50000.01', 'order_value'],
  ])('the verdict on %s USD with a limit of 50000 for the account is %s', (worth, expected) => {
    const orderUsdMax = new Map([['10001', money('50000')]]);
    expect(controlOf(usd(worth), { orderUsdMax })).toBe(expected);
    const byName = new Map([['BTC-PERPETUAL', money('50000')]]);
    expect(controlOf(usd(worth), { orderUsdMax: byName })).toBe(expected);
  });

  it('an order of unknown value is blocked, and a limit of another account does not apply', () => {
    const orderUsdMax = new Map([['10001', money('50000')]]);
    expect(controlOf({ usd: undefined }, { orderUsdMax })).toBe('order_value');
    expect(controlOf(usd('60000'), { orderUsdMax: new Map([['10002', money('1')]]) })).toBe(
      'passes',
    );
  });

  it.each([
    ['10', 'passes'],
    ['990', 'passes'],
    ['1000', 'passes'],
    ['1010', 'order_volume'],
  ])('the verdict on an amount of %s in USD with a limit of 1000 is %s', (size, expected) => {
    const quantityMax = new Map([
      ['USD', quantity('1000')],
      ['BTC', quantity('1')],
    ]);
    expect(controlOf({ quantity: quantity(size) }, { quantityMax })).toBe(expected);
  });

  it('the size limit is looked up by name, unit and default, and an uncovered instrument is blocked', () => {
    const instrument = spot();
    const half = { instrument, quantity: quantity('0.5') };
    const table = (...of: [string, string][]) => ({
      quantityMax: new Map(of.map(([name, max]) => [name, quantity(max)])),
    });
    expect(controlOf(half, table(['BTC_USDC', '0.4'], ['BTC', '1'], ['*', '1']))).toBe(
      'order_volume',
    );
    expect(controlOf(half, table(['BTC', '0.4'], ['*', '1']))).toBe('order_volume');
    expect(controlOf(half, table(['USD', '1'], ['*', '0.5']))).toBe('passes');
    expect(controlOf(half, table(['USD', '1']))).toBe('order_volume');
  });
});

describe('PT-7, a duplicate order', () => {
  const child = { portfolio: '7', leg: 0, slice: 4 };

  it('a duplicate is looked up within the window, for children only', () => {
    const asked: number[] = [];
    const sent = {
      twin: (_: GateOrder, since: number) => {
        asked.push(since);
        return 3;
      },
    };
    expect(controlOf({ child }, { duplicateMs: 250 }, { sent })).toBe('duplicate');
    expect(asked).toEqual([NOON - 250]);
    expect(controlOf({}, { duplicateMs: 250 }, { sent })).toBe('passes');
    expect(controlOf({ child }, { duplicateMs: 0 }, { sent })).toBe('passes');
    expect(controlOf({ child }, { duplicateMs: 250 })).toBe('passes');
  });

  it('a duplicate is blocked while the account has not been read yet', () => {
    const unread = { account: undefined, sent: { twin: () => 3 } };
    expect(controlOf({ child }, { duplicateMs: 250 }, unread)).toBe('duplicate');
    expect(controlOf({ child }, { duplicateMs: 250 }, { account: undefined })).toBe('passes');
  });
});

describe('PT-8, the position with all orders filled', () => {
  const positionMax = new Map([['USD', quantity('1000')]]);
  const having = (position: string, working: string) => ({
    account: {
      ...emptyView,
      position: () => quantity(position),
      working: () => quantity(working),
    },
  });

  it.each([
    ['buy', '0', '0', '1000', 'passes'],
    ['buy', '0', '0', '1010', 'position'],
    ['buy', '500', '400', '100', 'passes'],
    ['buy', '500', '400', '110', 'position'],
    ['sell', '-500', '400', '100', 'passes'],
    ['sell', '-500', '400', '110', 'position'],
    ['sell', '900', '0', '1900', 'passes'],
    ['sell', '900', '0', '1910', 'position'],
    ['buy', '-5000', '0', '10', 'passes'],
  ] as const)(
    'the verdict on a %s with position %s, %s working and %s requested is %s',
    (...row) => {
      const [side, position, working, size, expected] = row;
      const context = having(position, working);
      expect(controlOf({ side, quantity: quantity(size) }, { positionMax }, context)).toBe(
        expected,
      );
    },
  );

  it('an order is blocked while the account is unknown, and allowed if it can only reduce', () => {
    expect(controlOf({}, { positionMax }, { account: undefined })).toBe('position');
    const reduces = { reduceOnly: true, quantity: quantity('5000') };
    expect(controlOf(reduces, { positionMax }, { account: undefined })).toBe('passes');
    expect(controlOf({}, { positionMax: new Map() })).toBe('position');
  });
});

describe('PT-9, the working and traded value of an account', () => {
  const grossUsdMax = new Map([
    ['10001', money('1000')],
    ['*', money('1')],
  ]);
  const gross = (of: string) => ({ account: { ...emptyView, grossUsd: () => money(of) } });

  it.each([
    ['0', '1000', 'passes'],
    ['0', '1000.01', 'gross'],
    ['900', '99.99', 'passes'],
    ['900', '100', 'passes'],
    ['900', '100.01', 'gross'],
  ])(
    'the verdict with %s USD used, an order of %s and a limit of 1000 is %s',
    (before, usd, expected) => {
      expect(controlOf({ usd: money(usd) }, { grossUsdMax }, gross(before))).toBe(expected);
    },
  );

  it('an order is blocked if the account or its value is unknown, or the account has no limit', () => {
    expect(controlOf({}, { grossUsdMax }, { account: undefined })).toBe('gross');
    expect(controlOf({ usd: undefined }, { grossUsdMax })).toBe('gross');
    expect(controlOf({}, { grossUsdMax: new Map() })).toBe('gross');
    expect(controlOf({ reduceOnly: true }, { grossUsdMax }, { account: undefined })).toBe('passes');
  });
});

describe('PT-13, an unsettled market', () => {
  const market = { ...WIDE_LIMITS.market, spreadBps: 100 } as NonNullable<ControlLimits['market']>;
  const sides = (bid: number, ask: number) => ({ quote: quote(perpetual(), [bid, ask]) });

  it.each([
    [99_501, 100_499, 'passes'],
    [99_500, 100_500, 'passes'],
    [99_499.5, 100_500.5, 'market_unrest'],
  ])(
    'the verdict on a market of %d to %d with a spread limit of 1 %% is %s',
    (bid, ask, expected) => {
      expect(controlOf({}, { market }, sides(bid, ask))).toBe(expected);
    },
  );

  it('an order may rest in a wide market, and none is allowed after a jump', () => {
    const wide = sides(90_000, 110_000);
    expect(controlOf({ takes: false }, { market }, wide)).toBe('passes');
    expect(controlOf({ instrument: option() }, { market }, wide)).toBe('passes');
    expect(controlOf({ takes: false }, { market }, { unrest: 'it jumped' })).toBe('market_unrest');
  });
});

describe('PT-14, an order of the same account on the opposite side', () => {
  const with_ = (own: Parameters<typeof workingOrder>[0]) => ({
    account: { ...emptyView, ordersOn: () => [workingOrder(own)] },
  });

  it.each([
    ['buy', '100000.5', 'passes'],
    ['buy', '100000', 'self_match'],
    ['buy', '99999.5', 'self_match'],
    ['sell', '99999.5', 'passes'],
    ['sell', '100000', 'self_match'],
    ['sell', '100000.5', 'self_match'],
  ] as const)(
    'the verdict on a %s at 100000 against its own order at %s is %s',
    (side, at, expected) => {
      const other = side === 'buy' ? 'sell' : 'buy';
      const context = with_({ side: other, price: price(at) });
      expect(controlOf({ side }, { selfMatch: true }, context)).toBe(expected);
    },
  );

  it('orders that cannot meet do not count: itself, untriggered, post-only and immediate ones', () => {
    const selfMatch = true;
    expect(controlOf({}, { selfMatch }, with_({ key: 'mine' }))).toBe('passes');
    expect(controlOf({}, { selfMatch }, with_({ isInBook: false }))).toBe('passes');
    expect(controlOf({ takes: false }, { selfMatch }, with_({}))).toBe('passes');
    const immediate = { isImmediate: true };
    expect(controlOf(immediate, { selfMatch }, with_(immediate))).toBe('passes');
    expect(controlOf({}, { selfMatch }, with_(immediate))).toBe('self_match');
    expect(controlOf(immediate, { selfMatch }, with_({}))).toBe('self_match');
    expect(controlOf({}, { selfMatch: false }, with_({}))).toBe('passes');
    expect(controlOf({}, { selfMatch }, { account: undefined })).toBe('self_match');
  });
});

describe('all controls together', () => {
  it.each([
    [{ quantity: quantity('0') }],
    [{ quantity: quantity('-10') }],
    [{ price: price('0') }],
    [{ price: price('-1') }],
    [{ triggerPrice: price('0'), waits: true }],
  ])('an invalid size or price is blocked whatever the limits: %o', (change) => {
    expect(controlOf(change, {})).toBe('input');
  });

  it('a plain order within wide limits passes', () => {
    expect(judgeOrder(gateOrder(), gateContext(WIDE_LIMITS))).toBeUndefined();
  });

  it('an exception bypasses its own control and no other', () => {
    const narrow = { collar, grossUsdMax: new Map([['*', money('1')]]) };
    const far = gateOrder({ price: price('102000') });
    const except = (...names: string[]) =>
      judgeOrder(far, gateContext(narrow), (_, control) => names.includes(control))?.control;
    expect(except()).toBe('price_collar');
    expect(except('price_collar')).toBe('gross');
    expect(except('price_collar', 'gross')).toBeUndefined();
  });

  it('a leg of a block is checked only by controls that do not need the book', () => {
    const leg = gateOrder({ price: price('200000'), takes: false });
    expect(judgeBlockLeg(leg, gateContext(WIDE_LIMITS, { quote: undefined }))).toBeUndefined();
    const narrow = { ...WIDE_LIMITS, positionMax: new Map([['*', quantity('90')]]) };
    expect(judgeBlockLeg(leg, gateContext(narrow))?.control).toBe('position');
  });
});
