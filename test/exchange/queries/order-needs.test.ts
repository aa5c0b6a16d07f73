// What an order needs: exactly the money with which an account that has nothing else may place it.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { OrderNeeds } from '../../../src/exchange/queries/order-needs.ts';
import { money, plus, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';
import {
  BUYER,
  CALL_SPREAD,
  ComboDesk,
  FUTURE_SPREAD,
  ordered,
  STRADDLE,
  type Traded,
  tradedAt,
} from '../combos/combo-desk.ts';
import { ALICE, accepted, Desk, refused } from '../exchange-desk.ts';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual, btcUsdcPut } from '../instruments.ts';
import { highCall, RfqDesk, rfqOptions } from '../rfq/rfq-desk.ts';

const needsAt = (desk: Desk, at: string, size: string): OrderNeeds => {
  const asked = { instrument: desk.name, price: price(at), quantity: quantity(size) };
  const answer = must(desk.exchange.orderNeeds(asked), 'the instrument is known');
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer));
  return answer;
};

/** All marked, and one account that has only this. */
function poor(of: Instrument, code: string, amount: string): Desk {
  const balances = new Map([[currency(code), money(amount)]]);
  const exchange = new Exchange({ ...rfqOptions(), accounts: [{ account: ALICE, balances }] });
  return new Desk(of, RfqDesk.marked(exchange).exchange);
}

/** One call against three of a higher strike. */
const RATIO_SPREAD: readonly Traded[] = [
  { of: btcCall, size: '1' },
  { of: highCall, size: '3', side: 'sell' },
];

const LEAST: Readonly<Record<string, string>> = { BTC: '0.00000001', USDC: '0.000001' };

describe('what an order needs', () => {
  it.each<readonly [string, Instrument, Side, string, string, string]>([
    ['a bought perpetual', btcPerpetual, 'buy', '99000', '100000', 'BTC'],
    ['a sold perpetual', btcPerpetual, 'sell', '101000', '100000', 'BTC'],
    ['a linear perpetual', btcUsdcPerpetual, 'buy', '99000', '2', 'USDC'],
    ['a bought option', btcCall, 'buy', '0.04', '3', 'BTC'],
    ['a sold option', btcCall, 'sell', '0.06', '3', 'BTC'],
    ['a bought spot pair', btcSpot, 'buy', '99000', '1', 'USDC'],
    ['a sold spot pair', btcSpot, 'sell', '101000', '1', 'BTC'],
  ])('%s needs exactly what admits it', (_title, of, side, at, size, code) => {
    const needs = needsAt(poor(of, code, '1'), at, size)[side].margin;
    const terms = { price: at, quantity: size };
    accepted(poor(of, code, text(needs)).place(ALICE, side, terms));
    const less = text(plus(needs, money(`-${LEAST[code]}`)));
    expect([10009, 10039]).toContain(refused(poor(of, code, less).place(ALICE, side, terms)).code);
  });

  // Premiums that are paid, the highest fee of each leg, and of each short call 0.15 or, ten per cent out of the money, 0.1, plus
  // its mark of 0.05 or 0.02.
  it.each<readonly [string, readonly Traded[], Side, string, string, string]>([
    ['a call spread', CALL_SPREAD, 'buy', '0.03', '2', '0.3012'],
    ['a sold call spread', CALL_SPREAD, 'sell', '0.03', '2', '0.4012'],
    ['a ratio spread', RATIO_SPREAD, 'buy', '0.01', '2', '0.7424'],
    ['a sold ratio spread', RATIO_SPREAD, 'sell', '0.01', '2', '0.4024'],
    ['a ratio spread sold below zero', RATIO_SPREAD, 'sell', '-0.01', '2', '0.4224'],
    ['a straddle', STRADDLE, 'buy', '0.09', '2', '0.1812'],
    // 100 000 / 101 000 coins and one: each × (0.02 + 0.00005 × itself).
    ['a calendar spread', FUTURE_SPREAD, 'sell', '1000', '100000', '0.039901'],
  ])('%s needs exactly what admits it', (_title, legs, side, at, size, reckoned) => {
    const book = (amount: string): Desk => {
      const desk = poor(btcPerpetual, 'BTC', amount);
      const trades = legs.map(({ of, side: own = 'buy', size: each }) => ({
        instrument: of.name,
        side: own,
        ...(each !== undefined && { quantity: quantity(each) }),
      }));
      const made = desk.do({ kind: 'create_combo', now: desk.now, account: ALICE, trades });
      if (made.kind !== 'combo') throw new Error(JSON.stringify(made));
      return new Desk(made.combo.instrument, desk.exchange);
    };
    const needs = needsAt(book('1'), at, size)[side].margin;
    expect(text(needs)).toBe(reckoned);
    const terms = { price: at, quantity: size };
    accepted(book(text(needs)).place(ALICE, side, terms));
    const less = text(plus(needs, money('-0.00000001')));
    expect(refused(book(less).place(ALICE, side, terms)).code).toBe(10009);
  });

  it('an option that is priced in dollars needs its price and the higher fee', () => {
    const desk = new Desk(btcUsdcPut);
    desk.reference('5000', { index: '100000', underlying: '100000', markIv: 0.5 });
    const { buy } = needsAt(desk, '4000', '1');
    expect(text(buy.margin)).toBe('4030');
    expect([text(buy.takerFee), text(buy.makerFee)]).toEqual(['30', '30']);
  });

  it('the fees are those that a trade is charged, also of a combo', () => {
    const single = new Desk(btcCall);
    const asked = needsAt(single, '0.05', '2');
    single.quotes([], [['0.05', '2']]);
    const bought = accepted(single.place(ALICE, 'buy', { price: '0.05', quantity: '2' }));
    expect(text(asked.buy.takerFee)).toBe(text(must(bought.trades[0], 'a trade').fee));
    for (const legs of [CALL_SPREAD, RATIO_SPREAD]) {
      const spread = new ComboDesk().book(legs);
      const { buy } = needsAt(spread, '0.01', '2');
      expect(text(buy.takerFee)).toBe(text(tradedAt(spread, '0.01', '2').fee));
    }
  });

  it('the price band is given as far as it is known', () => {
    const desk = new Desk(btcPerpetual);
    expect(needsAt(desk, '100000', '10')).toMatchObject({ minPrice: undefined });
    desk.reference('100000', { min: '98500', max: '101500' });
    const { minPrice, maxPrice } = needsAt(desk, '100000', '10');
    expect([minPrice, maxPrice].map((at) => at && text(at))).toEqual(['98500', '101500']);
  });

  it.each([
    ['15', '100000', -32602, 'amount'],
    ['10', '100000.1', 10043, 'price'],
    ['10', '0', 10005, 'price'],
  ])('an amount of %s at %s is refused as an order is', (size, at, code, param) => {
    const desk = new Desk(btcPerpetual);
    const asked = { instrument: desk.name, price: price(at), quantity: quantity(size) };
    expect(desk.exchange.orderNeeds(asked)).toMatchObject({
      kind: 'refused',
      code,
      data: { param },
    });
    expect(refused(desk.place(ALICE, 'buy', { price: at, quantity: size })).code).toBe(code);
  });
});

