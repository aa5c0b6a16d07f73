// Spot pairs that are matched on another exchange, served by a paper exchange and reached by the adapter over a real socket.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { ROUTED_FILLS_AFTER_MS } from '../../../src/exchange/model/instruments/contract-rules.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import { minus, price, quantity, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import { value } from '../../conformance/venue-act.ts';
import { RawClient } from '../../gateway/deribit/raw-client.ts';
import { WireCheck } from '../../gateway/deribit/shapes/wire-check.ts';
import { ACCOUNT, anOrder, type StageOrder } from '../paper/paper-stage.ts';
import { until } from '../until.ts';
import { type Connected, connectTo } from './connect-deribit.ts';
import { KEY, type ServedDeribit, serveDeribit } from './deribit-stage.ts';

const PAIR = instrumentName('BTC_USDC');
const PERPETUAL = instrumentName('BTC_USDC-PERPETUAL');
/** The first query of the past makes that of every market, which takes seconds. */
const TIMEOUT_MS = 100_000;
const check = new WireCheck();

let exchange: ServedDeribit;
let connected: Connected;
let raw: RawClient;
const notices: VenueNotice[] = [];

beforeAll(async () => {
  exchange = await serveDeribit({
    market: (bornAt) => seededMarket({ seed: 'routed', startAt: bornAt, routedSpot: true }),
  });
  connected = await connectTo(exchange.url, { rules: { timeoutMs: TIMEOUT_MS } });
  const { venue } = connected;
  raw = await RawClient.loggedIn(`http://127.0.0.1:${exchange.port}`, KEY, { check });
  venue.subscribe((notice) => notices.push(notice));
  for (const name of [PAIR, PERPETUAL]) venue.watch(name);
  await until(() => [PAIR, PERPETUAL].every((name) => venue.quote(name)?.ask !== undefined));
});
afterAll(async () => {
  await raw.close();
  await connected.venue.close();
  await exchange.close();
  expect([connected.faults, exchange.reported, [...check.faults]]).toEqual([[], [], []]);
});

/** A buy that reaches far behind the best offer. */
function taking(changes: Partial<StageOrder> = {}): StageOrder {
  const { venue } = connected;
  const best = must(venue.quote(PAIR)?.ask, 'an offer').price;
  const limit = price(String(Math.ceil(Number(text(best)) * 1.005)));
  return anOrder(venue, { instrument: PAIR, price: limit, quantity: quantity('0.01'), ...changes });
}

const coins = async (): Promise<string> =>
  text(value(await connected.venue.summary(ACCOUNT, currency('BTC'))).balance);

test('the flags tell a routed pair, which has no terms of blocks, from what the exchange matches', async () => {
  const pair = await raw.get('public/get_instrument', { instrument_name: PAIR });
  expect(pair).toMatchObject({ kind: 'spot', is_cbe_routed: true, is_csr: true });
  expect(pair).not.toHaveProperty('block_trade_commission');
  const other = await raw.get('public/get_instrument', { instrument_name: PERPETUAL });
  expect(Object.keys(other).filter((name) => name.startsWith('is_c'))).toEqual([]);
  expect(other).toHaveProperty('block_trade_commission');
  const { venue } = connected;
  expect([PAIR, PERPETUAL].map((name) => venue.instrument(name)?.isRouted)).toEqual([
    true,
    undefined,
  ]);
});

test('an order that takes is answered open and without trades, and its fills are published afterwards', async () => {
  const { venue } = connected;
  const before = await coins();
  const order = taking();
  const { order: answered, trades } = value(await venue.place(order));
  expect([answered.state, text(answered.filledQuantity), trades]).toEqual(['open', '0', []]);
  const own = (notice: VenueNotice): boolean =>
    (notice.kind === 'order' && notice.order.orderId === answered.orderId) ||
    (notice.kind === 'trade' && notice.trade.orderId === answered.orderId);
  const isFilled = (notice: VenueNotice): boolean =>
    own(notice) && notice.kind === 'order' && notice.order.state === 'filled';
  await until(() => notices.some(isFilled));
  const traded = notices.flatMap((one) => (one.kind === 'trade' && own(one) ? [one.trade] : []));
  const sum = traded.reduce((total, one) => total + Number(text(one.quantity)), 0);
  expect(sum).toBeCloseTo(0.01, 10);
  expect(traded.every(({ at }) => at - answered.createdAt >= ROUTED_FILLS_AFTER_MS)).toBe(true);
  const found = value(
    await venue.reconcile({ account: ACCOUNT, instrument: PAIR, label: order.label }),
  );
  expect(found.orders).toMatchObject([{ orderId: answered.orderId, state: 'filled' }]);
  expect(found.trades.map(({ tradeId }) => tradeId).toSorted()).toEqual(
    traded.map(({ tradeId }) => tradeId).toSorted(),
  );
  expect(Number(await coins()) - Number(before)).toBeCloseTo(0.01, 10);
});

