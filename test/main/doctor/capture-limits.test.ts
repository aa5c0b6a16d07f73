// What a capture may do at a venue: the worth of an order in dollars, whatever its unit, and how many orders.
import { expect, test } from 'vitest';
import { CaptureStopped } from '../../../src/adapters/deribit/capture/capture-point.ts';
import { OrderCount, requireSmall } from '../../../src/main/doctor/capture/capture-limits.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { btcPerpetual, btcUsdcPerpetual } from '../../exchange/instruments.ts';

const inverse = (usd: string) => ({ ...btcPerpetual, minAmount: quantity(usd) });
const linear = (coins: string) => ({ ...btcUsdcPerpetual, minAmount: quantity(coins) });

test.each([
  // An amount in dollars is its worth, at any price.
  [inverse('100'), '90000'],
  [inverse('100'), '1'],
  // 0.001 coins at 100,000 are 100 dollars.
  [linear('0.001'), '100000'],
])('an order worth 100 dollars is accepted: %#', (instrument, at) => {
  expect(() => requireSmall(instrument, price(at))).not.toThrow();
});

test.each([
  [inverse('110'), '90000', '110'],
  [inverse('110'), '0.5', '110'],
  [linear('0.001'), '100000.5', '100.0005'],
])('an order worth more is refused with its worth: %#', (instrument, at, worth) => {
  expect(() => requireSmall(instrument, price(at))).toThrow(
    new CaptureStopped(
      `the smallest order on ${instrument.name} is worth ${worth} USD; accepted: at most 100`,
    ),
  );
});

test('six orders are accepted, and no seventh', () => {
  const orders = new OrderCount();
  for (let n = 0; n < 6; n += 1) orders.add();
  expect(() => orders.add()).toThrow('6 orders were placed; no more are accepted');
  expect(() => orders.add()).toThrow(CaptureStopped);
});
