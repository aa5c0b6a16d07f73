// Every documented field of an order, with the expected value in a case that sets it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { orderSchema } from '../../../../src/gateway/order-api/orders/order-schema.ts';
import { btcCall, btcPerpetual } from '../../../exchange/instruments.ts';
import { type Fields, OrderScene } from '../order-scene.ts';

let scene: OrderScene;
beforeEach(() => {
  scene = new OrderScene();
});
afterEach(() => scene.close());

const BTC = btcPerpetual.name;

async function placed(side: 'buy' | 'sell', params: object): Promise<Fields> {
  const order = { instrumentName: BTC, quantity: '1000', ...params };
  return (await scene.get(`private/${side}`, order)).order;
}

const resting = (params: object = {}) => placed('buy', { price: '99000', ...params });

/** Long 1000 at 100500. */
async function long(): Promise<void> {
  await scene.other('sell', '1000', '100500');
  await placed('buy', { price: '100500' });
}

const stop = (params: object = {}) =>
  placed('sell', { type: 'stop_market', trigger: 'mark_price', triggerPrice: '95000', ...params });

const trailing = () =>
  placed('sell', { type: 'trailing_stop', trigger: 'mark_price', triggerOffset: '5000' });

async function fired(): Promise<{ readonly parent: Fields; readonly child: Fields }> {
  const { orderId } = await stop({ type: 'stop_limit', price: '103000', label: 'guard' });
  await scene.worth(btcPerpetual, { mark: '95000' });
  const labelled = { currency: 'BTC', label: 'guard' };
  const all = await scene.get('private/get_order_state_by_label', labelled);
  const one = (isParent: boolean) => all.find((o: Fields) => (o.orderId === orderId) === isParent);
  return { parent: one(true), child: one(false) };
}

/**
 * A reduce-only stop of an account without a position: it is triggered, and the order it creates is rejected.
 */
async function rejected(): Promise<Fields> {
  await scene.worth(btcPerpetual, { mark: '100100' });
  await stop({ reduceOnly: true, label: 'naked' });
  await scene.worth(btcPerpetual, { mark: '95000' });
  const labelled = { currency: 'BTC', label: 'naked' };
  const all = await scene.get('private/get_order_state_by_label', labelled);
  return all.find((one: Fields) => one.orderState === 'rejected');
}

const advanced = (kind: 'usd' | 'implv', price: string) =>
  placed('buy', { instrumentName: btcCall.name, quantity: '1', price, advanced: kind });

/** A bracket: a primary order with a take-profit and a stop-loss. */
async function bracket(): Promise<{
  readonly primary: Fields;
  readonly profit: Fields;
  readonly loss: Fields;
}> {
  const primary = await resting({
    linkedOrderType: 'one_triggers_one_cancels_other',
    triggerFillCondition: 'incremental',
    otocoConfig: [
      { side: 'sell', price: '105000', label: 'profit' },
      {
        side: 'sell',
        type: 'stop_market',
        label: 'loss',
        trigger: 'last_price',
        triggerPrice: '95000',
      },
    ],
  });
  const open = await scene.get('private/get_open_orders_by_currency', { currency: 'BTC' });
  const one = (label: string) => open.find((order: Fields) => order.label === label);
  return { primary, profit: one('profit'), loss: one('loss') };
}

async function iceberg(): Promise<Fields> {
  const { orderId } = await resting({ quantity: '10000', displayAmount: '1000' });
  await scene.other('sell', '9500', '99000');
  return await scene.order(orderId);
}

async function cancelled(reason?: string): Promise<Fields> {
  const { orderId } = await resting();
  return await scene.get('private/cancel', { orderId, reason });
}

/** 400 at 100400 and 600 at 100500. */
async function walked(): Promise<Fields> {
  await scene.other('sell', '400', '100400');
  await scene.other('sell', '900', '100500');
  return await placed('buy', { type: 'market' });
}

/** Filled only at the best price. */
async function boundByTouch(): Promise<Fields> {
  await scene.other('sell', '400', '100400');
  return await placed('buy', { type: 'market_limit' });
}

async function halfFilled(): Promise<Fields> {
  const { orderId } = await resting();
  await scene.other('sell', '400', '99000');
  return await scene.order(orderId);
}

async function edited(): Promise<Fields> {
  await resting({ label: 'mine' });
  await scene.pass(7_000);
  const change = { label: 'mine', instrumentName: BTC, quantity: '500' };
  return (await scene.get('private/edit_by_label', change)).order;
}

