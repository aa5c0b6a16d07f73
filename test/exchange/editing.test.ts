import { describe, expect, it } from 'vitest';
import { text } from '../../src/values/amounts.ts';
import { orderId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { ALICE, accepted, BOB, Desk, limitOf, refused } from './exchange-desk.ts';
import { btcPerpetual, btcUsdcPerpetual } from './instruments.ts';

/** Alice first in the queue at 100, the bot and Bob behind her. */
function queue(): { desk: Desk; first: ReturnType<typeof orderId> } {
  const desk = new Desk(btcPerpetual);
  const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '50' }));
  desk.quotes([['100', '20']], []);
  desk.place(BOB, 'buy', { price: '100', quantity: '30' });
  return { desk, first: order.orderId };
}

const filledOf = (desk: Desk, id: ReturnType<typeof orderId>): string =>
  text(desk.order(ALICE, id).filledQuantity);

describe('queue priority on edits', () => {
  it.each([
    ['a smaller amount', { quantity: '40' }],
    ['the same amount and price', { quantity: '50', price: '100' }],
    ['only flags', { postOnly: true }],
  ])('an edit to %s keeps the place in the queue', (_what, terms) => {
    const { desk, first } = queue();
    expect(accepted(desk.edit(ALICE, first, terms)).order.replaced).toBe(true);
    desk.take('sell', '10', '100');
    expect(filledOf(desk, first)).toBe('10');
  });

  it('an edit to a larger amount loses the place in the queue', () => {
    const { desk, first } = queue();
    desk.edit(ALICE, first, { quantity: '60' });
    desk.take('sell', '50', '100');
    expect(filledOf(desk, first)).toBe('0');
    desk.take('sell', '10', '100');
    expect(filledOf(desk, first)).toBe('10');
  });

  it('a price change loses the place in the queue, even if it is reverted', () => {
    const { desk, first } = queue();
    desk.edit(ALICE, first, { price: '99' });
    desk.edit(ALICE, first, { price: '100' });
    desk.take('sell', '50', '100');
    expect(filledOf(desk, first)).toBe('0');
  });

  it('a bot keeps its place when it refreshes the same or a smaller size, and loses it with a larger one', () => {
    const fillAfter = (refreshed: string): string => {
      const desk = new Desk(btcPerpetual);
      desk.quotes([['100', '20']], []);
      const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '50' }));
      desk.quotes([['100', refreshed]], []);
      desk.take('sell', '10', '100');
      return filledOf(desk, order.orderId);
    };
    expect([fillAfter('20'), fillAfter('10'), fillAfter('30')]).toEqual(['0', '0', '10']);
  });
});

describe('editing an order', () => {
  it('an edit sets the new total: 200 with 100 filled, edited to 400, leaves 300 open', () => {
    const desk = new Desk(btcPerpetual);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '200' }));
    desk.take('sell', '100', '100');
    const edited = accepted(desk.edit(ALICE, order.orderId, { quantity: '400' })).order;
    expect([text(edited.quantity), text(edited.filledQuantity)]).toEqual(['400', '100']);
    expect(desk.book('buy')).toEqual(['100×300']);
  });

  it('an edited order keeps its id, label and creation time, and may trade at once', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['101', '20']]);
    const placed = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '50', label: 'a' }));
    desk.now = later(desk.now, 5);
    const { order, trades } = accepted(desk.edit(ALICE, placed.order.orderId, { price: '101' }));
    expect(trades.map((trade) => trade.liquidity)).toEqual(['taker']);
    const { orderId: id, label, createdAt } = placed.order;
    expect(order).toMatchObject({ orderId: id, label, createdAt, updatedAt: desk.now });
    expect(desk.book('buy')).toEqual(['101×30']);
  });

  it('an edit to the filled amount or less is refused', () => {
    const desk = new Desk(btcPerpetual);
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '50' }));
    desk.take('sell', '20', '100');
    expect(refused(desk.edit(ALICE, order.orderId, { quantity: '20' })).code).toBe(11008);
    expect(accepted(desk.edit(ALICE, order.orderId, { quantity: '30' })).order.state).toBe('open');
  });

  it('an edited post-only order is repriced, or cancelled if it is reject-post-only', () => {
    const desk = new Desk(btcPerpetual);
    desk.quotes([], [['101', '20']]);
    const terms = { price: '99', quantity: '10', postOnly: true };
    const sliding = accepted(desk.place(ALICE, 'buy', terms)).order.orderId;
    const slid = accepted(desk.edit(ALICE, sliding, { price: '105' })).order;
    expect(text(limitOf(slid))).toBe('100.5');
    const rejecting = { ...terms, rejectPostOnly: true };
    const strict = accepted(desk.place(ALICE, 'buy', rejecting)).order.orderId;
    desk.exchange.drainEvents();
    expect(refused(desk.edit(ALICE, strict, { price: '105' })).code).toBe(11054);
    expect(desk.exchange.drainEvents()).toMatchObject([
      {
        kind: 'order_changed',
        order: { orderId: strict, state: 'cancelled', cancelReason: 'edit_post_only_reject' },
      },
    ]);
    expect(desk.book('buy')).toEqual(['100.5×10']);
  });

  it('a refused edit leaves the order unchanged', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100', { min: '98.5', max: '101.5' });
    const { order } = accepted(desk.place(ALICE, 'buy', { price: '100', quantity: '50' }));
    const id = order.orderId;
    const before = desk.exchange.stateHash();
    const codes = [
      desk.edit(ALICE, id, { price: '102' }),
      desk.edit(ALICE, id, { price: '100.3' }),
      desk.edit(ALICE, id, { quantity: '55' }),
      desk.edit(ALICE, id, { quantity: '600000' }),
      desk.edit(ALICE, id, { mmp: true }),
      desk.edit(ALICE, id, { validUntil: desk.now }),
    ].map((answer) => refused(answer).code);
    expect(codes).toEqual([10007, 10043, -32602, 10009, -32602, 13888]);
    expect(desk.exchange.stateHash()).toBe(before);
  });

  it('only an open order of the same account can be edited', () => {
    const { desk, first } = queue();
    const codes = [
      desk.edit(BOB, first, { price: '99' }),
      desk.edit(ALICE, orderId('999'), { price: '99' }),
      desk.edit(ALICE, orderId(''), { price: '99' }),
    ].map((answer) => refused(answer).code);
    expect(codes).toEqual([10029, 10004, 10025]);
    desk.cancel(ALICE, first);
    expect(refused(desk.edit(ALICE, first, { price: '99' })).code).toBe(11044);
    expect(refused(desk.cancel(ALICE, first)).code).toBe(11044);
  });
});

