// Orders of every documented type over the bare WebSocket: placed, edited, cancelled one by one, by label and all at once; what
// they leave in the account is computed from its fills in test/clients/hand-computed.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BareClient } from './bare-client.ts';
import { bareHeartbeats, bareLogins, bareSessions } from './bare-sessions.ts';
import { type ClientStage, KEYS, MORE_THAN_MARGIN, STARTING } from './client-stage.ts';
import {
  amountOf,
  coinsOf,
  dollarsOf,
  inverseAverage,
  inverseFees,
  optionFees,
} from './hand-computed.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Fields = any;

const BTC = 'BTC-PERPETUAL';
const ETH = 'ETH-PERPETUAL';
const ORDERS = 'user.orders.any.any.raw';
const TRADES = 'user.trades.any.any.raw';
const NOT_ENOUGH_FUNDS = 10_009;
const NOT_ENOUGH_OF_CURRENCY = 10_039;
const WRONG_TICK = 10_043;
const NOT_FOUND = 10_004;
const COIN_DIGITS = 7;

class Desk {
  client!: BareClient;
  mark = 0;

  async open(stage: ClientStage): Promise<void> {
    this.client = await BareClient.loggedIn(stage.front.url, KEYS.bare);
    const channels = [ORDERS, TRADES, 'user.portfolio.btc'];
    expect(await this.client.call('private/subscribe', { channels })).toEqual(channels);
    this.mark = (await this.client.call('public/ticker', { instrument_name: BTC })).mark_price;
  }

  /** A whole dollar, which is on the grid. */
  at(part: number): number {
    return Math.round(this.mark * part);
  }

  async place(side: 'buy' | 'sell', order: object): Promise<Fields> {
    const wish = { instrument_name: BTC, amount: 100, ...order };
    return await this.client.call(`private/${side}`, wish);
  }

  async balance(currency: string): Promise<number> {
    return (await this.client.call('private/get_account_summary', { currency })).balance;
  }
}

export function bareClient(stage: ClientStage): void {
  const desk = new Desk();
  const heartbeats = bareHeartbeats(stage);
  beforeAll(async () => {
    stage.front.begin('Deribit documentation');
    await heartbeats.begin();
    await desk.open(stage);
  });
  afterAll(() => desk.client?.close());

  describe('logins', () => bareLogins(stage));
  describe('orders', () => bareOrders(desk));
  describe('cancels', () => bareCancels(desk));
  describe('fills', () => bareFills(desk));
  describe('sessions', () => bareSessions(stage));
  heartbeats.test();
}

