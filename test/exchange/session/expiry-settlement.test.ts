import { describe, expect, it } from 'vitest';
import { payoffOf } from '../../../src/exchange/session/expiry-settlement.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { ALICE, accepted, BOB, BOT, Desk, refused } from '../exchange-desk.ts';
import { btcCall, btcUsdcPut, EXPIRY, ethFuture } from '../instruments.ts';

const expire = (desk: Desk, deliveryPrice: string) => {
  desk.now = EXPIRY;
  const terms = { instrument: desk.name, deliveryPrice: price(deliveryPrice) };
  return desk.do({ kind: 'expire_instrument', now: desk.now, ...terms });
};

describe('the expiry of an instrument', () => {
  it('a call pays (S − K) / S in coin', () => {
    const desk = new Desk(btcCall);
    desk.quotes([], [['0.05', '2']]);
    desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' });
    expect(expire(desk, '125000')).toEqual({ kind: 'done' });
    // 100 − 2 × 0.05 − 2 × 0.0003 + 2 × 0.2, less 2 × 0.00015 for the delivery
    expect([desk.balance(ALICE, 'BTC'), desk.position(ALICE)]).toEqual(['100.2991', '0']);
    expect(desk.exchange.inventory(BOT, desk.name)).toBe(0);
  });

  it('premium and payoff are realised on both sides in equal and opposite amounts', () => {
    const desk = new Desk(btcCall);
    desk.place(BOB, 'sell', { price: '0.05', quantity: '2' });
    desk.place(ALICE, 'buy', { price: '0.05', quantity: '2' });
    expire(desk, '125000');
    const realised = [ALICE, BOB].map((account) => {
      const summary = must(desk.exchange.summary(account, currency('BTC')), 'a summary');
      return text(summary.sessionRealised);
    });
    // Long: −2 × 0.05 + 2 × 0.2
    expect(realised).toEqual(['0.3', '-0.3']);
  });

  it.each([
    [btcCall, '90000', '0'],
    [btcCall, '160000', '0.75'],
    [btcUsdcPut, '90000', '20000'],
    [btcUsdcPut, '100000', '0'],
  ] as const)('two of $name pay out at %s (case %#)', (instrument, at, paid) => {
    expect(text(payoffOf(instrument, price(at), quantity('2')))).toBe(paid);
  });

  it('a future is closed at the delivery price, open orders are cancelled and the book closes permanently', () => {
    const desk = new Desk(ethFuture);
    desk.place(BOB, 'sell', { price: '4000', quantity: '8000' });
    desk.place(ALICE, 'buy', { price: '4000', quantity: '8000' });
    const open = accepted(desk.place(ALICE, 'buy', { price: '3900', quantity: '10' })).order;
    desk.quotes([['3950', '5']], []);
    expire(desk, '5000');
    // Long: 8000 × (1/4000 − 1/5000) = 0.4, taker fee 2 × 0.0005, delivery fee 1.6 × 0.00025
    expect([desk.balance(ALICE, 'ETH'), desk.balance(BOB, 'ETH')]).toEqual([
      '1000.3986',
      '999.5996',
    ]);
    expect(desk.order(ALICE, open.orderId)).toMatchObject({
      state: 'cancelled',
      cancelReason: 'settlement',
    });
    expect(desk.book('buy')).toEqual([]);
    expect(refused(desk.place(ALICE, 'buy', { price: '3900', quantity: '10' })).code).toBe(13019);
    expect(refused(desk.quotes([['3950', '5']], [])).code).toBe(13019);
    expect(desk.exchange.instruments().map(({ name }) => name)).not.toContain(ethFuture.name);
    expect(expire(desk, '9000')).toEqual({ kind: 'done' });
    expect(desk.balance(ALICE, 'ETH')).toBe('1000.3986');
  });
});
