// Totals over positions and balances, reckoned by other figures than the daemon's.
import { expect, test } from 'vitest';
import {
  greeksByCoin,
  marginShares,
  sumsByCurrency,
  usdOf,
  usdTotal,
} from '../../../src/page/model/operations/holding-figures.ts';

const indexOf = (coin: string): number | undefined => ({ BTC: 90_000, ETH: 3_000 })[coin];

test.each([
  ['0.5', 'BTC', 45_000],
  ['-0.002', 'BTC', -180],
  ['1500.25', 'USDC', 1_500.25],
  ['2', 'EURR', undefined],
  ['0', 'EURR', 0],
  ['0.000', 'EURR', 0],
] as const)('%s %s are worth %s dollars', (amount, currency, usd) => {
  expect(usdOf({ amount, currency }, indexOf)).toBe(usd);
});

test('a total in dollars is not known while an amount in it has no price', () => {
  const known = [
    { amount: '1', currency: 'BTC' },
    { amount: '-2', currency: 'ETH' },
    { amount: '10', currency: 'USDC' },
  ];
  // 90,000 - 6,000 + 10.
  expect(usdTotal(known, indexOf)).toEqual({ usd: 84_010, unpriced: [] });
  expect(usdTotal([...known, { amount: '1', currency: 'EURR' }], indexOf)).toEqual({
    usd: undefined,
    unpriced: ['EURR'],
  });
  expect(usdTotal([], indexOf)).toEqual({ usd: 0, unpriced: [] });
});

test('amounts of several accounts add up by currency to the last digit', () => {
  const amounts = [
    { amount: '99.99999170', currency: 'BTC' },
    { amount: '5', currency: 'ETH' },
    { amount: '0.00000831', currency: 'BTC' },
    { amount: '-5', currency: 'ETH' },
  ];
  expect(sumsByCurrency(amounts)).toEqual([
    { amount: '100.00000001', currency: 'BTC' },
    { amount: '0', currency: 'ETH' },
  ]);
});

const future = (instrumentName: string, delta: string) => ({
  instrumentName,
  kind: 'future' as const,
  delta,
});
const option = (instrumentName: string, greeks: readonly (string | undefined)[]) => {
  const [delta = '0', gamma, vega, theta] = greeks;
  return { instrumentName, kind: 'option' as const, delta, gamma, vega, theta };
};
const coinOf = (name: string): string | undefined => /^(BTC|ETH)/.exec(name)?.[0];

test('greeks add up by coin, where futures have a delta alone', () => {
  const found = greeksByCoin(
    [
      future('ETH-PERPETUAL', '-2.5'),
      future('BTC-PERPETUAL', '-0.4'),
      option('BTC-25DEC26-100000-C', ['0.65', '0.00002', '110.5', '-40.25']),
      option('BTC-25DEC26-80000-P', ['-0.3', '0.00001', '-20', '12']),
    ],
    coinOf,
  );
  expect(found).toEqual([
    {
      coin: 'BTC',
      positions: 3,
      sums: { delta: '-0.05', gamma: '0.00003', vega: '90.5', theta: '-28.25' },
    },
    { coin: 'ETH', positions: 1, sums: { delta: '-2.5', gamma: '0', vega: '0', theta: '0' } },
  ]);
});

test('a greek that an option lacks makes its sum not known, and a coin that is not known stays apart', () => {
  const [unknown, btc] = greeksByCoin(
    [option('BTC-25DEC26-100000-C', ['0.65', undefined, '110.5', '-40']), future('XYZ-1', '7')],
    coinOf,
  );
  expect(btc?.sums).toEqual({ delta: '0.65', gamma: undefined, vega: '110.5', theta: '-40' });
  expect([unknown?.coin, unknown?.sums.delta]).toEqual(['', '7']);
});

test.each([
  ['100', '25', '12.5', 0.25, 0.125],
  ['100', '0', '0', 0, 0],
  ['100', '130', '100', 1.3, 1],
  ['0', '1', '0.5', Infinity, Infinity],
  ['-3', '1', '0', Infinity, 0],
  ['0', '0', '0', 0, 0],
])(
  'of %s equity, margins of %s and %s are the shares %s and %s',
  (equity, initial, maintenance, a, b) => {
    expect(
      marginShares({
        marginBalance: equity,
        initialMargin: initial,
        maintenanceMargin: maintenance,
      }),
    ).toEqual({ initial: a, maintenance: b });
  },
);
