import { describe, expect, test } from 'vitest';
import { price, quantity, text } from '../../src/values/amounts.ts';
import { isOnTick, onTick, passiveTick, tradable } from '../../src/values/instrument.ts';
import { option, perpetual } from '../support/engine/markets.ts';

const CALL = option();

describe('a tick grid with two tick sizes', () => {
  test.each([
    ['0.0049', true],
    ['0.005', true],
    ['0.0051', false],
    ['0.0055', true],
    ['0.0123', false],
    ['0.0125', true],
    ['0.00495', false],
  ])('the price %s is on the grid: %s', (at, expected) => {
    expect(isOnTick(CALL, price(at))).toBe(expected);
  });

  test.each([
    ['0.00503', 'down', '0.005'],
    ['0.00503', 'up', '0.0055'],
    ['0.00499', 'up', '0.005'],
    ['0.01234', 'down', '0.012'],
  ] as const)('%s rounded %s is %s', (from, rounding, to) => {
    expect(text(onTick(CALL, price(from), rounding))).toBe(to);
  });

  test('passive rounding never makes a price more aggressive', () => {
    expect(text(passiveTick(CALL, 'buy', price('0.0104')))).toBe('0.01');
    expect(text(passiveTick(CALL, 'sell', price('0.0104')))).toBe('0.0105');
  });
});

test('a tradable quantity is on the lot grid and at least the minimum, otherwise zero', () => {
  const one = perpetual({ minAmount: quantity('30') });
  const rounded = (from: string): string => text(tradable(one, quantity(from)));
  expect(['29', '30', '39.9', '40'].map(rounded)).toEqual(['0', '30', '30', '40']);
});
