// The gateway and the engine exchange plain data only: the compiler refuses an interface that passes anything else,
// and every test of the gateway runs across a boundary that only text can cross.
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineApi } from '../../src/engine/interface/engine-api.ts';
import type { PlainInterface } from '../../src/engine/interface/plain-interface.ts';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';
import { TRADING_PATH } from '../../src/gateway/trading/serve-trading.ts';
import { price } from '../../src/values/amounts.ts';
import { instrumentName, venueName } from '../../src/values/ids.ts';
import { nonEmpty } from '../support/non-empty.ts';
import { postRpc } from './deribit/raw-client.ts';
import {
  type GatewayUnderTest,
  PATH,
  perpetualBody,
  STRANGER,
  TAKER,
} from './gateway-under-test.ts';
import { RidClient } from './order-api/rid-client.ts';
import { BTC, RidStage } from './order-api/rid-stage.ts';
import { StreamListener } from './stream-listener.ts';
import { CROSSING, NotPlain, TextBoundary } from './text-boundary.ts';

const checked = <A extends PlainInterface<A>>(groups: A): A => groups;
const VENUE = venueName('paper');
const NAME = instrumentName(BTC);

class Live {
  readonly name = 'live';
  act(): string {
    return this.name;
  }
}

describe('what is not plain data', () => {
  test('what is not plain data does not compile in an interface, and does not cross the boundary either', async () => {
    const results = [
      // @ts-expect-error a map
      checked({ market: { ticker: async () => new Map([['bid', '1']]) } }),
      // @ts-expect-error an instance of a class
      checked({ market: { ticker: async () => new Live() } }),
      // @ts-expect-error a function, deep inside
      checked({ market: { ticker: async () => ({ legs: [{ close: () => undefined }] }) } }),
      // @ts-expect-error a promise inside of a result
      checked({ market: { ticker: async () => ({ later: Promise.resolve('1') }) } }),
    ];
    for (const market of nonEmpty(results).map((one) => one.market)) {
      const boundary = new TextBoundary();
      const crossing = boundary.across({ market } as unknown as EngineApi);
      await expect(crossing.market.ticker(VENUE, NAME)).rejects.toThrow(/market.ticker/);
      expect(() => boundary.check()).toThrow(NotPlain);
    }
  });

  test('what is not plain data is refused as an argument', () => {
    // @ts-expect-error a function
    checked({ market: { ticker: async (_done: () => void) => 'done' } });
    const boundary = new TextBoundary();
    const { market } = boundary.across({ market: {} } as unknown as EngineApi);
    const live = new Live() as unknown as typeof VENUE;
    expect(() => market.ticker(live, NAME)).toThrow(NotPlain);
    expect(() => boundary.check()).toThrow('market.ticker[0] is [object Object]');
  });

  test('what is not plain data is refused in a notice', async () => {
    // @ts-expect-error an instance of a class
    checked({ market: { follow: (_listener: (news: Live) => void) => () => undefined } });
    const boundary = new TextBoundary();
    let notify: (notice: unknown) => void = () => undefined;
    const follow = (_venue: unknown, _name: unknown, listener: (notice: unknown) => void) => {
      notify = listener;
      return () => undefined;
    };
    const { market } = boundary.across({ market: { follow } } as unknown as EngineApi);
    const leave = market.follow(VENUE, NAME, () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => notify(new Live())).toThrow(NotPlain);
    expect(() => boundary.check()).toThrow('a notice of market.follow[0]');
    leave();
  });

  test('what is not plain data is distinguished from decimals, absent values and large numbers, which cross unchanged', async () => {
    const value = { bid: price('0.1'), mark: price('-7'), none: undefined, at: 10n ** 20n };
    const ticker = checked({ market: { ticker: async () => value } }).market.ticker;
    const boundary = new TextBoundary();
    const crossing = boundary.across({ market: { ticker } } as unknown as EngineApi);
    expect(await crossing.market.ticker(VENUE, NAME)).toEqual(value);
    boundary.check();
  });
});

