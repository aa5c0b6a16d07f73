// Every documented param of edit_by_label and of the queries, with its expected effect.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/values/instant.ts';
import { btcCall, btcPerpetual, btcSpot } from '../../exchange/instruments.ts';
import { STRANGER } from '../gateway-under-test.ts';
import { type Fields, OrderScene, paramsOf } from './order-scene.ts';

let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

const BTC = btcPerpetual.name;
const buy = (params: object) => scene.buy(params);
const sell = (params: object) => scene.sell(params);
const KINDS = ['future', 'option', 'spot', 'future_combo', 'option_combo', 'combo', 'any'];
const STOP = { type: 'stop_market', trigger: 'mark_price', triggerPrice: '95000', price: null };

type Case = () => Promise<readonly [told: unknown, expected: unknown]>;
type Cases = Readonly<Record<string, Case>>;

/** Places an order with its own label, and returns it after one edit. */
async function changed(terms: object, change: object, by = buy): Promise<Fields> {
  await by({ label: 'mine', ...terms });
  const params = { label: 'mine', instrumentName: BTC, ...change };
  return (await scene.get('private/edit_by_label', params)).order;
}
async function refusedChange(terms: object, change: object): Promise<Fields> {
  await buy({ label: 'theirs', ...terms });
  const params = { label: 'theirs', instrumentName: BTC, ...change };
  return await scene.refusal('private/edit_by_label', params);
}

const EDIT: Cases = {
  label: async () => {
    const none = await refusedChange({}, { label: 'nobody', quantity: '500' });
    const one = await changed({}, { quantity: '500' });
    await buy({ label: 'mine' });
    const params = { label: 'mine', instrumentName: BTC, quantity: '600' };
    const two = await scene.refusal('private/edit_by_label', params);
    return [
      [none.code, one.replaced, two.code],
      [10004, true, 13032],
    ];
  },
  instrumentName: async () => {
    const elsewhere = { instrumentName: btcSpot.name, quantity: '0.01' };
    const here = await changed({}, { quantity: '500' });
    await buy({ ...elsewhere, label: 'mine' });
    const there = { ...elsewhere, label: 'mine', quantity: '0.02' };
    const { order } = await scene.get('private/edit_by_label', there);
    return [
      [here.quantity, order.quantity],
      ['500', '0.02'],
    ];
  },
  quantity: async () => [(await changed({}, { quantity: '500' })).quantity, '500'],
  contracts: async () => [(await changed({}, { contracts: '30' })).quantity, '300'],
  price: async () => [(await changed({}, { price: '98000' })).price, '98000'],
  postOnly: async () => {
    await scene.other('sell', '1000', '100500');
    return [(await changed({}, { price: '101000', postOnly: true })).price, '100499.5'];
  },
  rejectPostOnly: async () => {
    await scene.other('sell', '1000', '100500');
    const change = { price: '101000', postOnly: true, rejectPostOnly: true };
    const { message, details } = await refusedChange({}, change);
    const [ended] = await scene.get('private/get_order_history_by_currency', {
      currency: 'BTC',
      includeUnfilled: true,
    });
    const alone = await refusedChange({}, { rejectPostOnly: true });
    return [
      [message, details.reason, ended.orderState, ended.cancelReason, alone.details],
      [
        'post_only_reject',
        'would trade at once against the best price 100500, and the order is cancelled (edit_post_only_reject); accepted: a new order at a price that rests, or an edit with rejectPostOnly false',
        'cancelled',
        'edit_post_only_reject',
        {
          param: 'rejectPostOnly',
          reason: 'is given without postOnly; accepted: only together with postOnly true',
        },
      ],
    ];
  },
  reduceOnly: async () => {
    await scene.other('sell', '500', '100500');
    await buy({ price: '100500', quantity: '500' });
    const { reduceOnly, quantity } = await changed({}, { reduceOnly: true }, sell);
    return [
      [reduceOnly, quantity],
      [true, '500'],
    ];
  },
  triggerPrice: async () => [
    (await changed(STOP, { triggerPrice: '94000' }, sell)).triggerPrice,
    '94000',
  ],
  triggerOffset: async () => {
    const trail = { type: 'trailing_stop', trigger: 'mark_price', price: null };
    const { triggerPrice } = await changed(
      { ...trail, triggerOffset: '100' },
      { triggerOffset: '1100' },
      sell,
    );
    return [triggerPrice, '99000'];
  },
  advanced: async () => {
    const option = { instrumentName: btcCall.name, quantity: '1', price: '5000', advanced: 'usd' };
    const there = { instrumentName: btcCall.name, price: '8000' };
    const without = await refusedChange(option, there);
    await scene.get('private/cancel_all', {});
    const { usd, price } = await changed(option, { ...there, advanced: 'usd' });
    return [
      [without.code, usd, price],
      [11047, '8000', '0.08'],
    ];
  },
  mmp: async () => [
    [
      (await changed({ mmp: true }, { mmp: true, quantity: '500' })).quantity,
      (await refusedChange({}, { mmp: true })).details.param,
    ],
    ['500', 'mmp'],
  ],
  validUntil: async () => {
    const validUntil = scene.clock.now();
    return [(await refusedChange({}, { quantity: '500', validUntil })).message, 'timed_out'];
  },
  displayAmount: async () => {
    // A number, as the interface has it here.
    const order = await changed({ quantity: '20000' }, { displayAmount: 1_000 });
    return [
      [order.displayAmount, order.refreshAmount],
      ['1000', '1000'],
    ];
  },
};

