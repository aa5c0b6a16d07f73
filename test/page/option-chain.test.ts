import { describe, expect, test } from 'vitest';
import {
  atMoney,
  forwardOf,
  foundByName,
  type Instrument,
  isInMoney,
  optionExpiries,
  optionUnderlyings,
  strikesOf,
  type Ticker,
  typeOf,
} from '../../src/page/model/instruments/option-chain.ts';

const [MAY, JUNE] = [1_780_041_600_000, 1_782_460_800_000];

function option(
  instrumentName: string,
  [optionKind, strike, expiration]: readonly ['CALL' | 'PUT', string, number],
): Instrument {
  return { instrumentName, kind: 'option', optionKind, strike, expiration } as Instrument;
}

const ALL: readonly Instrument[] = [
  option('BTC-26JUN26-90000-C', ['CALL', '90000', JUNE]),
  option('BTC-29MAY26-100000-C', ['CALL', '100000', MAY]),
  option('BTC-29MAY26-90000-P', ['PUT', '90000', MAY]),
  option('BTC-29MAY26-90000-C', ['CALL', '90000', MAY]),
  option('ETH-29MAY26-4000-C', ['CALL', '4000', MAY]),
  { instrumentName: 'BTC-PERPETUAL', kind: 'future', settlementPeriod: 'perpetual' } as Instrument,
  { instrumentName: 'BTC-26JUN26', kind: 'future', expiration: JUNE } as Instrument,
  { instrumentName: 'BTC_USDC', kind: 'spot' } as Instrument,
];

test.each([
  ['CALL', '89999.5', true],
  ['CALL', '90000', false],
  ['CALL', '90000.5', false],
  ['PUT', '89999.5', false],
  ['PUT', '90000', false],
  ['PUT', '90000.5', true],
] as const)('at a forward of 90000, in the money is a %s of strike %s: %s', (kind, strike, is) => {
  const one = option('of any name', [kind, strike, MAY]);
  expect(isInMoney(one, '90000')).toBe(is);
  expect(isInMoney(one, undefined)).toBeUndefined();
});

describe('the instruments that a ticket picks from', () => {
  test('instruments are found by any words of their names, in any case, the shortest names first', () => {
    const names = foundByName(ALL, ' btc 90000 ').map(({ instrumentName }) => instrumentName);
    expect(names).toEqual(['BTC-26JUN26-90000-C', 'BTC-29MAY26-90000-C', 'BTC-29MAY26-90000-P']);
    expect(foundByName(ALL, 'nothing of that name')).toEqual([]);
  });

  test('options are ordered as a chain by underlying, expiry and strike', () => {
    expect(optionUnderlyings(ALL)).toEqual(['BTC', 'ETH']);
    expect(optionExpiries(ALL, 'BTC')).toEqual([MAY, JUNE]);
    const chain = strikesOf(ALL, 'BTC', MAY);
    expect(
      chain.map(({ strike, call, put }) => [strike, call?.instrumentName, put?.instrumentName]),
    ).toEqual([
      ['90000', 'BTC-29MAY26-90000-C', 'BTC-29MAY26-90000-P'],
      ['100000', 'BTC-29MAY26-100000-C', undefined],
    ]);
  });

  test('the strike at the money is the nearest to the forward, which any ticker of the expiry has', () => {
    const strikes = strikesOf(ALL, 'BTC', MAY);
    const name = 'BTC-29MAY26-100000-C';
    const known = new Map([[name, { underlyingPrice: '96000' } as Ticker]]);
    expect(forwardOf(strikes, known)).toBe('96000');
    expect(atMoney(strikes, '96000')).toBe('100000');
    expect(atMoney(strikes, '94999.5')).toBe('90000');
    expect([atMoney(strikes, undefined), atMoney([], '96000')]).toEqual([undefined, undefined]);
  });

  test('kinds are those of the submit body, in which a perpetual is no future', () => {
    expect(ALL.slice(4).map(typeOf)).toEqual(['OPTION', 'PERPETUAL', 'DELIVERY_FUTURES', 'SPOT']);
  });
});
