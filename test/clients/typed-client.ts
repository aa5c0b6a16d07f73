// The typed client (`twapd/client`): a portfolio of all four kinds of instruments from its plan to its report, and order methods of
// every type.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Client,
  connect,
  type PortfolioBody,
  type StreamItem,
} from '../../src/gateway/client/client.ts';
import { until } from '../adapters/until.ts';
import { type ClientStage, KEYS, STARTING } from './client-stage.ts';
import { amountOf, coinsOf, inverseFees } from './hand-computed.ts';

const KEY = KEYS.typed;
const accountId = KEY.account;
const BTC = 'BTC-PERPETUAL';
/**
 * The clock of a client may be 15 seconds off. Requests may take long here: what is signed behind loses of them on the way, what
 * is signed beyond them in the future comes nearer.
 */
const ACCEPTED_MS = [-7_000, 0, 13_500];
const REFUSED_MS = [-16_500, 30_000];
const FILLED = 2;

const done = <T>(result: { readonly kind: string; readonly value?: T }): T => {
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return result.value as T;
};

export function typedClient(stage: ClientStage): void {
  const clientOf = (offMs = 0): Client =>
    connect({
      baseUrl: stage.daemon.url,
      keyId: KEY.id,
      secret: KEY.secret,
      now: () => Date.now() + offMs,
    });
  let client: Client;
  const watching = new AbortController();
  const heard: StreamItem[] = [];
  let watched: Promise<void>;
  beforeAll(async () => {
    client = clientOf();
    watched = (async () => {
      for await (const item of client.watch('all', { signal: watching.signal })) heard.push(item);
    })();
    await until(() => heard.some(({ kind }) => kind === 'listening'));
  });
  afterAll(async () => {
    watching.abort();
    await watched;
  });

  test('requests are accepted up to their window off in both directions, and not beyond', async () => {
    for (const offMs of ACCEPTED_MS) {
      expect(await clientOf(offMs).whoami()).toMatchObject({
        kind: 'done',
        value: { keyId: KEY.id },
      });
    }
    for (const offMs of REFUSED_MS) {
      expect(await clientOf(offMs).whoami()).toMatchObject({
        kind: 'refused',
        status: expect.any(Number),
      });
    }
  });

  test('a portfolio of an option, a perpetual, a future and spot is planned, followed and filled to the last lot', () =>
    executed(client, heard));

  test('order methods place every type, edit, and cancel one by one and all at once', () =>
    entered(client));

  test('a wrong tick and an order that is worth too much are refused by field', async () => {
    const order = { accountId, instrumentName: BTC, type: 'limit' } as const;
    const { markPrice } = done(await client.call('public/ticker', { instrumentName: BTC }));
    const below = Math.round(Number(markPrice) * 0.97);
    expect(
      await client.call('private/buy', { ...order, quantity: '100', price: `${below}.3` }),
    ).toMatchObject({ kind: 'refused', param: 'price' });
    const much = { ...order, quantity: '900000000', price: String(below) };
    expect(await client.call('private/buy', much)).toMatchObject({ kind: 'refused', code: 40007 });
    expect(done(await client.call('private/get_open_orders', { accountId }))).toEqual([]);
  });
}

