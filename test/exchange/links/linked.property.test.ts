// Properties of linked orders for any sequence and size of fills.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorShare } from '../../../src/exchange/model/links/link-share.ts';
import type { ExchangeOrder } from '../../../src/exchange/order.ts';
import { price, quantityOf } from '../../../src/values/amounts.ts';
import { type OrderId, orderId } from '../../../src/values/ids.ts';
import type { FillCondition } from '../../../src/values/order-terms.ts';
import { ALICE, accepted, BOB, Desk } from '../exchange-desk.ts';
import { btcPerpetual } from '../instruments.ts';

const CONTRACT = 10;
const contracts = (max: number) => fc.integer({ min: 1, max });
const lotsOf = (of: ExchangeOrder['quantity']): number => of.toNumber() / CONTRACT;

const limit = (side: 'buy' | 'sell', at: string, lots: number) =>
  ({
    side,
    type: 'limit',
    price: price(at),
    quantity: quantityOf(lots * CONTRACT),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: '',
  }) as const;

function market(): Desk {
  const desk = new Desk(btcPerpetual);
  desk.reference('100', { min: '50', max: '200' });
  return desk;
}

/** All orders that replaced the dormant one, in any state. */
function cameOf(desk: Desk, id: OrderId): readonly ExchangeOrder[] {
  const { exchange } = desk;
  const all = [...exchange.openOrders({ account: ALICE }), ...exchange.closedOrders(ALICE)];
  return all.filter(({ triggerOrderId }) => triggerOrderId === id);
}

const placedIn = (orders: readonly ExchangeOrder[]): number =>
  orders.reduce((sum, order) => sum + lotsOf(order.quantity), 0);

describe('one triggers other, incremental', () => {
  it('secondaries are never placed beyond their share of the fills, and in full at the end', () => {
    const step = fc.record({ fill: contracts(12), exit: fc.integer({ min: 0, max: 8 }) });
    const run = fc.record({
      primary: contracts(60),
      totals: fc.array(contracts(80), { minLength: 1, maxLength: 3 }),
      steps: fc.array(step, { maxLength: 12, size: 'max' }),
    });
    fc.assert(
      fc.property(run, ({ primary, totals, steps }) => {
        const desk = market();
        const others = totals.map((lots, at) => limit('sell', `${110 + at}`, lots));
        const link = { kind: 'one_triggers_other', fillCondition: 'incremental', others } as const;
        const terms = { price: '90', quantity: `${primary * CONTRACT}`, link };
        const own = accepted(desk.place(ALICE, 'buy', terms)).order;
        const check = () => {
          const { filledQuantity, state } = desk.order(ALICE, own.orderId);
          const filled = lotsOf(filledQuantity);
          totals.forEach((total, at) => {
            const placed = placedIn(cameOf(desk, orderId(`OTO-${at + 1}`)));
            const share = Math.floor((total * filled) / primary);
            expect(placed).toBe(state === 'filled' ? total : share);
          });
        };
        for (const { fill, exit } of steps) {
          desk.take('sell', `${fill * CONTRACT}`, '90');
          check();
          if (exit > 0) desk.take('buy', `${exit * CONTRACT}`, '115');
          check();
        }
        desk.take('sell', `${primary * CONTRACT}`, '90');
        check();
      }),
      { numRuns: 150 },
    );
  });
});

