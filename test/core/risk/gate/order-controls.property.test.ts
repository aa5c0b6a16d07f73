// Checks each control of one order against its rule, recomputed in whole numbers: it blocks what is beyond its limit
// and nothing else, for any order, account and limit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlLimits } from '../../../../src/core/risk/gate/control-limits.ts';
import type { GateContext, GateOrder } from '../../../../src/core/risk/gate/gate-order.ts';
import { judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import { money, price, quantity } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { later } from '../../../../src/values/instant.ts';
import {
  emptyView,
  gateContext,
  gateOrder,
  WIDE_LIMITS,
  workingOrder,
} from '../../../support/engine/gate-orders.ts';
import { NOON, option, perpetual, quote, spot } from '../../../support/engine/markets.ts';

/** Whether the order is blocked when only this limit is set. */
const isBlocked = (
  order: Partial<GateOrder>,
  limits: Partial<ControlLimits>,
  context: Partial<GateContext> = {},
): boolean => judgeOrder(gateOrder(order), gateContext(limits, context)) !== undefined;

const COLLAR = must(WIDE_LIMITS.collar, 'a collar');
const MARKET = must(WIDE_LIMITS.market, 'limits of markets');
const side = fc.constantFrom('buy', 'sell');
const table = (limit: number) => new Map([['*', quantity(String(limit))]]);
const usd = (cents: number) => money((cents / 100).toFixed(2));

/** A whole number, often exactly at the limit or one step away from it. */
const near = (limit: number, min = 1): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -2, max: 2 }).map((by) => Math.max(min, limit + by)),
    fc.integer({ min, max: Math.max(min, 2 * limit) }),
  );

describe('PT-1', () => {
  it('the collar blocks exactly the prices that pay more than its share beyond the mark', () => {
    const drawn = fc
      .record({
        side,
        mark: fc.integer({ min: 1_000, max: 200_000 }),
        bps: fc.integer({ min: 1, max: 9_000 }),
      })
      .chain((one) => {
        const allowed = Math.floor((one.mark * one.bps) / 10_000);
        const at = near(allowed, 0).map((by) =>
          one.side === 'buy' ? one.mark + by : one.mark - by,
        );
        return fc.record({ one: fc.constant(one), at });
      })
      .filter(({ at }) => at > 0);
    fc.assert(
      fc.property(drawn, ({ one, at }) => {
        const mark = price(String(one.mark));
        const context = { quote: quote(perpetual(), [undefined, undefined], { mark }) };
        const beyond = one.side === 'buy' ? at - one.mark : one.mark - at;
        const order = { side: one.side, price: price(String(at)) };
        expect(isBlocked(order, { collar: { ...COLLAR, bps: one.bps } }, context)).toBe(
          beyond * 10_000 > one.mark * one.bps,
        );
      }),
    );
  });

  it('the collar of an option is the larger of a share of its mark price and a number of ticks', () => {
    const drawn = fc.record({
      side,
      mark: fc.integer({ min: 1, max: 400 }),
      at: fc.integer({ min: 1, max: 1_000 }),
      optionShare: fc.constantFrom(1, 2, 3),
      optionTicks: fc.integer({ min: 1, max: 60 }),
    });
    const units = (count: number) => price((count / 10_000).toFixed(4));
    fc.assert(
      fc.property(drawn, ({ side: of, mark, at, optionShare, optionTicks }) => {
        const instrument = option();
        const asked = quote(instrument, [undefined, undefined], { mark: units(mark) });
        // Its tick is 0.0001 up to 0.005, and 0.0005 above.
        const allowed = Math.max(optionShare * mark, optionTicks * (mark > 50 ? 5 : 1));
        const beyond = of === 'buy' ? at - mark : mark - at;
        const collar = { ...COLLAR, optionShare, optionTicks };
        const order = { instrument, side: of, price: units(at) };
        expect(isBlocked(order, { collar }, { quote: asked })).toBe(beyond > allowed);
      }),
    );
  });

  it('a quote is unusable from the first millisecond beyond its maximum age', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000 }),
        fc.integer({ min: -2, max: 2 }),
        (max, by) => {
          const collar = { ...COLLAR, referenceAgeMaxMs: max };
          const now = later(NOON, Math.max(0, max + by));
          expect(isBlocked({}, { collar }, { now })).toBe(by > 0);
        },
      ),
    );
  });
});