describe('a gateway across the boundary', () => {
  let stage: RidStage | undefined;
  afterEach(async () => await stage?.close());

  test('a gateway across the boundary serves every operation, and calls every method of the interface', async () => {
    stage = await RidStage.start();
    const { gateway } = stage;
    await requestPortfolios(gateway);
    await requestTrading(gateway);
    await gateway.request('/readyz', { by: null });
    await gateway.request('/metrics', { by: null });
    const named = { instrumentName: 'BTC-PERPETUALS' };
    expect((await stage.post('public/ticker', named, null)).error?.code).toBe(-32602);
    const open = [...METHODS.values()].filter(({ isWebSocketOnly }) => !isWebSocketOnly);
    for (const { name, example } of nonEmpty(open)) {
      for (const key of [TAKER, STRANGER]) await stage.post(name, example, key);
    }
    // Of the past, of margins and of the prices of legs only Deribit's wire has methods.
    const trades = `/api/v2/public/get_last_trades_by_instrument?instrument_name=${BTC}`;
    expect((await gateway.request(trades, { by: null })).status).toBe(200);
    const order = { instrument_name: BTC, amount: 100, price: 100_000 };
    const legs = [{ instrument_name: BTC, direction: 'buy' }];
    for (const [method, params] of [
      ['private/get_margins', order],
      ['private/get_order_margin_by_ids', { ids: ['1'] }],
      ['private/get_leg_prices', { legs, price: 100 }],
    ] as const) {
      await postRpc(gateway.url, { method, params, by: TAKER });
    }
    await subscribe(stage);
    expect([...gateway.crossed].sort()).toEqual([...CROSSING].sort());
  });
});

async function requestPortfolios(gateway: GatewayUnderTest): Promise<void> {
  const { json } = await gateway.submit(perpetualBody());
  const ofPortfolio = { portfolioId: json.value.portfolioId };
  const answers = [
    await gateway.request(`${PATH}/plan`, { body: perpetualBody() }),
    await gateway.request(`${PATH}/info?portfolioId=${ofPortfolio.portfolioId}`),
    await gateway.request(`${PATH}/page?accountId=10001`),
    await gateway.request(`${PATH}/pause`, { body: ofPortfolio }),
    await gateway.request(`${PATH}/resume`, { body: ofPortfolio }),
    await gateway.request(`${PATH}/amend`, { body: { ...ofPortfolio, durationSec: 1_200 } }),
    await gateway.request(`${PATH}/cancel`, { body: ofPortfolio }),
    await gateway.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } }),
  ];
  for (const answer of nonEmpty(answers)) expect(answer.json).toMatchObject({ succ: true });
}

async function requestTrading(gateway: GatewayUnderTest): Promise<void> {
  const halt = { scope: 'account', of: '20001', state: 'halted', reason: 'drill' };
  const wish = { control: 'price_collar', accountId: '10001', instrumentName: BTC };
  const body = { ...wish, side: 'buy', quantity: '100', reason: 'the mark is stale' };
  const asked = await gateway.request(`${TRADING_PATH}/override`, { body });
  const answers = [
    await gateway.request(`${TRADING_PATH}/switch`, { body: halt }),
    await gateway.request(`${TRADING_PATH}/switches`),
    await gateway.request(`${TRADING_PATH}/overrides`),
    await gateway.request(`${TRADING_PATH}/limits`),
    await gateway.request(`${TRADING_PATH}/strategies`),
  ];
  for (const answer of nonEmpty(answers)) expect(answer.json).toMatchObject({ succ: true });
  const grant = { by: TAKER, body: { id: asked.json.value.id } };
  const granted = await gateway.request(`${TRADING_PATH}/override-grant`, grant);
  expect(granted.json.errors[0].message).toContain('requested with the same key');
  const off = { strategy: 'one', state: 'off', reason: 'drill' };
  const switched = await gateway.request(`${TRADING_PATH}/strategy-switch`, { body: off });
  expect(switched.json.errors[0].field).toBe('strategy');
}

/** Orders and trades over one socket, news over the other. */
async function subscribe(stage: RidStage): Promise<void> {
  const client = await RidClient.connect(stage);
  const channels = [
    `ticker.${BTC}.raw`,
    `user.orders.${BTC}.raw`,
    'user.mmp_trigger.any',
    'block_rfq.taker.any',
    'block_rfq.trades.any',
  ];
  expect(await client.get('private/subscribe', { channels })).toEqual(channels);
  const price = await stage.restingPrice('buy');
  const order = { instrumentName: BTC, quantity: '100', price };
  await client.get('private/buy', order);
  const [placed] = await client.heard(`user.orders.${BTC}.raw`, (told) => told.length > 0);
  expect(placed).toMatchObject({ instrumentName: BTC, orderState: 'open', price });
  const listener = await StreamListener.open(stage.gateway.url);
  const data = [{ channel: 'trade-news' }];
  const answer = await listener.say({ op: 'subscribe', after: '0', data });
  expect(answer.data).toMatchObject([{ success: true }]);
  await listener.say({ op: 'heartbeat' });
  listener.socket.terminate();
  client.socket.terminate();
}
