// Typed bodies of the portfolio operations in the package's client: what the compiler rejects the gateway
// refuses too, and every form of a body that the gateway accepts compiles.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, connect, type PortfolioBody } from '../../../src/gateway/client/client.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import { GatewayUnderTest, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
let client: Client;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  const now = (): number => gateway.nowMs;
  client = connect({ baseUrl: gateway.url, keyId: TAKER.id, secret: TAKER.secret, now });
});
afterEach(() => gateway.close());

const whose = { accountId: 10001 } as const;
const kind = { portfolioType: 'TWAP' } as const;
const twapTrade = { durationSec: 600, frequencySec: 60 };
const leg = {
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'PERPETUAL',
  side: 1,
  quantity: '10000',
  priceOptions: { priceType: 'MARKET' },
} as const;
const twap = { ...whose, ...kind, twapTrade } as const;
const legs = [leg];

test('a body of the wrong form does not compile and is refused by the gateway too', async () => {
  const wrong = [
    // @ts-expect-error a TWAP has a schedule
    client.submit({ ...whose, ...kind, legs }),
    // @ts-expect-error a BALANCE is cut into parts
    client.plan({ ...whose, portfolioType: 'BALANCE', twapTrade, legs }),
    // @ts-expect-error no such kind of portfolio
    client.submit({ ...whose, portfolioType: 'VWAP', twapTrade, legs }),
    // @ts-expect-error the legs are missing
    client.plan({ ...twap }),
    // @ts-expect-error a field nobody knows
    client.submit({ ...twap, legs, note: 'mine' }),
    // @ts-expect-error a side is 1 or 2
    client.submit({ ...twap, legs: [{ ...leg, side: 3 }] }),
    // @ts-expect-error inside of a leg, too
    client.plan({ ...twap, legs: [{ ...leg, priceOptions: { priceType: 'BEST' } }] }),
    // @ts-expect-error seconds are a number
    client.submit({ ...twap, twapTrade: { durationSec: '600', frequencySec: 60 }, legs }),
    // @ts-expect-error no such end
    client.submit({ ...twap, legs, execution: { endAction: 'stop' } }),
    // @ts-expect-error reference prices are plain values
    client.plan({ ...twap, legs: [{ ...leg, priceSnapshot: [{ price: [1] }] }] }),
    // @ts-expect-error the portfolio is missing
    client.amend({ durationSec: 900 }),
    // @ts-expect-error a switch is no text
    client.amend({ portfolioId: '1', preview: 'true' }),
    // @ts-expect-error no such limit
    client.amend({ portfolioId: '1', execution: { lift: ['speed'] } }),
    // @ts-expect-error the account is missing
    client.cancelAll({ coinOrSymbol: 'BTC' }),
    // @ts-expect-error no such kind of instrument
    client.cancelAll({ ...whose, derivativesTypes: ['BOND'] }),
  ];
  for (const answer of nonEmpty(await Promise.all(wrong)))
    expect(answer).toMatchObject({ kind: 'refused' });
});

test('every form of a body that the gateway accepts compiles', async () => {
  const right: readonly PortfolioBody[] = [
    { ...twap, legs },
    { ...twap, accountId: '10001', strategy: null, legs: [{ ...leg, quantity: 10_000 }] },
    { ...twap, legs: [{ ...leg, priceSnapshot: [{ price: '60000', priceIn: 'USD', of: null }] }] },
    { ...twap, legs, execution: { endAction: 'sweep', endCapBps: '20', maxCatchUp: 2 } },
    {
      ...whose,
      portfolioType: 'BALANCE',
      legs,
      balanceTrade: { parts: 3, eachLimitMs: 1_000, totalLimitMs: 0, totalEndAction: 2 },
    },
  ];
  for (const body of right) expect(await client.submit(body)).toMatchObject({ kind: 'done' });
  const [portfolioId = ''] = gateway.operations.records.keys();
  const legChange = { leg: 0, quantity: 12_000, filledSeen: '0' };
  const amended = await client.amend({ portfolioId, legs: [legChange], preview: true });
  expect(amended).toMatchObject({ kind: 'done' });
  const all = { ...whose, createUidList: ['1', 2], derivativesType: 'PERPETUAL' } as const;
  expect(await client.cancelAll(all)).toEqual({ kind: 'done', value: null });
});