describe('PT-3 and PT-9', () => {
  const drawn = fc
    .record({
      limit: fc.integer({ min: 100, max: 10_000_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .chain(({ limit, share }) => {
      const before = Math.floor(limit * share);
      const worth = near(limit - before);
      return fc.record({ limit: fc.constant(limit), before: fc.constant(before), worth });
    });

  it('the value limits of an order and of its account are exact to the cent', () => {
    fc.assert(
      fc.property(drawn, ({ limit, before, worth }) => {
        const max = new Map([['10001', usd(limit)]]);
        expect(isBlocked({ usd: usd(worth) }, { orderUsdMax: max })).toBe(worth > limit);
        const account = { ...emptyView, grossUsd: () => usd(before) };
        expect(isBlocked({ usd: usd(worth) }, { grossUsdMax: max }, { account })).toBe(
          before + worth > limit,
        );
      }),
    );
  });
});

describe('PT-4 and PT-8', () => {
  const drawn = fc
    .record({
      side,
      limit: fc.integer({ min: 1, max: 1_000_000 }),
      position: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      working: fc.integer({ min: 0, max: 1_000_000 }),
    })
    .chain((one) => {
      const towards = one.side === 'buy' ? one.position : -one.position;
      const left = Math.max(0, one.limit - towards - one.working);
      return fc.record({ one: fc.constant(one), size: near(left), alone: near(one.limit) });
    });

  it('the size limit of an order and the position limit with its side filled are exact', () => {
    fc.assert(
      fc.property(drawn, ({ one, size, alone }) => {
        const { limit, position, working } = one;
        const amount = (of: number) => ({ side: one.side, quantity: quantity(String(of)) });
        expect(isBlocked(amount(alone), { quantityMax: table(limit) })).toBe(alone > limit);
        const account = {
          ...emptyView,
          position: () => quantity(String(position)),
          working: () => quantity(String(working)),
        };
        const after = (one.side === 'buy' ? position : -position) + working + size;
        expect(isBlocked(amount(size), { positionMax: table(limit) }, { account })).toBe(
          after > limit,
        );
      }),
    );
  });
});

describe('PT-7', () => {
  it('a child is blocked exactly if another slice sent the same order within the window', () => {
    const drawn = fc.record({
      windowMs: fc.integer({ min: 0, max: 60_000 }),
      agoMs: fc.integer({ min: 0, max: 60_000 }),
      isChild: fc.boolean(),
    });
    const child = { portfolio: '7', leg: 0, slice: 4 };
    fc.assert(
      fc.property(drawn, ({ windowMs, agoMs, isChild }) => {
        const sentAt = NOON - agoMs;
        const sent = {
          twin: (_: GateOrder, since: number) => (sentAt > since ? 3 : undefined),
        };
        const order = isChild ? { child } : {};
        expect(isBlocked(order, { duplicateMs: windowMs }, { sent })).toBe(
          isChild && agoMs < windowMs,
        );
      }),
    );
  });
});

describe('PT-10', () => {
  const KINDS = ['option', 'perpetual', 'future', 'spot'] as const;
  const OF = { option: option(), perpetual: perpetual(), spot: spot() };

  it('an account may trade only the kinds permitted for it by name, or else those permitted for all', () => {
    const kinds = fc.option(fc.subarray([...KINDS]), { nil: undefined });
    const drawn = fc.record({
      own: kinds,
      all: kinds,
      kind: fc.constantFrom('option', 'perpetual', 'spot'),
    });
    fc.assert(
      fc.property(drawn, ({ own, all, kind }) => {
        const named = [['10001', own] as const, ['*', all] as const];
        const permits = new Map(
          named.flatMap(([name, of]) => (of === undefined ? [] : [[name, new Set(of)] as const])),
        );
        const permitted: readonly string[] = own ?? all ?? [];
        const block = judgeOrder(gateOrder({ instrument: OF[kind] }), gateContext({ permits }));
        expect(block?.control).toBe(permitted.includes(kind) ? undefined : 'permission');
      }),
    );
  });
});

describe('PT-13', () => {
  it('an order that takes is blocked beyond the spread limit, and an order that rests is not', () => {
    const drawn = fc
      .record({
        bps: fc.integer({ min: 1, max: 5_000 }),
        bid: fc.integer({ min: 1_000, max: 200_000 }),
      })
      .chain((one) => {
        // For sides b and b + s the mid is b + s/2: s is at the limit if 20 000·s = (2b + s)·bps.
        const most = Math.floor((2 * one.bid * one.bps) / (20_000 - one.bps));
        return fc.record({ one: fc.constant(one), spread: near(most) });
      });
    fc.assert(
      fc.property(drawn, fc.boolean(), ({ one: { bps, bid }, spread }, takes) => {
        const ask = bid + spread;
        const context = { quote: quote(perpetual(), [bid, ask]) };
        const market = { ...MARKET, spreadBps: bps };
        expect(isBlocked({ takes }, { market }, context)).toBe(
          takes && spread * 20_000 > (bid + ask) * bps,
        );
      }),
    );
  });
});

describe('PT-14', () => {
  it('an order is blocked exactly if it would match an order of its account in the book', () => {
    const own = fc.record({
      at: fc.option(fc.integer({ min: 90, max: 110 }), { nil: undefined }),
      isInBook: fc.boolean(),
      isImmediate: fc.boolean(),
      isMine: fc.boolean(),
    });
    const drawn = fc.record({
      side,
      at: fc.integer({ min: 90, max: 110 }),
      takes: fc.boolean(),
      isImmediate: fc.boolean(),
      others: fc.array(own, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(drawn, ({ side: of, at, takes, isImmediate, others }) => {
        const meets = others.some(
          (one) =>
            one.at !== undefined &&
            one.isInBook &&
            !one.isMine &&
            !(one.isImmediate && isImmediate) &&
            (of === 'buy' ? at >= one.at : at <= one.at),
        );
        const working = others.map((one, index) =>
          workingOrder({
            side: of === 'buy' ? 'sell' : 'buy',
            price: one.at === undefined ? undefined : price(String(one.at)),
            isInBook: one.isInBook,
            isImmediate: one.isImmediate,
            key: one.isMine ? 'mine' : `other ${index}`,
          }),
        );
        const account = { ...emptyView, ordersOn: () => working };
        const order = { side: of, price: price(String(at)), takes, isImmediate };
        expect(isBlocked(order, { selfMatch: true }, { account })).toBe(takes && meets);
      }),
    );
  });
});

describe('all controls together', () => {
  const limits = fc.record({
    bps: fc.integer({ min: 0, max: 500 }),
    orderUsd: fc.integer({ min: 1, max: 300 }),
    size: fc.integer({ min: 1, max: 300 }),
    position: fc.integer({ min: 1, max: 300 }),
    grossUsd: fc.integer({ min: 1, max: 300 }),
    spreadBps: fc.integer({ min: 1, max: 50 }),
  });
  type Drawn = typeof limits extends fc.Arbitrary<infer L> ? L : never;
  const limitsOf = (of: Drawn): ControlLimits => ({
    ...WIDE_LIMITS,
    collar: { ...COLLAR, bps: of.bps },
    orderUsdMax: new Map([['10001', money(String(of.orderUsd))]]),
    quantityMax: table(of.size),
    positionMax: table(of.position),
    grossUsdMax: new Map([['*', money(String(of.grossUsd))]]),
    market: { ...MARKET, spreadBps: of.spreadBps },
  });
  const order = fc
    .record({
      side,
      size: fc.integer({ min: 1, max: 300 }),
      at: fc.integer({ min: 95_000, max: 105_000 }),
    })
    .map(({ side: of, size, at }) => ({
      side: of,
      quantity: quantity(String(size)),
      usd: money(String(size)),
      price: price(String(at)),
    }));

  it('an order that passes tight limits also passes wider ones', () => {
    const wider = (one: Drawn, by: Drawn): Drawn => ({
      bps: one.bps + by.bps,
      orderUsd: one.orderUsd + by.orderUsd,
      size: one.size + by.size,
      position: one.position + by.position,
      grossUsd: one.grossUsd + by.grossUsd,
      spreadBps: one.spreadBps + by.spreadBps,
    });
    fc.assert(
      fc.property(order, limits, limits, (of, tight, by) => {
        fc.pre(!isBlocked(of, limitsOf(tight)));
        expect(isBlocked(of, limitsOf(wider(tight, by)))).toBe(false);
      }),
      { maxSkipsPerRun: 1_000 },
    );
  });

  it('an order without an input that a limit needs is blocked', () => {
    const lacking: readonly [Partial<GateOrder>, Partial<GateContext>][] = [
      [{ price: undefined }, {}],
      [{ usd: undefined }, {}],
      [{}, { quote: undefined }],
      [{}, { account: undefined }],
      [{ child: { portfolio: '7', leg: 0, slice: 4 } }, { sent: undefined }],
    ];
    fc.assert(
      fc.property(order, fc.constantFrom(...lacking), (of, [change, context]) => {
        expect(isBlocked({ ...of, ...change }, WIDE_LIMITS, context)).toBe(true);
      }),
    );
  });
});