describe('one cancels other', () => {
  const run = fc.record({
    first: contracts(60),
    second: contracts(60),
    fills: fc.array(fc.record({ at: fc.constantFrom('low', 'high'), lots: contracts(15) }), {
      maxLength: 15,
      size: 'max',
    }),
  });

  /** A sells above, B buys below: either can be filled without the other. */
  function pair(condition: FillCondition, lots: { first: number; second: number }) {
    const desk = market();
    const others = [limit('buy', '90', lots.second)];
    const link = { kind: 'one_cancels_other', fillCondition: condition, others } as const;
    const terms = { price: '110', quantity: `${lots.first * CONTRACT}`, link };
    const own = accepted(desk.place(ALICE, 'sell', terms)).order;
    const both = () =>
      [own.orderId, orderId('2')].map((id) => desk.order(ALICE, id)) as [
        ExchangeOrder,
        ExchangeOrder,
      ];
    return { desk, both };
  }

  function fill(desk: Desk, at: 'low' | 'high', lots: number): void {
    if (at === 'low') desk.take('sell', `${lots * CONTRACT}`, '90');
    else desk.take('buy', `${lots * CONTRACT}`, '110');
  }

  it('incremental: the orders together fill at most one total, apart from rounding', () => {
    fc.assert(
      fc.property(run, ({ first, second, fills }) => {
        const { desk, both } = pair('incremental', { first, second });
        for (const { at, lots } of fills) {
          fill(desk, at, lots);
          const [a, b] = both();
          const [done, other] = [
            lotsOf(a.filledQuantity) / first,
            lotsOf(b.filledQuantity) / second,
          ];
          expect(done + other).toBeLessThan(1 + Math.max(1 / first, 1 / second));
          expect(a.state === 'open').toBe(b.state === 'open');
          if (a.state !== 'open') continue;
          const left = [a, b].map((o) => lotsOf(o.quantity) - lotsOf(o.filledQuantity));
          expect(left[0]).toBe(
            first - lotsOf(a.filledQuantity) - floorShare(first, lotsOf(b.filledQuantity), second),
          );
          expect(left[1]).toBe(
            second - lotsOf(b.filledQuantity) - floorShare(second, lotsOf(a.filledQuantity), first),
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('with first hit, the two orders are never both filled', () => {
    fc.assert(
      fc.property(run, ({ first, second, fills }) => {
        const { desk, both } = pair('first_hit', { first, second });
        for (const { at, lots } of fills) {
          fill(desk, at, lots);
          const [a, b] = both();
          expect(a.filledQuantity.isZero() || b.filledQuantity.isZero()).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('with complete fill, the two orders are never both filled completely', () => {
    fc.assert(
      fc.property(run, ({ first, second, fills }) => {
        const { desk, both } = pair('complete_fill', { first, second });
        for (const { at, lots } of fills) {
          fill(desk, at, lots);
          const states = both().map(({ state }) => state);
          expect(states.filter((state) => state === 'filled').length).toBeLessThan(2);
          if (states.includes('filled')) expect(states).toContain('cancelled');
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('one triggers one cancels other, incremental', () => {
  it('the fills of the pair never exceed those of the primary', () => {
    const step = fc.record({
      fill: contracts(15),
      take: contracts(10),
      at: fc.constantFrom('110', '111'),
    });
    const run = fc.record({
      lots: contracts(60),
      steps: fc.array(step, { maxLength: 15, size: 'max' }),
    });
    fc.assert(
      fc.property(run, ({ lots, steps }) => {
        const desk = market();
        const others = [limit('sell', '110', lots), limit('sell', '111', lots)];
        const kind = 'one_triggers_one_cancels_other';
        const link = { kind, fillCondition: 'incremental', others } as const;
        const terms = { price: '90', quantity: `${lots * CONTRACT}`, link };
        accepted(desk.place(ALICE, 'buy', terms));
        for (const { fill, take, at } of steps) {
          desk.take('sell', `${fill * CONTRACT}`, '90');
          desk.take('buy', `${take * CONTRACT}`, at);
          // Each of the two covers the remaining position of the primary, and no more.
          const position = Number(desk.position(ALICE)) / CONTRACT;
          for (const id of ['OTO-1', 'OTO-2']) {
            const open = cameOf(desk, orderId(id)).filter(({ state }) => state === 'open');
            const left = open.reduce(
              (sum, o) => sum + lotsOf(o.quantity) - lotsOf(o.filledQuantity),
              0,
            );
            expect(left).toBe(Math.max(0, position));
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('shares', () => {
  it('shares are exact for any sizes', () => {
    const size = fc.integer({ min: 1, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(size, size, size, (of, one, two) => {
        const [part, whole] = one < two ? [one, two] : [two, one];
        const exact = (BigInt(of) * BigInt(part)) / BigInt(whole);
        expect(BigInt(floorShare(of, part, whole))).toBe(exact);
      }),
    );
  });
});

describe('trailing stops', () => {
  it('a trailing stop only moves closer, and is triggered by the first price at the offset from the extreme', () => {
    const walk = fc.array(fc.integer({ min: 150, max: 250 }), {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    });
    const side = fc.constantFrom('buy' as const, 'sell' as const);
    fc.assert(
      fc.property(walk, contracts(40), side, (marks, offset, which) => {
        const desk = market();
        const { order } = accepted(
          desk.place(ALICE, which, {
            type: 'trailing_stop',
            trigger: 'mark_price',
            triggerOffset: price(`${offset / 2}`),
            quantity: '10',
          }),
        );
        const sign = which === 'sell' ? 1 : -1;
        let extreme = 200;
        let isOver = false;
        for (const ticks of marks) {
          desk.reference(`${ticks / 2}`, { min: '10', max: '1000' });
          extreme = sign * Math.max(sign * extreme, sign * ticks);
          isOver ||= sign * (extreme - ticks) >= offset;
          const { state, trigger } = desk.order(ALICE, order.orderId);
          expect(state).toBe(isOver ? 'triggered' : 'untriggered');
          if (!isOver) expect(trigger?.price?.toNumber()).toBe((extreme - sign * offset) / 2);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('fill or kill among linked orders', () => {
  it('a fill-or-kill order fills completely or not at all', () => {
    const peer = fc.record({ at: fc.integer({ min: 0, max: 3 }), lots: contracts(20) });
    const pair = fc.record({
      own: peer,
      others: fc.array(peer, { minLength: 1, maxLength: 3 }),
      condition: fc.constantFrom('first_hit' as const, 'complete_fill', 'incremental'),
      filled: fc.integer({ min: 0, max: 5 }),
    });
    const run = fc.record({
      pairs: fc.array(pair, { maxLength: 3 }),
      plain: fc.array(peer),
      wanted: contracts(60),
    });
    fc.assert(
      fc.property(run, ({ pairs, plain, wanted }) => {
        const desk = market();
        for (const { own, others, condition, filled } of pairs) {
          desk.place(ALICE, 'sell', {
            price: `${110 + own.at}`,
            quantity: `${own.lots * CONTRACT}`,
            link: {
              kind: 'one_cancels_other',
              fillCondition: condition,
              others: others.map(({ at, lots }) => limit('sell', `${110 + at}`, lots)),
            },
          });
          if (filled > 0) desk.take('buy', `${filled * CONTRACT}`, '111');
        }
        for (const { at, lots } of plain) {
          desk.place(ALICE, 'sell', { price: `${110 + at}`, quantity: `${lots * CONTRACT}` });
        }
        const quantity = `${wanted * CONTRACT}`;
        const { order } = accepted(
          desk.place(BOB, 'buy', { price: '112', quantity, timeInForce: 'fill_or_kill' }),
        );
        expect([0, wanted]).toContain(lotsOf(order.filledQuantity));
        if (order.state === 'filled') return;
        // A taker of everything available gets less than was wanted.
        const most = accepted(
          desk.place(BOB, 'buy', { price: '112', quantity, timeInForce: 'immediate_or_cancel' }),
        ).order;
        expect(lotsOf(most.filledQuantity)).toBeLessThan(wanted);
      }),
      { numRuns: 300 },
    );
  });
});