async function repriced(): Promise<Fields> {
  const { orderId } = await advanced('usd', '10000');
  await scene.worth(btcCall, { index: '80000' });
  return await scene.order(orderId);
}

const states = async (): Promise<string[]> => {
  const { parent } = await fired();
  const all = [await resting(), await cancelled(), await stop({ triggerPrice: '90000' }), parent];
  return [...all, await rejected()].map((one) => one.orderState);
};

type Case = () => Promise<readonly [told: unknown, expected: unknown]>;

const told =
  (of: () => Promise<Fields>, field: string, expected: unknown): Case =>
  async () => [(await of())[field], expected];

const CASES: Readonly<Record<string, Case>> = {
  orderId: told(resting, 'orderId', '1'),
  instrumentName: told(() => advanced('usd', '1000'), 'instrumentName', btcCall.name),
  side: told(stop, 'side', 'sell'),
  orderType: async () => [
    [(await stop()).orderType, (await trailing()).orderType, (await fired()).child.orderType],
    ['stop_market', 'trailing_stop', 'limit'],
  ],
  originalOrderType: told(boundByTouch, 'originalOrderType', 'market_limit'),
  orderState: async () => [
    [...(await states()), (await walked()).orderState],
    ['open', 'cancelled', 'untriggered', 'triggered', 'rejected', 'filled'],
  ],
  price: async () => [
    [(await resting()).price, (await stop()).price],
    ['99000', 'market_price'],
  ],
  quantity: told(edited, 'quantity', '500'),
  contracts: told(resting, 'contracts', '100'),
  filledQuantity: told(halfFilled, 'filledQuantity', '400'),
  averagePrice: told(walked, 'averagePrice', '100460'),
  timeInforce: told(() => resting({ timeInforce: 'fill_or_kill' }), 'timeInforce', 'fill_or_kill'),
  timeInForce: async () => [
    await Promise.all(
      ['good_til_cancelled', 'good_til_day', 'immediate_or_cancel'].map(
        async (timeInForce) => (await resting({ timeInForce })).timeInForce,
      ),
    ),
    ['good_til_cancelled', 'good_til_day', 'immediate_or_cancel'],
  ],
  postOnly: told(() => resting({ postOnly: true }), 'postOnly', true),
  rejectPostOnly: told(
    () => resting({ postOnly: true, rejectPostOnly: true }),
    'rejectPostOnly',
    true,
  ),
  reduceOnly: async () => {
    await long();
    const order = await placed('sell', { quantity: '3000', price: '101000', reduceOnly: true });
    return [
      [order.reduceOnly, order.quantity],
      [true, '1000'],
    ];
  },
  label: told(() => resting({ label: 'x'.repeat(64) }), 'label', 'x'.repeat(64)),
  createdAt: async () => {
    const at = scene.clock.now();
    return [(await edited()).createdAt, at];
  },
  lastUpdatedAt: async () => {
    const at = scene.clock.now();
    return [(await edited()).lastUpdatedAt, at + 7_000];
  },
  cancelReason: async () => [
    [(await cancelled()).cancelReason, (await cancelled('risk_mitigation')).cancelReason],
    ['user_request', 'risk_mitigation'],
  ],
  replaced: told(edited, 'replaced', true),
  autoReplaced: async () => {
    const { autoReplaced, replaced, price } = await repriced();
    return [
      [autoReplaced, replaced, price],
      [true, true, '0.125'],
    ];
  },
  advanced: told(() => advanced('usd', '10000'), 'advanced', 'usd'),
  implv: async () => {
    const { advanced: kind, implv, usd } = await advanced('implv', '55');
    return [
      [kind, implv, usd],
      ['implv', '55', undefined],
    ];
  },
  usd: async () => {
    const { usd, price, implv } = await advanced('usd', '10000');
    return [
      [usd, price, implv],
      ['10000', '0.1', undefined],
    ];
  },
  displayAmount: told(iceberg, 'displayAmount', '500'),
  refreshAmount: told(iceberg, 'refreshAmount', '1000'),
  trigger: async () => [
    await Promise.all(
      ['index_price', 'mark_price'].map(async (trigger) => (await stop({ trigger })).trigger),
    ),
    ['index_price', 'mark_price'],
  ],
  triggerPrice: async () => [
    [(await stop()).triggerPrice, (await trailing()).triggerPrice],
    ['95000', '95100'],
  ],
  triggerOffset: told(trailing, 'triggerOffset', '5000'),
  triggerReferencePrice: told(trailing, 'triggerReferencePrice', '100100'),
  triggered: async () => {
    const { parent, child } = await fired();
    return [
      [parent.triggered, parent.firedOrderId],
      [true, child.orderId],
    ];
  },
  triggerOrderId: async () => {
    const { parent, child } = await fired();
    return [child.triggerOrderId, parent.orderId];
  },
  triggerFillCondition: async () => {
    const { primary, profit } = await bracket();
    return [
      [primary.triggerFillCondition, profit.triggerFillCondition],
      ['incremental', 'incremental'],
    ];
  },
  otoOrderIds: async () => {
    const { primary, profit, loss } = await bracket();
    return [primary.otoOrderIds, [profit.orderId, loss.orderId]];
  },
  isSecondaryOto: async () => {
    const { primary, profit, loss } = await bracket();
    return [
      [primary.isSecondaryOto, profit.isSecondaryOto, loss.isSecondaryOto],
      [undefined, true, true],
    ];
  },
  isPrimaryOtoco: async () => {
    const { primary, profit } = await bracket();
    return [
      [primary.isPrimaryOtoco, profit.isPrimaryOtoco],
      [true, undefined],
    ];
  },
  primaryOrderId: async () => {
    const { primary, profit, loss } = await bracket();
    const [one, other] = [profit.primaryOrderId, loss.primaryOrderId];
    return [
      [one, other],
      [primary.orderId, primary.orderId],
    ];
  },
  ocoRef: async () => {
    const { primary, profit, loss } = await bracket();
    expect(profit.ocoRef).toMatch(/./);
    return [
      [primary.ocoRef, loss.ocoRef],
      [undefined, profit.ocoRef],
    ];
  },
  mmp: told(() => resting({ mmp: true }), 'mmp', true),
  mmpCancelled: async () => {
    const { mmpCancelled, cancelReason } = await cancelled('mmp_trigger');
    return [
      [mmpCancelled, cancelReason, (await cancelled()).mmpCancelled],
      [true, 'mmp_trigger', undefined],
    ];
  },
  isLiquidation: async () => [
    [(await resting()).isLiquidation, (await scene.liquidated()).order.isLiquidation],
    [undefined, true],
  ],
  api: told(resting, 'api', true),
  riskReducing: told(resting, 'riskReducing', false),
};