describe('edit and cancel by label', () => {
  it('edit by label requires exactly one open order of the instrument with the label', () => {
    const desk = new Desk(btcPerpetual);
    const elsewhere = new Desk(btcUsdcPerpetual, desk.exchange);
    for (const label of ['a', 'a', 'b'])
      desk.place(ALICE, 'buy', { price: '100', quantity: '10', label });
    desk.place(BOB, 'buy', { price: '100', quantity: '10', label: 'b' });
    elsewhere.place(ALICE, 'buy', { price: '100', quantity: '1', label: 'b' });
    expect(refused(desk.editByLabel(ALICE, 'a', { price: '99' })).code).toBe(13032);
    expect(refused(desk.editByLabel(ALICE, 'c', { price: '99' })).code).toBe(10004);
    accepted(desk.editByLabel(ALICE, 'b', { price: '99' }));
    accepted(elsewhere.editByLabel(ALICE, 'b', { price: '99' }));
  });

  it('edit by label finds the open order among closed ones with the same label', () => {
    const desk = new Desk(btcPerpetual);
    const terms = { price: '100', quantity: '10', label: 'a' };
    desk.cancel(ALICE, accepted(desk.place(ALICE, 'buy', terms)).order.orderId);
    desk.place(ALICE, 'buy', terms);
    expect(accepted(desk.editByLabel(ALICE, 'a', { price: '99' })).order.replaced).toBe(true);
    expect(desk.exchange.ordersByLabel(ALICE, 'a').map(({ state }) => state)).toEqual([
      'cancelled',
      'open',
    ]);
  });

  it('cancel by label returns the number of cancelled orders, for all instruments or one currency', () => {
    const desk = new Desk(btcPerpetual);
    const elsewhere = new Desk(btcUsdcPerpetual, desk.exchange);
    for (const d of [desk, desk, elsewhere])
      d.place(ALICE, 'buy', { price: '100', quantity: '10', label: 'a' });
    const cancel = { kind: 'cancel_by_label', now: desk.now, account: ALICE, label: 'a' } as const;
    const currency = btcUsdcPerpetual.settlement;
    expect(desk.do({ ...cancel, currency })).toEqual({ kind: 'count', count: 1 });
    expect(desk.do(cancel)).toEqual({ kind: 'count', count: 2 });
    expect(desk.do(cancel)).toEqual({ kind: 'count', count: 0 });
  });

  it('cancel_all filters by kind, instrument or currency', () => {
    const desk = new Desk(btcPerpetual);
    const elsewhere = new Desk(btcUsdcPerpetual, desk.exchange);
    for (const d of [desk, elsewhere]) d.place(ALICE, 'buy', { price: '100', quantity: '10' });
    const cancel = { kind: 'cancel_all', now: desk.now, account: ALICE } as const;
    expect(desk.do({ ...cancel, kinds: ['option', 'spot'] })).toMatchObject({ count: 0 });
    expect(desk.do({ ...cancel, currency: btcPerpetual.settlement })).toMatchObject({ count: 1 });
    expect(desk.do({ ...cancel, kinds: ['perpetual'] })).toMatchObject({ count: 1 });
  });
});
