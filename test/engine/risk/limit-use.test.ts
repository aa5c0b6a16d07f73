// The use of the limits of an account, against sums that the comments spell out.
import { describe, expect, test } from 'vitest';
import { AccountExposure } from '../../../src/core/risk/gate/account-exposure.ts';
import { limitUse } from '../../../src/engine/risk/limit-use.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { NOON, option, perpetual } from '../../support/engine/markets.ts';

const ACCOUNT = accountId('10001');
const PERP = perpetual();
const CALL = option();

const LIMITS = {
  version: 'test',
  grossUsdMax: new Map([['*', money('1000000')]]),
  slippageUsdMax: new Map([
    ['10001', money('500')],
    ['*', money('9')],
  ]),
  positionMax: new Map([
    ['USD', quantity('200000')],
    [CALL.name, quantity('40')],
  ]),
};

const NO_MESSAGES = { messages: [] } as const;

/** 30 000 USD long, 20 000 more to buy, 70 000 to sell; short 5 options. */
function exposure(): AccountExposure {
  const view = new AccountExposure();
  const positions = [
    { instrument: PERP.name, quantity: quantity('30000') },
    { instrument: CALL.name, quantity: quantity('-5') },
  ];
  const reading = { at: NOON, since: 0, isWhole: true, orders: [], trades: [] };
  view.restated({ ...reading, positions });
  const order = { account: ACCOUNT, instrument: PERP, price: price('100000') };
  const how = { reduceOnly: false, takes: false, waits: false };
  for (const [key, side, size] of [
    ['a', 'buy', '20000'],
    ['b', 'sell', '70000'],
  ] as const) {
    const usd = money(size);
    view.reserve({ ...order, ...how, key, side, quantity: quantity(size), usd }, NOON);
  }
  return view;
}

describe('the use of limits', () => {
  test('a position counts with the working orders of the side on which it would be larger', () => {
    const view = exposure();
    expect(view.instruments()).toEqual([PERP.name, CALL.name].toSorted());
    const of = {
      account: ACCOUNT,
      view,
      lossUsd: money('-12.5'),
      ...NO_MESSAGES,
      instruments: [PERP, CALL],
    };
    expect(limitUse(of, LIMITS)).toEqual([
      // 20 000 and 70 000 are at work, nothing was traded.
      { account: '10001', control: 'gross', unit: 'USD', limit: '1000000', used: '90000' },
      { account: '10001', control: 'slippage', unit: 'USD', limit: '500', used: '-12.5' },
      // Long 30 000 + 20 000 = 50 000; short 70 000 - 30 000 = 40 000.
      {
        account: '10001',
        control: 'position',
        instrument: PERP.name,
        unit: 'USD',
        limit: '200000',
        used: '50000',
      },
      {
        account: '10001',
        control: 'position',
        instrument: CALL.name,
        unit: 'BTC',
        limit: '40',
        used: '5',
      },
    ]);
  });

  test('what is not known is absent, and so is a limit that no entry covers', () => {
    const of = {
      account: '10009',
      view: undefined,
      lossUsd: undefined,
      ...NO_MESSAGES,
      instruments: [],
    };
    const limits = { ...LIMITS, grossUsdMax: new Map([['10001', money('1')]]) };
    expect(limitUse(of, limits)).toEqual([
      { account: '10009', control: 'gross', unit: 'USD' },
      { account: '10009', control: 'slippage', unit: 'USD', limit: '9' },
    ]);
  });

  test('a message budget is listed in whole messages, of which a part counts as used', () => {
    const messages = [
      { control: 'messages', used: 2.25, burst: 14 },
      { control: 'venue_messages', used: -0.4, burst: 20.5 },
      { control: 'venue_questions', used: 25, burst: 20 },
    ] as const;
    const of = { account: ACCOUNT, view: undefined, lossUsd: undefined, messages, instruments: [] };
    const unit = 'messages';
    expect(limitUse(of, { version: 'none' })).toEqual([
      { account: '10001', control: 'messages', unit, limit: '14', used: '3' },
      { account: '10001', control: 'venue_messages', unit, limit: '20', used: '0' },
      { account: '10001', control: 'venue_questions', unit, limit: '20', used: '25' },
    ]);
  });

  test('limits that are switched off are not listed', () => {
    const of = {
      account: ACCOUNT,
      view: exposure(),
      lossUsd: money('1'),
      ...NO_MESSAGES,
      instruments: [PERP],
    };
    expect(limitUse(of, { version: 'none' })).toEqual([]);
  });
});