function bareOrders(desk: Desk): void {
  test('every type of order begins in the state that its documentation gives', async () => {
    const trigger = { trigger: 'mark_price' };
    const at = (part: number): number => desk.at(part);
    const placed = [
      ['buy', { type: 'limit', price: at(0.97) }],
      ['buy', { type: 'limit', price: at(0.97), post_only: true, reject_post_only: true }],
      ['buy', { type: 'limit', price: at(0.97), time_in_force: 'good_til_day' }],
      ['sell', { type: 'stop_limit', price: at(0.95), trigger_price: at(0.96), ...trigger }],
      ['sell', { type: 'stop_market', trigger_price: at(0.96), ...trigger }],
      ['sell', { type: 'take_limit', price: at(1.04), trigger_price: at(1.05), ...trigger }],
      ['buy', { type: 'take_market', trigger_price: at(0.95), ...trigger }],
      ['sell', { type: 'trailing_stop', trigger_offset: 1_000, ...trigger }],
    ] as const;
    const states: string[][] = [];
    for (const [side, order] of placed) {
      const { order: made, trades } = await desk.place(side, order);
      expect(trades).toEqual([]);
      states.push([made.order_type, made.order_state]);
    }
    expect(states).toEqual([
      ['limit', 'open'],
      ['limit', 'open'],
      ['limit', 'open'],
      ['stop_limit', 'untriggered'],
      ['stop_market', 'untriggered'],
      ['take_limit', 'untriggered'],
      ['take_market', 'untriggered'],
      ['trailing_stop', 'untriggered'],
    ]);
    expect(await desk.client.call('private/cancel_all')).toBe(placed.length);
  });

  test('linked orders cancel one another', async () => {
    const { order } = await desk.place('sell', {
      type: 'limit',
      price: desk.at(1.02),
      linked_order_type: 'one_cancels_other',
      otoco_config: [
        {
          direction: 'sell',
          amount: 100,
          type: 'stop_market',
          trigger_price: desk.at(0.96),
          trigger: 'mark_price',
        },
      ],
    });
    const open: Fields[] = await desk.client.call('private/get_open_orders');
    expect(open).toHaveLength(2);
    const other = open.find(({ order_id: id }) => id !== order.order_id).order_id;
    await desk.client.call('private/cancel', { order_id: order.order_id });
    const ended = () =>
      desk.client
        .notices(ORDERS)
        .some(({ order_id: id, order_state: state }) => id === other && state === 'cancelled');
    await desk.client.until(ended);
    expect(await desk.client.call('private/get_open_orders')).toEqual([]);
  });

  test('an order is edited by its id and by its label, and each change is published', async () => {
    const { order } = await desk.place('buy', {
      type: 'limit',
      price: desk.at(0.97),
      label: 'bare-1',
    });
    const id = order.order_id;
    const edited = await desk.client.call('private/edit', {
      order_id: id,
      amount: 120,
      price: desk.at(0.96),
    });
    expect(edited.order).toMatchObject({ amount: 120, price: desk.at(0.96), replaced: true });
    const again = await desk.client.call('private/edit_by_label', {
      label: 'bare-1',
      instrument_name: BTC,
      amount: 130,
      price: desk.at(0.95),
    });
    expect(again.order).toMatchObject({ order_id: id, amount: 130 });
    expect(await desk.client.call('private/cancel_by_label', { label: 'bare-1' })).toBe(1);
    const mine = () => desk.client.notices(ORDERS).filter(({ order_id: of }) => of === id);
    await desk.client.until(() => mine().at(-1)?.order_state === 'cancelled');
    expect(mine().map(({ amount }) => amount)).toEqual([100, 120, 130, 130]);
    const ended = await desk.client.refused('private/cancel', { order_id: '999999999' });
    expect(ended.code).toBe(NOT_FOUND);
  });

  test('a wrong tick and an order without the funds are refused, and nothing is open', async () => {
    const off = { instrument_name: BTC, amount: 10, type: 'limit', price: desk.at(0.97) + 0.3 };
    expect(await desk.client.refused('private/buy', off)).toMatchObject({
      code: WRONG_TICK,
      data: { param: 'price' },
    });
    const markOf = async (name: string): Promise<number> =>
      (await desk.client.call('public/ticker', { instrument_name: name })).mark_price;
    const spot = {
      instrument_name: 'ETH_USDC',
      amount: 2 * STARTING.ETH,
      type: 'limit',
      price: Math.round((await markOf('ETH_USDC')) * 1.01),
    };
    expect((await desk.client.refused('private/sell', spot)).code).toBe(NOT_ENOUGH_OF_CURRENCY);
    const margin = {
      instrument_name: ETH,
      amount: MORE_THAN_MARGIN,
      type: 'limit',
      price: Math.round((await markOf(ETH)) * 0.97),
    };
    expect((await desk.client.refused('private/buy', margin)).code).toBe(NOT_ENOUGH_FUNDS);
    expect(await desk.client.call('private/get_open_orders')).toEqual([]);
  });
}

function bareCancels(desk: Desk): void {
  /** Three limit orders and a stop in BTC, one limit order in ETH. */
  async function five(): Promise<string[]> {
    const { mark_price: mark } = await desk.client.call('public/ticker', { instrument_name: ETH });
    const wishes = [
      ...[0.97, 0.96, 0.95].map((part) => ({ type: 'limit', price: desk.at(part) })),
      { type: 'take_market', trigger: 'mark_price', trigger_price: desk.at(0.95) },
      { type: 'limit', instrument_name: ETH, price: Math.round(mark * 0.97) },
    ];
    const ids: string[] = [];
    for (const wish of wishes) ids.push((await desk.place('buy', wish)).order.order_id);
    return ids;
  }

  test.each<[string, object, number[]]>([
    ['cancel_all', {}, [0, 1, 2, 3, 4]],
    ['cancel_all_by_currency', { currency: 'ETH' }, [4]],
    ['cancel_all_by_currency', { currency: 'BTC', type: 'limit' }, [0, 1, 2]],
    ['cancel_all_by_instrument', { instrument_name: BTC }, [0, 1, 2, 3]],
    ['cancel_all_by_instrument', { instrument_name: BTC, type: 'trigger_all' }, [3]],
    ['cancel_all_by_kind_or_type', { currency: ['ETH', 'BTC'], kind: 'future' }, [0, 1, 2, 3, 4]],
    ['cancel_all_by_kind_or_type', { currency: 'any', kind: 'option' }, []],
  ])('%s of %j cancels exactly what it selects', async (method, params, selected) => {
    const ids = await five();
    expect(await desk.client.call(`private/${method}`, params)).toBe(selected.length);
    const open: Fields[] = await desk.client.call('private/get_open_orders');
    const left = open.map(({ order_id: id }) => ids.indexOf(id));
    expect(left.sort()).toEqual(ids.flatMap((_, at) => (selected.includes(at) ? [] : [at])));
    await desk.client.call('private/cancel_all');
  });
}

