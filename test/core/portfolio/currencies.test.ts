// Which currencies a leg is described in, by the kind of its instrument.
import { expect, test } from 'vitest';
import { legCurrencies } from '../../../src/core/portfolio/aggregate/currencies.ts';
import { currency } from '../../../src/values/ids.ts';
import { option, perpetual, spot } from '../../support/engine/markets.ts';

const USDC = { quote: currency('USDC'), settlement: currency('USDC') };
const LINEAR = { marginKind: 'linear', amountUnit: 'base', ...USDC } as const;

test.each([
  ['an inverse perpetual', perpetual(), ['BTC', 'USD', 'USD', 'USD', 'BTC']],
  ['a linear perpetual', perpetual(LINEAR), ['BTC', 'USDC', 'USDC', 'BTC', 'USDC']],
  ['an inverse option', option(), ['BTC', 'USD', 'BTC', 'BTC', 'BTC']],
  ['a linear option', option(LINEAR), ['BTC', 'USDC', 'USDC', 'BTC', 'USDC']],
  ['a spot pair', spot(), ['BTC', 'USDC', 'USDC', 'BTC', 'USDC']],
])(
  '%s is described in its coin and the currencies of its price, mark, size and profit',
  (_, instrument, expected) => {
    const { forCcy, domCcy, markCcy, notionalCcy, defaultPvCcy } = legCurrencies(instrument);
    expect([forCcy, domCcy, markCcy, notionalCcy, defaultPvCcy]).toEqual(expected);
  },
);