test('an immediate-or-cancel order that its answer shows unfilled is filled afterwards', async () => {
  const { venue } = connected;
  const order = taking({ timeInForce: 'immediate_or_cancel' });
  const { order: answered } = value(await venue.place(order));
  expect(answered.state).toBe('open');
  await until(async () => value(await venue.order(ACCOUNT, answered.orderId)).state !== 'open');
  const after = value(await venue.order(ACCOUNT, answered.orderId));
  expect([after.state, text(minus(after.quantity, after.filledQuantity))]).toEqual([
    'filled',
    text(ZERO_QUANTITY),
  ]);
});

test('what the other exchange does not take is refused with the codes of the venue', async () => {
  const { venue } = connected;
  const refusal = async (changes: Partial<StageOrder>) => {
    const answer = await venue.place(taking(changes));
    return answer.kind === 'refused' ? [answer.code, answer.message] : answer.kind;
  };
  expect(await refusal({ displayQuantity: quantity('0.001') })).toEqual([
    11059,
    'iceberg_not_allowed',
  ]);
  expect(await refusal({ type: 'market_limit' })).toEqual([
    11060,
    'not_supported_for_coinbase_routed_spot',
  ]);
  expect(await refusal({ postOnly: true, rejectPostOnly: false })).toEqual([
    11055,
    'post_only_not_allowed',
  ]);
  expect(await refusal({ timeInForce: 'good_til_day' })).toEqual([-32602, 'Invalid params']);
});

test('what was traded in the pair is unknown to the adapter, and the tape of the other kinds is read', async () => {
  const { venue } = connected;
  expect(venue.quote(PAIR)?.traded).toBeUndefined();
  expect(venue.quote(PERPETUAL)?.traded).toBeDefined();
  const page = { count: 1, order: 'desc' } as const;
  expect(await venue.market.history('tape', { ...page, instruments: [PAIR] })).toBeUndefined();
  const listed = venue.market.listed({ expired: false });
  const linear = listed.filter(({ settlement }) => settlement === 'USDC').map(({ name }) => name);
  expect(linear.length).toBeGreaterThan(2);
  const inverse = listed.filter(({ settlement }) => settlement === 'BTC').map(({ name }) => name);
  const instruments = [...linear, ...inverse];
  expect(await venue.market.history('tape', { ...page, instruments })).toBeDefined();
});

test('queries and channels of the tape are refused where a routed pair is meant', async () => {
  const span = { start_timestamp: 0, end_timestamp: 1 };
  const refused: readonly (readonly [string, object])[] = [
    ['public/get_last_trades_by_instrument', { instrument_name: PAIR }],
    ['public/get_last_trades_by_instrument_and_time', { instrument_name: PAIR, ...span }],
    ['public/get_last_trades_by_currency', { currency: 'USDC' }],
    ['public/get_last_trades_by_currency', { currency: 'any' }],
    ['public/get_last_trades_by_currency', { currency: 'USDC', kind: 'spot' }],
    ['public/get_last_trades_by_currency_and_time', { currency: 'USDC', kind: 'any', ...span }],
    ['public/get_tradingview_chart_data', { instrument_name: PAIR, resolution: '1', ...span }],
  ];
  for (const [method, params] of refused) {
    expect(
      (await raw.request(method, params)).error,
      `${method} ${JSON.stringify(params)}`,
    ).toMatchObject({
      code: 11060,
      message: 'not_supported_for_coinbase_routed_spot',
    });
  }
  const future = { currency: 'USDC', kind: 'future' };
  expect(await raw.get('public/get_last_trades_by_currency', future)).toHaveProperty('trades');
  expect(await raw.get('public/get_last_trades_by_currency', { currency: 'BTC' })).toHaveProperty(
    'trades',
  );
  const granted = [
    `trades.${PERPETUAL}.100ms`,
    'trades.future.USDC.100ms',
    'trades.any.BTC.100ms',
    `book.${PAIR}.100ms`,
    `ticker.${PAIR}.100ms`,
    `user.trades.${PAIR}.100ms`,
  ];
  const none = [
    `trades.${PAIR}.100ms`,
    'trades.spot.USDC.100ms',
    'trades.any.USDC.100ms',
    'trades.any.any.100ms',
    `chart.trades.${PAIR}.1`,
  ];
  expect(await raw.subscribe(...granted, ...none)).toEqual(granted);
});

test('the ticker has no value of the volume, and volumes none of spot', async () => {
  const { stats } = await raw.get('public/ticker', { instrument_name: PAIR });
  expect(Object.keys(stats).filter((name) => name.startsWith('volume'))).toEqual(['volume']);
  const volumes = await raw.get('public/get_trade_volumes');
  const rows = new Map(
    volumes.map((row: { currency: string }) => [row.currency, Object.keys(row)]),
  );
  expect(rows.get('USDC')).not.toContain('spot_volume');
  expect(rows.get('USDC')).toContain('futures_volume');
  expect(rows.get('BTC')).toContain('spot_volume');
});
