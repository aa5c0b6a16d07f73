import { describe, expect, test } from 'vitest';
import { checkEntered, type EnteredOrder, judgedPrice } from '../../src/core/risk/entered-order.ts';
import { money, price, quantity } from '../../src/values/amounts.ts';
import type { Quote } from '../../src/values/quote.ts';
import { NOON, option, perpetual, quote, spot } from '../support/engine/markets.ts';
import { nonEmpty } from '../support/non-empty.ts';

const LIMIT = { orderUsdMax: money('50000') };
const SPOT = spot();
const CALL = option();
const spotQuote = quote(SPOT, [99_990, 100_010], { maxPrice: price('101500') });
const callQuote = quote(CALL, [0.05, 0.051]);

function judged(order: Partial<EnteredOrder>, seen: Quote | undefined): string {
  const entered: EnteredOrder = {
    instrument: SPOT,
    side: 'buy',
    type: 'limit',
    quantity: quantity('0.1'),
    price: price('100000'),
    ...order,
  };
  const verdict = checkEntered(entered, { quote: seen, now: NOON }, LIMIT);
  return verdict.kind === 'passed' ? 'passed' : `${verdict.control}: ${verdict.why}`;
}

describe('a manual order', () => {
  test('an order with a limit is checked at that limit, whatever the market', () => {
    expect(judged({ quantity: quantity('0.5') }, undefined)).toBe('passed');
    expect(judged({ quantity: quantity('0.5001') }, undefined)).toBe(
      'order_value: worth 50010 USD, more than 50000',
    );
  });

  test.each([
    ['buy', '0.4926', 'passed'],
    ['buy', '0.4927', 'order_value: worth 50009.05 USD, more than 50000'],
    ['sell', '0.5', 'passed'],
    ['sell', '0.5001', 'order_value: worth 50010 USD, more than 50000'],
  ] as const)(
    'a market order is checked at the band if it buys and at the mark price if it sells',
    (side, size, says) => {
      const order = { side, quantity: quantity(size), type: 'market', price: undefined } as const;
      expect(judged(order, spotQuote)).toBe(says);
    },
  );

  test('an order with a trigger beyond the band is checked at its trigger price', () => {
    const order = { type: 'stop_market', price: undefined, quantity: quantity('0.4') } as const;
    expect(judged({ ...order, triggerPrice: price('125000') }, spotQuote)).toBe('passed');
    expect(judged({ ...order, triggerPrice: price('125001') }, spotQuote)).toContain('50000.4 USD');
  });

  test.each(['market', 'market_limit', 'trailing_stop', 'take_market'] as const)(
    'a %s order is blocked while no market data is known',
    (type) => {
      const says = 'no price is known to judge';
      expect(judged({ type, price: undefined }, undefined)).toContain(`order_price: ${says}`);
    },
  );

  test('a price between two ticks is checked at the upper tick', () => {
    const order = { side: 'buy', quantity: quantity('1') } as const;
    const market = { ...order, instrument: SPOT, type: 'market' } as const;
    const between = quote(SPOT, [99_990, 100_010], { maxPrice: price('101500.2') });
    expect(judgedPrice(market, between, NOON)?.toString()).toBe('101501');
    const usd = { ...order, instrument: CALL, type: 'limit', advanced: 'usd' } as const;
    expect(judgedPrice({ ...usd, price: price('5001') }, callQuote, NOON)?.toString()).toBe(
      '0.0505',
    );
  });

  test('an option order counts with the value of its underlying, whatever the unit of its price', () => {
    const small = { instrument: CALL, quantity: quantity('0.5') };
    const large = { instrument: CALL, quantity: quantity('0.6') };
    const prices = [
      { price: price('0.05') },
      { price: price('5000'), advanced: 'usd' },
      { price: price('60'), advanced: 'implv' },
    ] as const;
    for (const said of nonEmpty(prices)) {
      expect(judged({ ...small, ...said }, callQuote)).toBe('passed');
      expect(judged({ ...large, ...said }, callQuote)).toContain('worth 60000 USD');
    }
  });

  test('an option order is blocked while the price of its coin is unknown', () => {
    const order = { instrument: CALL, quantity: quantity('0.5'), price: price('0.05') };
    expect(judged(order, undefined)).toBe('order_value: no price of the coin is known');
    expect(judged({ ...order, advanced: 'implv', price: price('60') }, undefined)).toContain(
      'order_price',
    );
  });

  test.each([
    ['1.5', '100000', 'order_quantity'],
    ['10', '100000.25', 'order_price'],
    ['10', '0', 'order_price'],
    ['0', '100000', 'order_quantity'],
  ])('an order off the grid is blocked: size %s at price %s', (size, at, control) => {
    const order = { instrument: perpetual(), quantity: quantity(size), price: price(at) };
    expect(judged(order, undefined)).toContain(`${control}: `);
  });
});