const HISTORY = 'private/get_order_history_by_currency';
const history = async (params: object = {}): Promise<string[]> => {
  const result = await scene.get(HISTORY, { currency: 'BTC', includeUnfilled: true, ...params });
  return (result.orders ?? result).map((order: Fields) => order.label);
};
const ended = async (label: string, params: object = {}): Promise<void> => {
  const { orderId } = await buy({ label, ...params });
  await scene.get('private/cancel', { orderId });
};
const OPTION = { instrumentName: btcCall.name, quantity: '1', price: '0.05' };

const PAST: Cases = {
  currency: async () => {
    await ended('coin');
    await ended('spot', { instrumentName: btcSpot.name, quantity: '0.01' });
    return [
      [await history(), await history({ currency: 'USDC' }), await history({ currency: 'any' })],
      [['coin'], ['spot'], ['spot', 'coin']],
    ];
  },
  kind: async () => {
    await ended('coin');
    await ended('option', OPTION);
    await ended('spot', { instrumentName: btcSpot.name, quantity: '0.01' });
    const found: string[] = [];
    for (const kind of KINDS) {
      found.push((await history({ currency: 'any', kind })).join());
    }
    return [found, ['coin', 'option', 'spot', '', '', '', 'spot,option,coin']];
  },
  count: async () => {
    for (let n = 1; n <= 21; n += 1) await ended(`${n}`);
    const most = await scene.refusal(HISTORY, { currency: 'BTC', count: 1_001 });
    return [
      [await history({ count: 2 }), (await history()).length, most.details.param],
      [['21', '20'], 20, 'count'],
    ];
  },
  offset: async () => {
    for (const label of ['a', 'b', 'c']) await ended(label);
    return [await history({ offset: 1 }), ['b', 'a']];
  },
  includeOld: async () => {
    await ended('old');
    await scene.pass(49 * HOUR_MS);
    const past = { historical: true };
    return [
      [await history(past), await history({ ...past, includeOld: true })],
      [[], ['old']],
    ];
  },
  includeUnfilled: async () => {
    await ended('empty');
    await scene.other('sell', '1000', '100500');
    await buy({ label: 'filled', price: '100500' });
    return [
      [await history({ includeUnfilled: null }), await history()],
      [['filled'], ['filled', 'empty']],
    ];
  },
  withContinuation: async () => {
    for (const label of ['a', 'b']) await ended(label);
    const page = { currency: 'BTC', includeUnfilled: true, withContinuation: true };
    const { orders, continuation } = await scene.get(HISTORY, { ...page, count: 1 });
    const whole = await scene.get(HISTORY, page);
    return [
      [orders.length, typeof continuation, Object.keys(whole)],
      [1, 'string', ['orders']],
    ];
  },
  continuation: async () => {
    for (const label of ['a', 'b', 'c']) await ended(label);
    const page = { currency: 'BTC', includeUnfilled: true, withContinuation: true, count: 2 };
    const { continuation } = await scene.get(HISTORY, page);
    const torn = await scene.refusal(HISTORY, { currency: 'BTC', continuation: 'torn' });
    return [
      [await history({ continuation }), torn.details.param],
      [['a'], 'continuation'],
    ];
  },
  historical: async () => {
    await ended('then');
    await scene.pass(HOUR_MS);
    await ended('now');
    return [
      [await history(), await history({ historical: true })],
      [['now'], ['then']],
    ];
  },
};

