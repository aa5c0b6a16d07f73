// Every documented param of the order methods, sent by itself, with its expected effect.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { btcCall, btcPerpetual, btcSpot } from '../../../exchange/instruments.ts';
import { type Fields, OrderScene, paramsOf } from '../order-scene.ts';

let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

const BTC = btcPerpetual.name;
const buy = (params: object) => scene.buy(params);
const sell = (params: object) => scene.sell(params);
const refused = (params: object) => scene.refusedBuy(params);
const STOP = { type: 'stop_market', trigger: 'mark_price', triggerPrice: '95000', price: null };

type Case = () => Promise<readonly [told: unknown, expected: unknown]>;
type Cases = Readonly<Record<string, Case>>;

/** An untriggered linked order with `params`. */
async function other(params: object): Promise<Fields> {
  await buy({
    linkedOrderType: 'one_triggers_other',
    otocoConfig: [{ side: 'sell', price: '105000', ...params }],
  });
  const open = await scene.get('private/get_open_orders', {});
  return open.find((order: Fields) => order.isSecondaryOto);
}

const BUY: Cases = {
  instrumentName: async () => [
    (await buy({ instrumentName: btcSpot.name, quantity: '0.01' })).instrumentName,
    btcSpot.name,
  ],
  quantity: async () => [
    [(await buy({ quantity: '20' })).quantity, (await refused({ quantity: '25' })).details.param],
    ['20', 'quantity'],
  ],
  contracts: async () => [
    [
      (await buy({ quantity: null, contracts: '7' })).quantity,
      (await buy({ quantity: '70', contracts: '7' })).quantity,
      (await refused({ quantity: '70', contracts: '8' })).details.param,
      (await refused({ quantity: null })).details.param,
    ],
    ['70', '70', 'contracts', 'quantity'],
  ],
  type: async () => {
    await scene.other('sell', '400', '100500');
    const { price, filledQuantity } = await buy({ type: 'market_limit', price: null });
    return [
      [(await buy({})).orderType, price, filledQuantity],
      ['limit', '100500', '400'],
    ];
  },
  label: async () => [
    [
      (await buy({ label: 'mine' })).label,
      (await buy({ label: '😀'.repeat(64) })).label,
      (await refused({ label: 'x'.repeat(65) })).details.param,
    ],
    ['mine', '😀'.repeat(64), 'label'],
  ],
  price: async () => [
    [(await buy({ price: '98999.5' })).price, (await refused({ price: '98999.7' })).code],
    ['98999.5', 10043],
  ],
  timeInforce: async () => {
    const { orderState, cancelReason } = await buy({ timeInforce: 'immediate_or_cancel' });
    return [
      [orderState, cancelReason],
      ['cancelled', undefined],
    ];
  },
  displayAmount: async () => {
    const size = { quantity: '200000', displayAmount: '2000' };
    await buy(size);
    const book = await scene.get('public/get_order_book', { instrumentName: BTC });
    return [
      [book.bids, (await refused({ ...size, displayAmount: '1000' })).code],
      [[['99000', '2000']], 10036],
    ];
  },
  postOnly: async () => {
    await scene.other('sell', '1000', '100500');
    const { price } = await buy({ price: '101000', postOnly: true });
    const day = await refused({ postOnly: true, timeInforce: 'good_til_day' });
    return [
      [price, day.code],
      ['100499.5', 11047],
    ];
  },
  rejectPostOnly: async () => {
    await scene.other('sell', '1000', '100500');
    const strict = { price: '101000', postOnly: true, rejectPostOnly: true };
    const linked = { side: 'sell', price: '102000', rejectPostOnly: true };
    const withLinked = { linkedOrderType: 'one_triggers_other', otocoConfig: [linked] };
    const alone = [await refused({ rejectPostOnly: true }), await refused(withLinked)];
    return [
      [(await refused(strict)).message, ...alone.map(({ details }) => details.param)],
      ['post_only_reject', 'rejectPostOnly', 'otocoConfig[0].rejectPostOnly'],
    ];
  },
  reduceOnly: async () => [(await refused({ reduceOnly: true })).code, 11030],
  triggerPrice: async () => [
    [
      (await sell(STOP)).triggerPrice,
      (await refused({ ...STOP, triggerPrice: null })).details.param,
    ],
    ['95000', 'triggerPrice'],
  ],
  triggerOffset: async () => {
    const trail = { type: 'trailing_stop', trigger: 'mark_price', price: null };
    const { triggerPrice } = await buy({ ...trail, triggerOffset: '100' });
    return [
      [triggerPrice, (await refused(trail)).details.param],
      ['100200', 'triggerOffset'],
    ];
  },
  trigger: async () => {
    const { orderId } = await sell({ ...STOP, trigger: 'index_price' });
    await scene.worth(btcPerpetual, { mark: '94000' });
    const before = (await scene.order(orderId)).orderState;
    await scene.worth(btcPerpetual, { index: '95000' });
    const without = await refused({ ...STOP, trigger: null });
    return [
      [before, (await scene.order(orderId)).orderState, without.details.param],
      ['untriggered', 'triggered', 'trigger'],
    ];
  },
  advanced: async () => {
    const option = { instrumentName: btcCall.name, quantity: '1', price: '5000', advanced: 'usd' };
    return [
      [(await buy(option)).price, (await refused({ advanced: 'usd' })).code],
      ['0.05', 11038],
    ];
  },
  mmp: async () => [
    [(await buy({ mmp: true })).mmp, (await refused({ ...STOP, mmp: true })).code],
    [true, 11047],
  ],
  validUntil: async () => {
    const now = scene.clock.now();
    const late = await refused({ validUntil: now });
    return [
      [(await buy({ validUntil: now + 1 })).orderState, late.code, late.message],
      ['open', 13888, 'timed_out'],
    ];
  },
  linkedOrderType: async () => {
    const others = { otocoConfig: [{ side: 'sell', price: '105000' }] };
    await buy({ ...others, linkedOrderType: 'one_cancels_other' });
    const open = await scene.get('private/get_open_orders', {});
    const wrong = await refused({ ...others, linkedOrderType: 'twins' });
    return [
      [open.map((order: Fields) => order.orderState), wrong.details.param],
      [['open', 'open'], 'linkedOrderType'],
    ];
  },
  triggerFillCondition: async () => {
    const wish = {
      linkedOrderType: 'one_triggers_other',
      otocoConfig: [{ side: 'sell', price: '105000' }],
    };
    const conditions = ['first_hit', 'complete_fill', 'incremental', undefined];
    for (const triggerFillCondition of conditions) await buy({ ...wish, triggerFillCondition });
    // A third of each: all at once, nothing yet, a third in whole contracts, and the first again.
    for (let n = 0; n < 4; n += 1) {
      await scene.other('sell', '330', '99000');
      const params = { currency: 'BTC' };
      const open = await scene.get('private/get_open_orders_by_currency', params);
      const first = open.findLast((order: Fields) => order.side === 'buy');
      await scene.get('private/cancel', { orderId: first.orderId });
    }
    const placed = (await scene.get('private/get_open_orders', {})).reverse();
    return [placed.map((order: Fields) => order.quantity), ['1000', '330', '1000']];
  },
  otocoConfig: async () => {
    const { side, price, quantity, orderState } = await other({ quantity: '500' });
    return [
      [side, price, quantity, orderState],
      ['sell', '105000', '500', 'untriggered'],
    ];
  },
};

