// The channels of an account: what each publishes when orders are placed, filled, edited and cancelled, and to whom.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { btcCall, btcPerpetual, btcSpot } from '../../../exchange/instruments.ts';
import { highCall } from '../../../exchange/rfq/rfq-desk.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN, SECOND_LOGIN, TAKER_LOGIN } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  expect(scene.faults).toEqual([]);
  await scene.close();
});

const BID = { instrument_name: btcPerpetual.name, amount: 1_000, price: 99_000, label: 'one' };

const granted = (channel: string, as = TAKER_LOGIN): Fields[] => {
  const frames = scene.follow(channel, as);
  if (frames === undefined) throw new Error(`${channel} was not granted`);
  return frames;
};

/** The frames once there are `count` of them. */
const first = async (frames: Fields[], count: number): Promise<Fields[]> => {
  await scene.rid.pass(1);
  await expect.poll(() => frames.length).toBeGreaterThanOrEqual(count);
  return frames;
};

describe('the channels of an account', () => {
  test('user.orders raw publishes one order a frame, as the answer has it', async () => {
    const frames = granted('user.orders.any.any.raw');
    const { order } = await scene.get('private/buy', BID);
    const [opened] = await first(frames, 1);
    expect(opened).toEqual(order);
    const cancelled = await scene.get('private/cancel', { order_id: order.order_id });
    expect((await first(frames, 2))[1]).toEqual(cancelled);
  });

  test('user.orders of 100ms and agg2 publish lists with the latest state of each order', async () => {
    const merged = granted(`user.orders.${btcPerpetual.name}.100ms`);
    const slow = granted('user.orders.future.BTC.agg2');
    const { order } = await scene.get('private/buy', BID);
    const cancelled = await scene.get('private/cancel', { order_id: order.order_id });
    await scene.rid.pass(1);
    for (const frames of [merged, slow]) {
      await expect.poll(() => frames.at(-1)).toEqual([cancelled]);
      // A slow machine may publish the open order too, in a list of its own before that of the cancelled one.
      expect(frames.slice(0, -1)).toEqual(frames.length === 1 ? [] : [[order]]);
    }
  });

  test('user.changes publishes the order, its trade and the position of one event in one frame', async () => {
    await scene.rid.other('sell', '1000', '99000');
    const changes = granted('user.changes.any.any.raw');
    const trades = granted('user.trades.any.any.raw');
    const worked = await scene.get('private/buy', { ...BID, time_in_force: 'immediate_or_cancel' });
    const [frame] = await first(changes, 1);
    expect(frame).toEqual({
      instrument_name: btcPerpetual.name,
      orders: [worked.order],
      trades: worked.trades,
      positions: [await scene.get('private/get_position', { instrument_name: btcPerpetual.name })],
    });
    expect(worked.order).toMatchObject({ order_state: 'filled', filled_amount: '1000' });
    expect((await first(trades, 1))[0]).toEqual(worked.trades);
  });

  test('a channel publishes only what its instrument, kind and currency cover', async () => {
    const spot = granted('user.orders.spot.USDC.raw');
    const other = granted('user.orders.option.BTC.raw');
    const params = { instrument_name: btcSpot.name, amount: '0.01', price: 99_000 };
    await scene.get('private/buy', BID);
    const { order } = await scene.get('private/buy', params);
    expect(await first(spot, 1)).toEqual([order]);
    expect(order).not.toHaveProperty('reduce_only');
    expect(other).toEqual([]);
  });

  test('user.portfolio begins with every currency and follows with those that changed', async () => {
    const all = granted('user.portfolio.any');
    const btc = granted('user.portfolio.btc');
    const currencies = (await first(all, 2)).map(({ currency }: Fields) => currency);
    expect(currencies).toEqual(expect.arrayContaining(['BTC', 'USDC']));
    await first(btc, 1);
    const before = all.length;
    await scene.get('private/buy', BID);
    await first(btc, 2);
    expect((await first(all, before + 1)).slice(before).map((one) => one.currency)).toEqual([
      'BTC',
    ]);
    const now = await scene.get('private/get_account_summary', { currency: 'BTC' });
    expect(btc.at(-1)).toEqual(now);
  });

  test('an account sees nothing of another one, on any channel', async () => {
    const strange = [
      'user.orders.any.any.raw',
      'user.trades.any.any.raw',
      'user.changes.any.any.raw',
      'user.orders.any.any.100ms',
    ].map((channel) => granted(channel, SECOND_LOGIN));
    const own = granted('user.trades.any.any.raw');
    await scene.rid.other('sell', '1000', '99000');
    await scene.get('private/buy', BID);
    await first(own, 1);
    expect(strange).toEqual([[], [], [], []]);
  });

  test('the trade of a combo is one trade with its legs on the channels of combos, and its legs on others', async () => {
    const trades = [
      { instrumentName: btcCall.name, quantity: '1', side: 'buy' },
      { instrumentName: highCall.name, quantity: '1', side: 'sell' },
    ];
    const { id } = await scene.rid.get('private/create_combo', { trades });
    const combos = ['user.combo_trades.any.any.raw', `user.trades.${id}.raw`].map((one) =>
      granted(one),
    );
    const legs = granted('user.trades.any.any.raw');
    const order = { instrument_name: id, amount: 1, price: '0.03' };
    await scene.get('private/sell', order, MAKER_LOGIN);
    const [trade] = (await scene.get('private/buy', order)).trades;
    expect(trade.legs.map((leg: Fields) => leg.instrument_name)).toEqual([
      btcCall.name,
      highCall.name,
    ]);
    for (const frames of combos) expect((await first(frames, 1)).flat()).toEqual([trade]);
    expect((await first(legs, 1)).flat()).toMatchObject(trade.legs);
  });

  test('MMP triggers are published on the channel of their index and on any', async () => {
    await scene.rid.guard.start();
    const any = granted('user.mmp_trigger.any');
    const btc = granted('user.mmp_trigger.btc_usd');
    const eth = granted('user.mmp_trigger.eth_usd');
    await scene.get('private/set_mmp_config', {
      index_name: 'btc_usd',
      interval: 10,
      frozen_time: '20',
      quantity_limit: '0.001',
      max_quote_quantity: '5',
    });
    await scene.get('private/buy', { ...BID, mmp: true });
    await scene.rid.other('sell', '1000', '99000');
    for (const frames of [any, btc]) {
      expect((await first(frames, 1))[0]).toMatchObject({ index_name: 'btc_usd' });
    }
    expect(eth).toEqual([]);
  });
});

