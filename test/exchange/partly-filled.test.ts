// An edit of a partly filled order needs funds for the remainder only, not for the filled part.
import { describe, expect, it } from 'vitest';
import { ALICE, accepted, BOB, Desk, refused } from './exchange-desk.ts';
import { btcPerpetual, btcSpot } from './instruments.ts';

/** 1 000 BTC at 2 % and a little more require 70 of 100 BTC; half of the order is filled. */
function perpetual() {
  const desk = new Desk(btcPerpetual);
  desk.reference('100000');
  const { order } = accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '100000000' }));
  accepted(desk.place(BOB, 'sell', { price: '99000', quantity: '50000000' }));
  return { desk, order };
}

describe('editing a partly filled perpetual order', () => {
  it('an edit to another price needs no more margin than the order already uses', () => {
    const { desk, order } = perpetual();
    const edited = accepted(desk.edit(ALICE, order.orderId, { price: '98000' })).order;
    expect(edited.filledQuantity.toString()).toBe('50000000');
  });

  it('an edit to a total that exceeds the funds is refused', () => {
    const { desk, order } = perpetual();
    const more = desk.edit(ALICE, order.orderId, { quantity: '130000000' });
    expect(refused(more)).toMatchObject({ code: 10009, data: { param: 'amount' } });
    accepted(desk.edit(ALICE, order.orderId, { quantity: '110000000' }));
  });
});

describe('editing a partly filled spot order', () => {
  it('an edit reserves the currency of the remainder only, and is refused beyond the balance', () => {
    const desk = new Desk(btcSpot);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100000', quantity: '50' }));
    accepted(desk.place(BOB, 'sell', { price: '100000', quantity: '40' }));
    // 1 000 000 USDC are left, all reserved for the last 10 BTC.
    accepted(desk.edit(ALICE, order.orderId, { price: '99000' }));
    expect(refused(desk.edit(ALICE, order.orderId, { quantity: '51' }))).toMatchObject({
      code: 10039,
    });
    accepted(desk.edit(ALICE, order.orderId, { quantity: '50.1' }));
  });
});
