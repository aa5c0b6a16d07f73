import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withNames } from '../../../src/core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import {
  choose,
  isChoice,
  type Market,
  parseChoice,
} from '../../../src/core/terms/instrument-choice.ts';
import { price, quantity, ratio } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, currency, instrumentName } from '../../../src/values/ids.ts';
import { DAY_MS, type Instant, instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function dateText(at: Instant): string {
  const date = new Date(at);
  return `${date.getUTCDate()}${MONTHS[date.getUTCMonth()]}${date.getUTCFullYear() % 100}`;
}

const listed = (name: string, rest: Partial<Instrument>): Instrument => ({
  name: instrumentName(name),
  kind: 'option',
  base: currency('BTC'),
  quote: currency('BTC'),
  settlement: currency('BTC'),
  marginKind: 'inverse',
  amountUnit: 'base',
  contractSize: quantity('1'),
  amountStep: quantity('0.1'),
  minAmount: quantity('0.1'),
  tickSize: price('0.0001'),
  tickSteps: [],
  indexName: 'btc_usd',
  makerFee: ratio('0.0003'),
  takerFee: ratio('0.0003'),
  ...rest,
});

const option = (days: number, strike: number, type: 'call' | 'put'): Instrument => {
  const expiresAt = later(NOW, days * DAY_MS);
  const letter = type === 'call' ? 'C' : 'P';
  return listed(`BTC-${dateText(expiresAt)}-${strike}-${letter}`, {
    expiresAt,
    option: { strike: price(String(strike)), type },
  });
};

const future = (prefix: string, days: number): Instrument => {
  const expiresAt = later(NOW, days * DAY_MS);
  return listed(`${prefix}-${dateText(expiresAt)}`, { kind: 'future', expiresAt });
};

const INSTRUMENTS: readonly Instrument[] = [
  listed('BTC-PERPETUAL', { kind: 'perpetual' }),
  ...[-1, 1, 7, 28, 98].flatMap((days) =>
    [55_000, 60_000, 65_000, 70_000].flatMap((strike) => [
      option(days, strike, 'call'),
      option(days, strike, 'put'),
    ]),
  ),
  future('BTC', 35),
  future('BTC', 126),
  future('BTC_USDC', 35),
];

const market = (index: string | undefined, instruments = INSTRUMENTS): Market => ({
  instruments,
  now: NOW,
  index: (name) => (name === 'btc_usd' && index !== undefined ? price(index) : undefined),
});

const chosen = (text: string, index: string | undefined = '62000') =>
  choose(must(parseChoice(text), text), market(index));

describe('the instrument for a choice', () => {
  test.each([
    ['BTC-{>=20d}-{atm}-C', 'BTC-18DEC26-60000-C'],
    ['BTC-{>=28d}-{atm+5%}-C', 'BTC-18DEC26-65000-C'],
    ['BTC-{>=29d}-{atm+5%}-P', 'BTC-26FEB27-65000-P'],
    ['BTC-{<=20d}-{atm-10%}-P', 'BTC-27NOV26-55000-P'],
    ['BTC-{<=3d}-{atm+50%}-C', 'BTC-21NOV26-70000-C'],
    ['BTC-{>=0d}-{atm}-C', 'BTC-21NOV26-60000-C'],
    ['BTC-{>=20d}', 'BTC-25DEC26'],
    ['BTC-{>=60d}', 'BTC-26MAR27'],
    ['BTC_USDC-{>=20d}', 'BTC_USDC-25DEC26'],
  ])('the choice %s selects %s', (text, name) => {
    expect(chosen(text)).toEqual({ kind: 'chosen', name });
  });

  test('of two equally near strikes the lower is chosen', () => {
    expect(chosen('BTC-{>=20d}-{atm}-C', '62500')).toMatchObject({ name: 'BTC-18DEC26-60000-C' });
    expect(chosen('BTC-{>=20d}-{atm}-C', '62500.01')).toMatchObject({
      name: 'BTC-18DEC26-65000-C',
    });
  });

  test.each([
    ['BTC-{>=200d}-{atm}-C', '62000', 'no BTC call expires on or after 2027-06-08'],
    ['BTC-{<=0d}-{atm}-C', '62000', 'no BTC call expires on or before 2026-11-20'],
    ['ETH-{>=20d}-{atm}-C', '62000', 'no ETH call'],
    ['BTC-{>=20d}-{atm}-C', undefined, 'the index btc_usd is not known yet'],
  ])('the choice %s matches nothing: %s', (text, index, why) => {
    const none = choose(must(parseChoice(text), text), market(index));
    expect(none.kind).toBe(index === undefined ? 'undecided' : 'none');
    expect(none.kind !== 'chosen' && none.why).toContain(why);
  });

  test('the order in which instruments are listed does not matter', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...INSTRUMENTS], { minLength: INSTRUMENTS.length }),
        (shuffled) => {
          const choice = must(parseChoice('BTC-{>=20d}-{atm}-C'), 'choice');
          expect(choose(choice, market('62500', shuffled))).toEqual({
            kind: 'chosen',
            name: 'BTC-18DEC26-60000-C',
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('text that is not a choice', () => {
  test.each([
    'BTC-PERPETUAL',
    'BTC-{20d}-{atm}-C',
    'BTC-{>20d}',
    'BTC-{>=20d}-{atm+5}-C',
    'BTC-{>=20d}-{atm-100%}-P',
    'BTC-{>=20d}-{atm}',
    'btc-{>=20d}',
    'BTC-{>=20d}-{atm}-C ',
    '{>=20d}',
  ])('%s is not parsed as a choice', (text) => {
    expect(parseChoice(text)).toBeUndefined();
  });

  test('a real instrument name never looks like a choice', () => {
    for (const { name } of INSTRUMENTS) expect(isChoice(name)).toBe(false);
  });
});

describe('a form with choices', () => {
  const form = (...instruments: string[]): PortfolioForm => ({
    accountId: accountId('10001'),
    portfolioType: 'TWAP',
    customizedNote: '',
    twapTrade: { durationSec: 60, frequencySec: 10 },
    dummyAccounts: [],
    execution: {},
    legs: instruments.map((instrument) => ({
      instrument,
      instrumentType: 'option',
      side: 'buy',
      quantity: quantity('1'),
      priceOptions: { priceType: 'market' },
      priceSnapshot: [],
      postOnly: false,
      reduceOnly: false,
      hidden: false,
      hedge: false,
    })),
  });

  test('a form with choices gets real names, and other names are kept', () => {
    const named = withNames(form('BTC-PERPETUAL', 'BTC-{>=20d}-{atm}-C'), market('62000'));
    expect(named.kind === 'done' && named.value.legs.map((leg) => leg.instrument)).toEqual([
      'BTC-PERPETUAL',
      'BTC-18DEC26-60000-C',
    ]);
  });

  test('a form with unmatched choices is refused with a reason per leg', () => {
    const named = withNames(form('BTC-{>=900d}', 'BTC-PERPETUAL', 'BTC-{x}'), market('62000'));
    expect(named).toMatchObject({
      kind: 'refused',
      rejections: [
        { field: 'legs[0].instrument', kind: 'invalid_parameter' },
        { field: 'legs[2].instrument', kind: 'invalid_parameter' },
      ],
    });
  });
});