describe('a channel of an account', () => {
  test.each([
    'user.orders.any.any.raw',
    'user.trades.any.any.100ms',
    'user.changes.any.any.raw',
    'user.portfolio.any',
    'user.mmp_trigger.any',
    'user.lock',
    'user.access_log',
    'block_rfq.taker.any',
    'block_rfq.maker.quotes.any',
  ])('%s is not granted to a stranger', (channel) => {
    expect(scene.family.open(channel, { publish: () => undefined })).toBeUndefined();
  });

  test.each([
    ['user.orders.any.any.raw', ['account:read', 'block_rfq:read']],
    ['user.portfolio.BTC', ['trade:read', 'block_rfq:read']],
    ['user.lock', ['trade:read']],
    ['block_rfq.taker.any', ['account:read', 'trade:read']],
  ] as const)('%s is not granted to a login with the scopes %s', (channel, scopes) => {
    expect(scene.follow(channel, { ...MAKER_LOGIN, scopes })).toBeUndefined();
    expect(scene.follow(channel, MAKER_LOGIN)).toBeDefined();
  });

  test.each([
    'user.portfolio.SOL',
    'user.orders.any.any',
    'user.orders.any.any.1s',
    'user.orders.swap.BTC.raw',
    'user.mmp_trigger.no_index',
    'user.nothing',
    'block_rfq.taker',
    'user.',
    'block_rfq.maker.any.raw',
  ])('%s is unknown, and not granted', (channel) => {
    expect(scene.follow(channel)).toBeUndefined();
  });

  test('the channels of makers are not granted to an account without an alias', () => {
    expect(scene.follow('block_rfq.maker.any', TAKER_LOGIN)).toBeUndefined();
    expect(scene.follow('block_rfq.maker.any', MAKER_LOGIN)).toEqual([]);
  });

  test('user.liquidation publishes the beginning and the end of a liquidation to its account alone', async () => {
    const frames = granted('user.liquidation');
    const others = granted('user.liquidation', SECOND_LOGIN);
    await scene.rid.liquidated();
    expect(frames).toEqual([{ state: 'liquidation_started' }]);
    for (let second = 0; second < 60 && frames.length === 1; second += 1) {
      await scene.rid.worth(btcPerpetual, { mark: '95000' });
    }
    expect(frames).toEqual([{ state: 'liquidation_started' }, { state: 'liquidation_completed' }]);
    expect(others).toEqual([]);
  });

  test('user.lock and user.access_log are granted and publish nothing', () => {
    expect(scene.follow('user.lock')).toEqual([]);
    expect(scene.follow('user.access_log')).toEqual([]);
  });
});
