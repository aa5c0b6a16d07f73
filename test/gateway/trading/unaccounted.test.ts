// What a restored ledger does not know, over REST.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Unaccounted, unaccountedMark } from '../../../src/engine/recovery/unaccounted.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { GatewayUnderTest, READER, STRANGER, TAKER } from '../gateway-under-test.ts';

const FOUND: Unaccounted = {
  account: accountId('10001'),
  since: 1_795_000_000_000,
  checkedAt: 1_795_000_600_000,
  legs: [
    {
      portfolio: portfolioId('1795000000000001'),
      isInLedger: false,
      leg: 1,
      instrument: 'BTC-PERPETUAL',
      side: 'buy',
      open: '500',
      orders: 2,
      filled: '1250.5',
      trades: 3,
      firstAt: 1_795_000_100_000,
      lastAt: 1_795_000_200_000,
    },
    {
      portfolio: portfolioId('1795000000000002'),
      isInLedger: true,
      instrument: 'BTC_USDC',
      side: 'sell',
      open: '0.5',
      orders: 1,
      filled: '0',
      trades: 0,
    },
  ],
  labels: ['a-label'],
};

let gateway: GatewayUnderTest;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
});
afterEach(() => gateway.close());

const read = (by: typeof TAKER) =>
  connect({
    baseUrl: gateway.url,
    keyId: by.id,
    secret: by.secret,
    now: () => gateway.nowMs,
  }).unaccounted();

test('a key reads what the ledger does not know of its own accounts, by portfolio and leg, without labels', async () => {
  gateway.metadata.set(unaccountedMark(FOUND.account), JSON.stringify(FOUND));
  gateway.metadata.set('unaccounted orders', JSON.stringify({ orders: 'leave', at: 1 }));
  const value = {
    orders: 'leave',
    accounts: [
      {
        accountId: '10001',
        since: '1795000000000',
        checkedAt: '1795000600000',
        legs: [
          {
            portfolioId: '1795000000000001',
            isInLedger: false,
            leg: 1,
            instrumentName: 'BTC-PERPETUAL',
            side: 'buy',
            open: '500',
            orders: 2,
            filled: '1250.5',
            trades: 3,
            firstTimestamp: '1795000100000',
            lastTimestamp: '1795000200000',
          },
          {
            portfolioId: '1795000000000002',
            isInLedger: true,
            instrumentName: 'BTC_USDC',
            side: 'sell',
            open: '0.5',
            orders: 1,
            filled: '0',
            trades: 0,
          },
        ],
      },
    ],
  };
  expect(await read(TAKER)).toEqual({ kind: 'done', value });
  expect(await read(READER)).toEqual({ kind: 'done', value });
  const none = { orders: 'leave', accounts: [] };
  expect(await read(STRANGER)).toEqual({ kind: 'done', value: none });
});

test('a ledger that was never behind has nothing to account for', async () => {
  expect(await read(TAKER)).toEqual({ kind: 'done', value: { orders: 'cancel', accounts: [] } });
});
