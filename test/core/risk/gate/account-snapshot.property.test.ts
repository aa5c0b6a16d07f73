// A snapshot of an account has to lead to the same verdicts as the account itself, and an order counted in a snapshot
// has to weigh as much as one that the account has cleared.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountExposure } from '../../../../src/core/risk/gate/account-exposure.ts';
import { SnapshotView, withOrder } from '../../../../src/core/risk/gate/account-snapshot.ts';
import type { AccountView, GateOrder } from '../../../../src/core/risk/gate/gate-order.ts';
import { judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import { money, price, quantity } from '../../../../src/values/amounts.ts';
import { DAY_MS, later } from '../../../../src/values/instant.ts';
import type { Side } from '../../../../src/values/instrument.ts';
import { gateContext, gateOrder } from '../../../support/engine/gate-orders.ts';
import { NOON, perpetual, spot } from '../../../support/engine/markets.ts';

const PORTFOLIO = '7';
const MARKETS = [perpetual(), spot()] as const;
const INSTRUMENTS = new Map(MARKETS.map((one) => [one.name as string, one]));

const drawn = fc.record({
  market: fc.constantFrom(...MARKETS),
  side: fc.constantFrom<Side>('buy', 'sell'),
  size: fc.integer({ min: 1, max: 9 }),
  at: fc.integer({ min: 95, max: 105 }),
  reduceOnly: fc.boolean(),
  takes: fc.boolean(),
  isImmediate: fc.boolean(),
  waits: fc.boolean(),
  isForeign: fc.boolean(),
  slice: fc.integer({ min: 0, max: 3 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer D> ? D : never;

function orderOf(of: Drawn, key: string): GateOrder {
  const { side, reduceOnly, takes, isImmediate, waits, slice } = of;
  return gateOrder({
    key,
    side,
    reduceOnly,
    takes,
    isImmediate,
    instrument: of.market,
    waits: waits && of.isForeign,
    quantity: quantity(`${of.size}`),
    price: price(`${of.at}`),
    usd: money(`${of.size}.005`),
    child: { portfolio: of.isForeign ? '8' : PORTFOLIO, leg: 0, slice },
  });
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const), order: drawn }),
  fc.record({ kind: fc.constant('settle' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('fill' as const), of: fc.nat() }),
  fc.record({ kind: fc.constant('look' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Course {
  readonly exposure: AccountExposure;
  readonly orders: ReadonlyMap<string, GateOrder>;
}

const ownOf = ({ orders }: Course): ReadonlyMap<string, GateOrder> =>
  new Map([...orders].filter(([, { child }]) => child?.portfolio === PORTFOLIO));

const snapshotOf = (course: Course) =>
  course.exposure.snapshot({
    instruments: INSTRUMENTS,
    orders: ownOf(course),
  });

function course(steps: readonly Step[]): Course {
  const exposure = new AccountExposure();
  exposure.roll(NOON);
  const orders = new Map<string, GateOrder>();
  const made = { exposure, orders };
  const pick = (of: number): GateOrder | undefined =>
    [...orders.values()][of % Math.max(1, orders.size)];
  steps.forEach((one, index) => {
    if (one.kind === 'look') snapshotOf(made);
    else if (one.kind === 'reserve') {
      const order = orderOf(one.order, `k${index}`);
      orders.set(order.key, order);
      exposure.reserve(order, later(NOON, index));
    } else {
      const order = pick(one.of);
      if (order === undefined) return;
      if (one.kind === 'settle') exposure.settled(order.key);
      else {
        const { key, side, instrument, price: at = price('1') } = order;
        const trade = { tradeId: `t${index}`, label: '', quantity: quantity('1'), at: NOON };
        exposure.traded({ ...trade, key, side, instrument, price: at });
      }
    }
  });
  return made;
}

const LIMITS = {
  positionMax: new Map([['*', quantity('12')]]),
  grossUsdMax: new Map([['*', money('30')]]),
};

const NOW = later(NOON, 500);

/** Which control blocks the order, with the values it names; a self-match names any of the orders it meets. */
function verdict(order: GateOrder, account: AccountView, now = NOW): readonly unknown[] {
  const { control, why } = judgeOrder(order, { ...gateContext(LIMITS, { account }), now }) ?? {};
  const limits = { selfMatch: true };
  const meets = judgeOrder(order, { ...gateContext(limits, { account }), now });
  return [control, why, meets?.control];
}

describe('a snapshot of an account', () => {
  it('an order of the portfolio gets the same verdict by the snapshot as by the account', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), drawn, (steps, last) => {
        const made = course(steps);
        const own = [...ownOf(made).values()];
        const fresh = orderOf({ ...last, isForeign: false }, 'fresh');
        const view = new SnapshotView(snapshotOf(made), NOW);
        // Each own order again: as an edit of itself.
        for (const order of [fresh, ...own]) {
          expect(verdict(order, view)).toEqual(verdict(order, made.exposure));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('an order counted in the snapshot weighs as much as one that was cleared', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20, size: 'max' }),
        drawn,
        drawn,
        (steps, first, second) => {
          const made = course(steps);
          const [one, next] = [first, second].map((of, index) =>
            orderOf({ ...of, isForeign: false }, `new${index}`),
          );
          if (one === undefined || next === undefined) throw new Error('there are two');
          const counted = withOrder(snapshotOf(made), one);
          made.exposure.reserve(one, NOON);
          expect(verdict(next, new SnapshotView(counted, NOW))).toEqual(
            verdict(next, made.exposure),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('at midnight the traded value and the positions of the day are zero, as in the account', () => {
    const [future, coin] = MARKETS;
    const made = course([]);
    const trade = { key: 'a', label: '', side: 'buy' as const, quantity: quantity('2'), at: NOON };
    made.exposure.traded({ ...trade, tradeId: '1', instrument: coin, price: price('100') });
    made.exposure.traded({ ...trade, tradeId: '2', instrument: future, price: price('100') });
    const snapshot = snapshotOf(made);
    const midnight = later(NOON, DAY_MS / 2);
    const shown = (view: AccountView) => [
      view.position(coin.name),
      view.position(future.name),
      view.grossUsd(''),
    ];
    const before = [quantity('2'), quantity('2'), money('202')];
    expect(shown(new SnapshotView(snapshot, later(midnight, -1)))).toEqual(before);
    const after = [quantity('0'), quantity('2'), money('0')];
    expect(shown(new SnapshotView(snapshot, midnight))).toEqual(after);
    made.exposure.roll(midnight);
    expect(shown(made.exposure)).toEqual(after);
  });
});