/** Slices of four kinds at 0 and 5 seconds. */
async function executed(client: Client, heard: readonly StreamItem[]): Promise<void> {
  const instruments = done(await client.call('public/get_instruments', { currency: 'BTC' }));
  const { indexPrice } = done(
    await client.call('public/get_index_price', { indexName: 'btc_usd' }),
  );
  const soonest = Date.now() + 7 * 86_400_000;
  const away = (strike: string | null): number => Math.abs(Number(strike) - Number(indexPrice));
  const later = instruments.filter(({ expiration: at }) => Number(at) > soonest);
  const [option] = later
    .filter(({ kind }) => kind === 'option')
    .sort((a, b) => away(a.strike) - away(b.strike) || Number(a.expiration) - Number(b.expiration));
  const future = later.find(
    ({ kind, settlementPeriod }) => kind === 'future' && settlementPeriod !== 'perpetual',
  );
  const market = { priceOptions: { priceType: 'MARKET' } } as const;
  const body: PortfolioBody = {
    accountId: Number(accountId),
    portfolioType: 'TWAP',
    twapTrade: { durationSec: 10, frequencySec: 5 },
    legs: [
      { instrument: BTC, instrumentType: 'PERPETUAL', side: 1, quantity: '10000', ...market },
      {
        instrument: future?.instrumentName ?? '',
        instrumentType: 'DELIVERY_FUTURES',
        side: 2,
        quantity: '4000',
        ...market,
      },
      { instrument: 'BTC_USDC', instrumentType: 'SPOT', side: 2, quantity: '0.2', ...market },
      {
        instrument: option?.instrumentName ?? '',
        instrumentType: 'OPTION',
        side: 1,
        quantity: '0.4',
        priceOptions: {
          priceType: 'DYNAMIC',
          dynamicPriceStrategy: 'ASK',
          dynamicMs: 200,
          price: '1',
          priceIn: 'BTC',
        },
      },
    ],
    execution: { endAction: 'market' },
  };
  const plan = done(await client.plan(body));
  expect(plan.legs.map(({ slices }) => slices)).toEqual([2, 2, 2, 2]);
  const id = String(done(await client.submit(body, 'typed-once')).portfolioId);
  expect(String(done(await client.submit(body, 'typed-once')).portfolioId)).toBe(id);
  const news = () =>
    heard.flatMap((item) =>
      item.kind === 'news' && item.frame.data.portfolioId === id ? [item.frame.data] : [],
    );
  await until(() => news().some(({ messageType: type }) => type === 'PORTFOLIO_FILLED'));
  expect(news()[0]?.messageType).toBe('PORTFOLIO_SUBMITTED');
  const versions = news().map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));

  const record = done(await client.info(id));
  expect(record.portfolioStatus).toBe(FILLED);
  const quantities = record.legs.map(({ filledQuantity: filled, remainingQuantity: left }) => [
    filled,
    left,
  ]);
  expect(quantities).toEqual([
    ['10000', '0'],
    ['4000', '0'],
    ['0.2', '0'],
    ['0.4', '0'],
  ]);
  const { trades } = done(
    await client.call('private/get_user_trades_by_instrument', {
      accountId,
      instrumentName: BTC,
      count: 100,
    }),
  );
  const fills = trades.map(({ price, quantity }) => ({
    price: Number(price),
    amount: Number(quantity),
  }));
  expect(amountOf(fills)).toBe(10_000);
  expect(Number(record.legs[0]?.fee)).toBeCloseTo(inverseFees(fills), 8);
  // The position that the fills leave, with its sign, and what spot has moved.
  const size = async (instrumentName: string): Promise<number> =>
    Number(done(await client.call('private/get_position', { accountId, instrumentName })).size);
  expect(await size(BTC)).toBe(10_000);
  expect(await size(future?.instrumentName ?? '')).toBe(-4_000);
  expect(await size(option?.instrumentName ?? '')).toBe(0.4);
  const usdc = done(
    await client.call('private/get_account_summary', { accountId, currency: 'USDC' }),
  );
  const sold = 0.2 * Number(record.legs[2]?.filledAvgPrice);
  expect(Number(usdc.balance) - STARTING.USDC).toBeCloseTo(sold, 2);
  const report = done(await client.report(id));
  expect(report.legs).toHaveLength(4);
  expect(coinsOf(fills)).toBeGreaterThan(0);
}

async function entered(client: Client): Promise<void> {
  const { markPrice } = done(await client.call('public/ticker', { instrumentName: BTC }));
  const at = (part: number): string => String(Math.round(Number(markPrice) * part));
  const of = { accountId, instrumentName: BTC, quantity: '100' } as const;
  const trigger = { trigger: 'mark_price' } as const;
  const placed = [
    client.call('private/buy', { ...of, type: 'limit', price: at(0.97), label: 'typed' }),
    client.call('private/buy', { ...of, type: 'limit', price: at(0.96), postOnly: true }),
    client.call('private/sell', {
      ...of,
      ...trigger,
      type: 'stop_limit',
      price: at(0.95),
      triggerPrice: at(0.96),
    }),
    client.call('private/sell', { ...of, ...trigger, type: 'stop_market', triggerPrice: at(0.96) }),
    client.call('private/sell', {
      ...of,
      ...trigger,
      type: 'take_limit',
      price: at(1.04),
      triggerPrice: at(1.05),
    }),
    client.call('private/buy', { ...of, ...trigger, type: 'take_market', triggerPrice: at(0.95) }),
    client.call('private/sell', {
      ...of,
      ...trigger,
      type: 'trailing_stop',
      triggerOffset: '1000',
    }),
  ];
  const orders = (await Promise.all(placed)).map((answer) => done(answer).order);
  expect(orders.map(({ orderState }) => orderState)).toEqual([
    'open',
    'open',
    ...Array.from({ length: 5 }, () => 'untriggered'),
  ]);
  const orderId = orders[0]?.orderId ?? '';
  const edited = done(
    await client.call('private/edit', { accountId, orderId, quantity: '200', price: at(0.95) }),
  );
  expect(edited.order).toMatchObject({ orderId, quantity: '200', price: at(0.95), replaced: true });
  const cancelled = done(await client.call('private/cancel', { accountId, orderId }));
  expect(cancelled.orderState).toBe('cancelled');
  expect(done(await client.call('private/cancel_all', { accountId }))).toBe(orders.length - 1);
  expect(done(await client.call('private/get_open_orders', { accountId }))).toEqual([]);
  const before = done(
    await client.call('private/get_position', { accountId, instrumentName: BTC }),
  );
  const sold = done(await client.call('private/sell', { ...of, type: 'market', reduceOnly: true }));
  expect(sold.order).toMatchObject({ orderState: 'filled', filledQuantity: '100' });
  const after = done(await client.call('private/get_position', { accountId, instrumentName: BTC }));
  expect(Number(after.size)).toBe(Number(before.size) - 100);
}
