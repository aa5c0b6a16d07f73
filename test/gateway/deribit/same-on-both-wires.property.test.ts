// After any course of orders, Deribit's wire and our own show the same orders, trades, positions and balances, field by
// field and digit by digit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { btcCall, btcPerpetual, btcSpot, btcUsdcPerpetual } from '../../exchange/instruments.ts';
import type { Fields } from '../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN } from './deribit-scene.ts';

/** Members whose names differ in more than their spelling. */
const RENAMED: Readonly<Record<string, string>> = {
  side: 'direction',
  quantity: 'amount',
  filledQuantity: 'filled_amount',
  createdAt: 'creation_timestamp',
  lastUpdatedAt: 'last_update_timestamp',
  accountId: 'id',
};

/** Members of our own wire alone. */
const OWN = new Set(['timeInforce', 'firedOrderId']);

const snake = (name: string): string =>
  RENAMED[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A record of our own wire in the names of the other; numbers are text on both. */
function renamed(value: Fields): Fields {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      OWN.has(name) || one === undefined ? [] : [[snake(name), renamed(one)]],
    ),
  );
}

const PRICES = {
  perpetual: ['98000', '99000', '100000', '101000', '102000'],
  call: ['0.09', '0.1', '0.11'],
};
const MARKETS = [
  { name: btcPerpetual.name, amounts: ['1000', '2000'], prices: PRICES.perpetual },
  { name: btcUsdcPerpetual.name, amounts: ['0.01', '0.02'], prices: PRICES.perpetual },
  { name: btcSpot.name, amounts: ['0.01', '0.02'], prices: PRICES.perpetual },
  { name: btcCall.name, amounts: ['1', '2'], prices: PRICES.call },
];

type Market = (typeof MARKETS)[number];

const SELDOM = fc.nat(9).map((drawn) => drawn === 0);
const SOMETIMES = fc.constantFrom(true, false, false, false);

const plainOrder = ({ name, amounts, prices }: Market) =>
  fc.record({
    instrument_name: fc.constant(name),
    amount: fc.constantFrom(...amounts),
    price: fc.constantFrom(...prices),
    type: fc.constantFrom('limit', 'limit', 'limit', 'market', 'market_limit'),
    label: fc.constantFrom('a', 'b', ''),
    post_only: SOMETIMES.map((flag) => (flag ? 'true' : false)),
    reduce_only: SELDOM,
  });

const triggerOrder = ({ name, amounts, prices }: Market) =>
  fc.record({
    instrument_name: fc.constant(name),
    amount: fc.constantFrom(...amounts),
    price: fc.constantFrom(...prices),
    type: fc.constantFrom('stop_limit', 'stop_market', 'take_limit', 'take_market'),
    trigger: fc.constantFrom('index_price', 'mark_price'),
    trigger_price: fc.constantFrom('98500', '101500'),
  });

const of = (market: Market) =>
  fc.record({
    kind: fc.constant('place' as const),
    by: fc.constantFrom('taker' as const, 'maker' as const),
    side: fc.constantFrom('buy', 'sell'),
    params: fc.oneof(
      { weight: 4, arbitrary: plainOrder(market) },
      { weight: 1, arbitrary: triggerOrder(market) },
    ),
  });

const placing = fc.oneof(
  ...MARKETS.map((market, at) => ({ weight: at === 0 ? 3 : 1, arbitrary: of(market) })),
);

const step = fc.oneof(
  { weight: 10, arbitrary: placing },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      nth: fc.nat(5),
      price: fc.constantFrom(...PRICES.perpetual),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('worth' as const),
      mark: fc.constantFrom('98000', '99000', '101000', '102000'),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A refusal is as good a step as any other. */
async function take(scene: DeribitScene, one: Step): Promise<void> {
  if (one.kind === 'place') {
    const { price, ...rest } = one.params;
    const isPriced = rest.type.endsWith('limit') && rest.type !== 'market_limit';
    const params = isPriced ? { ...rest, price } : rest;
    await scene.reply(`private/${one.side}`, params, one.by === 'maker' ? MAKER_LOGIN : undefined);
    return;
  }
  if (one.kind === 'worth') {
    await scene.rid.worth(btcPerpetual, { index: one.mark, mark: one.mark });
    return;
  }
  const open = await scene.get('private/get_open_orders');
  const order = open[one.nth % Math.max(1, open.length)];
  if (order === undefined) return;
  const { order_id, amount } = order;
  if (one.kind === 'cancel') await scene.reply('private/cancel', { order_id });
  else await scene.reply('private/edit', { order_id, amount, price: one.price });
}

/** Returns how many trades were compared. */
async function compare(scene: DeribitScene): Promise<number> {
  const { rid } = scene;
  expect(await scene.get('private/get_open_orders')).toMatchObject(
    renamed(await rid.get('private/get_open_orders')).map(ofOrder),
  );
  let count = 0;
  for (const currency of ['BTC', 'USDC']) {
    const closed = { currency, count: 100 };
    expect(
      await scene.get('private/get_order_history_by_currency', {
        ...closed,
        include_unfilled: 'true',
      }),
    ).toMatchObject(
      renamed(
        await rid.get('private/get_order_history_by_currency', {
          ...closed,
          includeUnfilled: true,
        }),
      ).map(ofOrder),
    );
    const traded = await scene.get('private/get_user_trades_by_currency', {
      ...closed,
      sorting: 'asc',
    });
    count += traded.trades.length;
    expect(traded).toMatchObject(
      renamed(await rid.get('private/get_user_trades_by_currency', { ...closed, sorting: 'asc' })),
    );
    expect(await scene.get('private/get_positions', { currency })).toMatchObject(
      renamed(
        (await rid.get('private/get_positions', { currency })).filter(
          ({ kind }: Fields) => kind !== 'spot',
        ),
      ),
    );
    expect(
      await scene.get('private/get_account_summary', { currency, extended: true }),
    ).toMatchObject(renamed(await rid.get('private/get_account_summary', { currency })));
  }
  return count;
}

/** Spot orders have no flag to reduce on Deribit's wire; others always have one. */
const ofOrder = ({ reduce_only, ...order }: Fields) =>
  order.instrument_name.includes('-') ? { ...order, reduce_only: reduce_only === true } : order;

test('any course of orders is shown by both wires alike', async () => {
  let trades = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
      async (steps) => {
        const scene = new DeribitScene();
        for (const one of steps) await take(scene, one);
        trades += await compare(scene);
        expect([...scene.check.faults]).toEqual([]);
        await scene.close();
      },
    ),
    { numRuns: 120 },
  );
  expect(trades).toBeGreaterThan(0);
});
