// The answer about an order, where the order itself sets off what changes it.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { ALICE, accepted, BOB, Desk, options } from '../exchange-desk.ts';
import { btcPerpetual, ethFuture } from '../instruments.ts';

/** 40 are offered at 101, where the first trade triggers BOB's sale of `amount`. */
function triggerable(instrument: Instrument, amount: string): Desk {
  const desk = new Desk(instrument, new Exchange({ ...options(), speedBumpMs: 10 }));
  desk.reference('100', { min: '50', max: '200' });
  desk.quotes([], [['101', '40']]);
  accepted(
    desk.place(BOB, 'sell', {
      type: 'take_market',
      trigger: 'last_price',
      triggerPrice: price('101'),
      quantity: amount,
    }),
  );
  return desk;
}

const sizes = (trades: readonly ExchangeTrade[]) =>
  trades.map(({ quantity, liquidity }) => `${text(quantity)} ${liquidity}`);
const BUY = { price: '101', quantity: '100' } as const;

describe('an order whose trade triggers another that trades with its rest', () => {
  it.each([
    ['50', 'open', '90', ['40 taker', '50 maker']],
    ['60', 'filled', '100', ['40 taker', '60 maker']],
    ['70', 'filled', '100', ['40 taker', '60 maker']],
  ])('of %s is answered as %s, filled %s, with all its trades', (amount, state, filled, own) => {
    const desk = triggerable(btcPerpetual, amount);
    const { order, trades } = accepted(desk.place(ALICE, 'buy', BUY));
    expect([order.state, text(order.filledQuantity)]).toEqual([state, filled]);
    expect(sizes(trades)).toEqual(own);
    expect(desk.order(ALICE, order.orderId)).toEqual(order);
  });

  it('an order is released from its speed bump without the trades of a sale that still waits', () => {
    const desk = triggerable(ethFuture, '60');
    expect(accepted(desk.place(ALICE, 'buy', BUY)).order.state).toBe('open');
    desk.now = later(desk.now, 10);
    desk.do({ kind: 'release_orders', now: desk.now });
    const [released] = desk.exchange.drainReleased();
    expect(released?.order.state).toBe('open');
    // The triggered sale waits in a bump of its own.
    expect(sizes(released?.trades ?? [])).toEqual(['40 taker']);
  });
});