/** Fields of orders that do not exist here: mass quotes, web frontend and the like. */
const NEVER = [
  'mmpGroup',
  'quote',
  'quoteId',
  'quoteSetId',
  'web',
  'mobile',
  'isRebalance',
  'blockTrade',
];

it.each(Object.entries(CASES))('an order has the field %s', async (_field, run) => {
  const [got, expected] = await run();
  expect(got).toEqual(expected);
});

it('an order has no undocumented fields except firedOrderId', async () => {
  const { parent, child } = await fired();
  const { primary, profit, loss } = await bracket();
  const all = [parent, child, primary, profit, loss, await rejected(), await repriced()];
  const more = [await iceberg(), await cancelled('mmp_trigger'), await halfFilled()];
  const names = new Set([...all, ...more].flatMap((order) => Object.keys(order)));
  const beside = [...names].filter((name) => !(name in CASES));
  expect(beside).toEqual(['firedOrderId']);
  expect(Object.keys(orderSchema.shape).filter((name) => !(name in CASES))).toEqual(beside);
  expect(NEVER.filter((name) => name in CASES)).toEqual([]);
});

it('an order is the same in the answer to buy and in all queries, and every change is published', async () => {
  const news: Fields[] = [];
  scene.venue.subscribe((one) => {
    if (one.kind === 'order') news.push(one.order.orderId);
  });
  const order = await resting({ label: 'same' });
  const { orderId } = order;
  const filter = { currency: 'BTC' };
  expect(await scene.get('private/get_open_orders_by_currency', filter)).toEqual([order]);
  expect(await scene.get('private/get_open_orders', {})).toEqual([order]);
  const there = { instrumentName: BTC };
  expect(await scene.get('private/get_open_orders_by_instrument', there)).toEqual([order]);
  expect(await scene.order(orderId)).toEqual(order);
  const gone = await scene.get('private/cancel', { orderId });
  const all = { ...filter, includeUnfilled: true };
  expect(await scene.get('private/get_order_history_by_currency', all)).toEqual([gone]);
  await scene.pass(10);
  expect(news).toEqual([orderId, orderId]);
});