const OPEN: Cases = {
  currency: async () => {
    await buy({ label: 'coin' });
    await buy({ instrumentName: btcSpot.name, quantity: '0.01', label: 'spot' });
    return [await open({ currency: 'USDC' }), ['spot']];
  },
  kind: async () => {
    await buy({ label: 'coin' });
    await buy({ ...OPTION, label: 'option' });
    const found: string[] = [];
    for (const kind of KINDS) {
      found.push((await open({ kind })).join());
    }
    return [found, ['coin', 'option', '', '', '', '', 'option,coin']];
  },
  type: async () => {
    const take = { ...STOP, triggerPrice: '105000' };
    await buy({ label: 'L' });
    await sell({ ...STOP, label: 'SM' });
    await sell({ ...STOP, type: 'stop_limit', price: '94000', label: 'SL' });
    await sell({ ...take, type: 'take_market', label: 'TM' });
    await sell({ ...take, type: 'take_limit', price: '106000', label: 'TL' });
    await sell({
      ...STOP,
      type: 'trailing_stop',
      triggerPrice: null,
      triggerOffset: '9',
      label: 'TS',
    });
    const names = ['all', 'limit', 'trigger_all', 'stop_all', 'stop_limit', 'stop_market'];
    const more = ['take_all', 'take_limit', 'take_market', 'trailing_all', 'trailing_stop'];
    const found: string[] = [];
    for (const type of [...names, ...more]) found.push((await open({ type })).sort().join(' '));
    return [
      found,
      [
        'L SL SM TL TM TS',
        'L',
        'SL SM TL TM TS',
        'SL SM',
        'SL',
        'SM',
        'TL TM',
        'TL',
        'TM',
        'TS',
        'TS',
      ],
    ];
  },
};

async function open(params: object): Promise<string[]> {
  const method = 'private/get_open_orders_by_currency';
  const orders = await scene.get(method, { currency: 'BTC', ...params });
  return orders.map((order: Fields) => order.label);
}

const ofOrder = async (params: object): Promise<string[]> => {
  const trades = await scene.get('private/get_user_trades_by_order', params);
  return trades.map((trade: Fields) => trade.tradeId);
};
const twice = async (): Promise<string> => {
  const { orderId } = await buy({});
  await scene.other('sell', '100', '99000');
  await scene.other('sell', '100', '99000');
  await scene.get('private/cancel_all');
  return orderId;
};

const TRADES: Cases = {
  orderId: async () => {
    const orderId = await twice();
    const theirs = { orderId };
    const foreign = await scene.get('private/get_user_trades_by_order', theirs, STRANGER);
    return [
      [await ofOrder({ orderId }), foreign],
      [['1', '2'], []],
    ];
  },
  sorting: async () => {
    const orderId = await twice();
    const found: string[] = [];
    for (const sorting of ['asc', 'desc', 'default']) {
      found.push((await ofOrder({ orderId, sorting })).join());
    }
    return [found, ['1,2', '2,1', '1,2']];
  },
  historical: async () => {
    const orderId = await twice();
    await scene.pass(25 * HOUR_MS);
    return [
      [await ofOrder({ orderId }), await ofOrder({ orderId, historical: true })],
      [[], ['1', '2']],
    ];
  },
};

const METHODS: readonly (readonly [method: string, cases: Cases])[] = [
  ['private/edit_by_label', EDIT],
  ['private/get_open_orders_by_currency', OPEN],
  [HISTORY, PAST],
  ['private/get_user_trades_by_order', TRADES],
];
const ROWS = METHODS.flatMap(([method, cases]) =>
  Object.entries(cases).map(([param, run]) => [method, param, run] as const),
);

it.each(METHODS)('%s has no undocumented params', (method, cases) => {
  const shape = paramsOf(method).filter((name) => name !== 'accountId');
  expect(shape.filter((name) => !(name in cases))).toEqual([]);
});

it.each(ROWS)('%s accepts %s with its documented effect', async (method, param, run) => {
  const [got, expected] = await run();
  expect(got).toEqual(expected);
  expect(scene.sent.get(method)).toContain(param);
});