function bareFills(desk: Desk): void {
  test('market, immediate and whole orders fill, are published, and leave the position and balance of their fills', async () => {
    const { client } = desk;
    const before = await desk.balance('BTC');
    const fills = [
      await desk.place('buy', { type: 'market' }),
      await desk.place('buy', { type: 'market_limit' }),
      await desk.place('buy', {
        type: 'limit',
        price: desk.at(1.01),
        time_in_force: 'immediate_or_cancel',
      }),
    ];
    for (const { order } of fills) expect(order).toMatchObject({ filled_amount: 100 });
    const bought = fills.flatMap(({ trades }) => trades);
    const position = await client.call('private/get_position', { instrument_name: BTC });
    expect(position).toMatchObject({ size: 300, direction: 'buy', kind: 'future' });
    expect(position.average_price).toBeCloseTo(inverseAverage(bought), 1);
    expect(position.floating_profit_loss).toBeCloseTo(
      coinsOf(bought) - 300 / position.mark_price,
      COIN_DIGITS,
    );
    const { order, trades: sold } = await desk.place('sell', {
      type: 'limit',
      price: desk.at(0.99),
      amount: 300,
      reduce_only: true,
      time_in_force: 'fill_or_kill',
    });
    expect(order).toMatchObject({ order_state: 'filled', filled_amount: 300, reduce_only: true });
    const all = [...bought, ...sold];
    const fees = all.reduce((total, { fee }) => total + fee, 0);
    expect(fees).toBeCloseTo(inverseFees(all), 8);
    const profit = coinsOf(bought) - coinsOf(sold) - inverseFees(all);
    expect((await desk.balance('BTC')) - before).toBeCloseTo(profit, COIN_DIGITS);
    const published = () => client.notices(TRADES).flat();
    await client.until(() => amountOf(published()) >= 600);
    expect(published().map(({ trade_id: id }) => id)).toEqual(all.map(({ trade_id: id }) => id));
    expect(await client.call('private/get_positions', { currency: 'BTC' })).toEqual([]);
  });

  test('an option that is bought costs its premium and its capped fee at once', async () => {
    const { client } = desk;
    const listed: Fields[] = await client.call('public/get_instruments', {
      currency: 'BTC',
      kind: 'option',
    });
    const away = ({ strike }: Fields): number => Math.abs(strike - desk.mark);
    const [near] = listed
      .filter(({ option_type: type }) => type === 'call')
      .filter(({ expiration_timestamp: at }) => at > Date.now() + 7 * 86_400_000)
      .sort((a, b) => away(a) - away(b) || a.expiration_timestamp - b.expiration_timestamp);
    const name = near.instrument_name;
    const before = await desk.balance('BTC');
    const ticker = await client.call('public/ticker', { instrument_name: name });
    const { order, trades } = await desk.place('buy', {
      instrument_name: name,
      amount: 0.1,
      type: 'limit',
      // On the grid, above the asks, and within the band and the collar, whose middle moves until the order arrives.
      price: (Math.ceil(ticker.mark_price * 3_000) * 5) / 10_000,
      time_in_force: 'immediate_or_cancel',
    });
    expect(order.filled_amount).toBe(0.1);
    const paid = dollarsOf(trades) + optionFees(trades);
    expect((await desk.balance('BTC')) - before).toBeCloseTo(-paid, COIN_DIGITS);
    const position = await client.call('private/get_position', { instrument_name: name });
    expect(position).toMatchObject({ size: 0.1, direction: 'buy', kind: 'option' });
    expect(position.average_price).toBeCloseTo(dollarsOf(trades) / 0.1, 4);
  });
}