describe('what open orders need', () => {
  it('open orders have the margin of their open part, in the order requested', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100000');
    const first = accepted(desk.place(ALICE, 'buy', { price: '99000', quantity: '20000' })).order;
    const other = accepted(desk.place(ALICE, 'sell', { price: '101000', quantity: '500' })).order;
    const ids = [other.orderId, first.orderId];
    const margins = () =>
      desk.exchange.orderMargins(ALICE, ids).map(({ orderId, margin }) => [orderId, text(margin)]);
    const whole = [
      [other.orderId, text(needsAt(desk, '101000', '500').sell.margin)],
      [first.orderId, text(needsAt(desk, '99000', '20000').buy.margin)],
    ];
    expect(margins()).toEqual(whole);
    desk.take('sell', '15000', '99000');
    expect(margins()).toEqual([
      whole[0],
      [first.orderId, text(needsAt(desk, '99000', '5000').buy.margin)],
    ]);
  });

  it('orders that are closed, unknown or of another account are left out', () => {
    const combos = new ComboDesk();
    const desk = combos.book(CALL_SPREAD);
    const { order } = ordered(desk.place(BUYER, 'buy', { price: '0.01', quantity: '1' }));
    const ids = [order.orderId, 'BTC-404' as typeof order.orderId];
    expect(desk.exchange.orderMargins(BUYER, ids)).toHaveLength(1);
    expect(desk.exchange.orderMargins('10002' as typeof BUYER, ids)).toEqual([]);
    desk.cancel(BUYER, order.orderId);
    expect(desk.exchange.orderMargins(BUYER, ids)).toEqual([]);
  });

  it('an order that waits for its trigger needs nothing', () => {
    const desk = new Desk(btcPerpetual);
    desk.reference('100000');
    const trigger = { type: 'stop_market', trigger: 'mark_price' } as const;
    const { order } = accepted(
      desk.place(ALICE, 'sell', { ...trigger, triggerPrice: price('95000'), quantity: '1000' }),
    );
    const [found] = desk.exchange.orderMargins(ALICE, [order.orderId]);
    expect(found).toEqual({ orderId: order.orderId, margin: money('0'), currency: 'BTC' });
  });
});
