import { describe, expect, it } from 'vitest';
import { text } from '../../../src/values/amounts.ts';
import { ALICE, accepted, BOB, Desk, limitOf, refused } from '../exchange-desk.ts';
import { btcPerpetual } from '../instruments.ts';

/** Alice is long 100. */
function long(): Desk {
  const desk = new Desk(btcPerpetual);
  desk.quotes([], [['100', '100']]);
  accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '100' }));
  return desk;
}

const reduce = (desk: Desk, price: string, quantity: string) =>
  accepted(desk.place(ALICE, 'sell', { price, quantity, reduceOnly: true })).order;

const left = (desk: Desk): readonly string[] =>
  desk.exchange
    .openOrders({ account: ALICE })
    .map((order) => `${text(limitOf(order))}×${text(order.quantity)}`);

describe('reduce-only orders', () => {
  it('a reduce-only order is capped to the position when it is placed', () => {
    expect(text(reduce(long(), '110', '500').quantity)).toBe('100');
  });

  it('a reduce-only order in the direction of the position is refused', () => {
    const terms = { price: '90', quantity: '10', reduceOnly: true };
    expect(refused(long().place(ALICE, 'buy', terms))).toMatchObject({
      code: 11030,
      message: 'other_reject reduce_direction',
    });
  });

  it('a reduce-only order shrinks with the position and is cancelled when the position is flat', () => {
    const desk = long();
    const { orderId } = reduce(desk, '110', '100');
    desk.quotes([['100', '100']], []);
    desk.place(ALICE, 'sell', { price: '100', quantity: '70' });
    expect(left(desk)).toEqual(['110×30']);
    desk.place(ALICE, 'sell', { price: '100', quantity: '30' });
    const order = desk.order(ALICE, orderId);
    expect([order.state, order.cancelReason]).toEqual(['cancelled', undefined]);
    expect(desk.book('sell')).toEqual([]);
  });

  it('a reduce-only order does not grow with the position', () => {
    const desk = long();
    reduce(desk, '110', '100');
    desk.quotes([], [['100', '50']]);
    desk.place(ALICE, 'buy', { price: '100', quantity: '50' });
    expect(left(desk)).toEqual(['110×100']);
  });

  it('the reduce-only order that executes first has priority: better price, then earlier place in the queue', () => {
    const desk = long();
    reduce(desk, '110', '60');
    reduce(desk, '110', '60');
    expect(left(desk)).toEqual(['110×60', '110×40']);
    reduce(desk, '105', '50');
    expect(left(desk)).toEqual(['110×50', '105×50']);
  });

  it('reduce-only orders never reverse the position, even while one taker fills several of them', () => {
    const desk = long();
    desk.place(ALICE, 'sell', { price: '105', quantity: '80' });
    reduce(desk, '106', '100');
    accepted(desk.place(BOB, 'buy', { price: '110', quantity: '300' }));
    expect(desk.position(ALICE)).toBe('0');
    expect(desk.position(BOB)).toBe('100');
    expect(desk.book('buy')).toEqual(['110×200']);
  });

  it('a reduce-only order is capped again when it is edited', () => {
    const desk = long();
    const { orderId } = reduce(desk, '110', '40');
    expect(text(accepted(desk.edit(ALICE, orderId, { quantity: '400' })).order.quantity)).toBe(
      '100',
    );
  });
});
