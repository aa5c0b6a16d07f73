// The use of limits over REST.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LimitUse } from '../../../src/engine/interface/trading-api.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { GatewayUnderTest, STRANGER, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeEach(async () => {
  const limitUseOf = (account: string): readonly LimitUse[] => [
    { account, control: 'gross', unit: 'USD', limit: '1000', used: '250.5' },
    { account, control: 'position', unit: 'BTC', instrument: 'BTC-27NOV26-90000-C', used: '3' },
  ];
  gateway = await GatewayUnderTest.start({}, { limitUseOf });
});
afterEach(() => gateway.close());

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

test('a key reads the use of the limits of its own accounts, unknown figures as null', async () => {
  const ofAccount = (accountId: string) => [
    { accountId, control: 'gross', unit: 'USD', limit: '1000', used: '250.5' },
    {
      accountId,
      control: 'position',
      instrumentName: 'BTC-27NOV26-90000-C',
      unit: 'BTC',
      limit: null,
      used: '3',
    },
  ];
  expect(await client(TAKER).limits()).toEqual({
    kind: 'done',
    value: [...ofAccount('10001'), ...ofAccount('20001')],
  });
  expect(await client(STRANGER).limits()).toEqual({ kind: 'done', value: ofAccount('10002') });
});
