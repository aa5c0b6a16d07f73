import { describe, expect, it } from 'vitest';
import { text } from '../../../src/values/amounts.ts';
import { btcCall } from '../instruments.ts';
import {
  asked,
  callSpread,
  highCall,
  MAKER1,
  MAKER2,
  MAKER3,
  oneCall,
  quoted,
  RfqDesk,
  refused,
  TAKER,
  traded,
} from './rfq-desk.ts';

describe('a Block RFQ', () => {
  it('an RFQ can be created, quoted, accepted and booked', () => {
    const desk = RfqDesk.marked();
    const rfq = asked(desk.createRfq(callSpread()));
    expect(rfq).toMatchObject({ status: 'created', role: 'taker', bids: [], asks: [] });
    expect(rfq.comboId).toBe('BTC-CS-25DEC26-100000_110000');
    const quote = quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0510', '0.0200'] }));
    expect(text(quote.price)).toBe('0.031');
    desk.open();
    expect(desk.seen(TAKER).asks.map(({ price }) => text(price))).toEqual(['0.031']);
    const { blockTrades } = traded(desk.accept('buy', '0.031'));
    expect(blockTrades).toHaveLength(1);
    expect(desk.position(TAKER, btcCall)).toBe('50');
    expect(desk.position(TAKER, highCall)).toBe('-50');
    expect(desk.position(MAKER1, btcCall)).toBe('-50');
    expect(desk.seen(TAKER).status).toBe('filled');
    expect(desk.seen(MAKER1).status).toBe('filled');
    expect(desk.seen(MAKER2).status).toBe('traded');
  });

  // The worked example of the reference: 100 requested, three partial offers and one all-or-none offer.
  it.each([
    ['0.0212', '0.0212', ['MAKER3']],
    // The partial offers rank before it, by price and by time.
    ['0.0214', '0.0214', ['MAKER2', 'MAKER1']],
    ['0.0216', '0.0214', ['MAKER2', 'MAKER1']],
  ])('with an all-or-none offer at %s it trades at %s with %j', (whole, at, makers) => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.0210'], quantity: '60' }));
    quoted(desk.quote(MAKER2, 'sell', { legs: ['0.0205'], quantity: '30' }));
    quoted(desk.quote(MAKER2, 'sell', { legs: ['0.0214'], quantity: '50' }));
    quoted(desk.quote(MAKER3, 'sell', { legs: [whole], executionInstruction: 'all_or_none' }));
    desk.open();
    const [level] = desk.seen(TAKER).asks;
    expect(text(level?.price as never)).toBe(at);
    const { blockTrades } = traded(desk.accept('buy', '0.08'));
    expect(blockTrades.map(({ maker }) => maker)).toEqual(makers);
    expect(new Set(blockTrades.map(({ price }) => text(price)))).toEqual(new Set([at]));
  });

  it('an RFQ cannot be accepted in its grace period, nor below the offers', () => {
    const desk = RfqDesk.marked();
    asked(desk.createRfq(oneCall()));
    quoted(desk.quote(MAKER1, 'sell', { legs: ['0.05'] }));
    expect(refused(desk.accept('buy', '0.05'))).toMatchObject({ code: 11030 });
    desk.open();
    expect(refused(desk.accept('buy', '0.0499'))).toMatchObject({
      code: 13907,
      data: { param: 'price' },
    });
  });
});