const told =
  (params: object, field: string, expected: unknown): Case =>
  async () => [(await other(params))[field], expected];
const OTHER: Cases = {
  side: told({}, 'side', 'sell'),
  quantity: told({ quantity: '500' }, 'quantity', '500'),
  type: told({ ...STOP }, 'orderType', 'stop_market'),
  label: told({ label: 'profit' }, 'label', 'profit'),
  price: told({ price: '104000' }, 'price', '104000'),
  reduceOnly: told({ reduceOnly: true }, 'reduceOnly', true),
  timeInforce: told({ timeInforce: 'good_til_day' }, 'timeInforce', 'good_til_day'),
  postOnly: told({ postOnly: true }, 'postOnly', true),
  rejectPostOnly: told({ postOnly: true, rejectPostOnly: true }, 'rejectPostOnly', true),
  triggerPrice: told({ ...STOP, triggerPrice: '94000' }, 'triggerPrice', '94000'),
  triggerOffset: told(
    { type: 'trailing_stop', trigger: 'mark_price', triggerOffset: '500', price: null },
    'triggerOffset',
    '500',
  ),
  trigger: told({ ...STOP, trigger: 'last_price' }, 'trigger', 'last_price'),
};

const ROWS = [
  ...Object.entries(BUY),
  ...Object.entries(OTHER).map(([param, run]) => [`otocoConfig.${param}`, run] as const),
];

it('private/buy has no undocumented params except those of this gateway', () => {
  const shape = paramsOf('private/buy');
  expect(shape.filter((name) => !(name in BUY))).toEqual([
    'timeInForce',
    'idempotencyKey',
    'accountId',
  ]);
});

it.each(ROWS)('private/buy accepts %s with its documented effect', async (param, run) => {
  const [got, expected] = await run();
  expect(got).toEqual(expected);
  expect(scene.sent.get('private/buy')).toContain(param);
});
