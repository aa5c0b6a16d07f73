// What the channels of an account publish when an option settles into the future of its expiry, at 08:00 of 25 December. The account
// is long two calls at 100,000 and short 100,000 USD of the future at 105,000; all is delivered at 110,000. The other account has
// the opposite.
//
// Decision: a settlement is no order and no trade, so `user.changes` and `user.trades` publish nothing of it, and `user.portfolio` what
// it moved.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instrumentName } from '../../../../src/values/ids.ts';
import { later, MINUTE_MS } from '../../../../src/values/instant.ts';
import { btcCall, btcPerpetual, EXPIRY } from '../../../exchange/instruments.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene, MAKER_LOGIN, TAKER_LOGIN } from '../deribit-scene.ts';

const FUTURE = {
  ...btcPerpetual,
  name: instrumentName('BTC-25DEC26'),
  kind: 'future',
  expiresAt: EXPIRY,
} as const;
const COIN = { index: '105000', mark: '105000', min: '90000', max: '120000' };

let scene: DeribitScene;
beforeEach(async () => {
  scene = new DeribitScene({}, { at: later(EXPIRY, -MINUTE_MS) });
  scene.rid.market.list(FUTURE, COIN);
  await trade(btcCall, 'buy', '2', '0.1');
  await trade(FUTURE, 'sell', '100000', '105000');
  // The notices of the trades.
  await scene.rid.pass(1);
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  expect(scene.faults).toEqual([]);
  await scene.close();
});

async function trade(
  of: typeof btcCall,
  side: 'buy' | 'sell',
  amount: string,
  price: string,
): Promise<void> {
  await scene.rid.other(side === 'buy' ? 'sell' : 'buy', amount, price, of);
  await scene.get(`private/${side}`, { instrument_name: of.name, amount, price });
}

function granted(channel: string, as = TAKER_LOGIN): Fields[] {
  const frames = scene.follow(channel, as);
  if (frames === undefined) throw new Error(`${channel} was not granted`);
  return frames;
}

const balanceOf = async (as = TAKER_LOGIN): Promise<number> =>
  Number((await scene.get('private/get_account_summary', { currency: 'BTC' }, as)).balance);

/** Past the settlement and its pause. */
async function expire(): Promise<void> {
  for (const one of [btcCall, FUTURE]) scene.rid.market.move(one, { index: '110000' });
  await scene.rid.pass(MINUTE_MS + 10_000);
}

test('user.portfolio has what the settlement moved, netted in the future, for both sides', async () => {
  const own = granted('user.portfolio.btc');
  const others = granted('user.portfolio.btc', MAKER_LOGIN);
  const before = [await balanceOf(), await balanceOf(MAKER_LOGIN)];
  await expire();
  // The calls are long 200,000 USD of the future at 100,000, of which 100,000 close the short from 105,000 and the rest is delivered:
  // 1 − 100/105 + 1 − 100/110 coins. The option's delivery fee is 0.015 % of two coins; the future's is due on nothing, because what
  // is left of it came from the calls.
  const profit = 2 - 100 / 105 - 100 / 110;
  const fee = 0.0003;
  const after = [await balanceOf(), await balanceOf(MAKER_LOGIN)];
  expect(after[0]).toBeCloseTo((before[0] ?? 0) + profit - fee, 7);
  expect(after[1]).toBeCloseTo((before[1] ?? 0) - profit - fee, 7);
  await expect.poll(() => Number(own.at(-1)?.balance)).toBe(after[0]);
  await expect.poll(() => Number(others.at(-1)?.balance)).toBe(after[1]);
  expect(own.at(-1)).toMatchObject({ initial_margin: '0', options_value: '0' });
  expect(own.at(-1)).toEqual(await scene.get('private/get_account_summary', { currency: 'BTC' }));
});

test('neither a trade nor a position is published, and no position of the option or the future is left', async () => {
  const changes = granted('user.changes.any.any.raw');
  const trades = granted('user.trades.any.any.raw');
  const portfolio = granted('user.portfolio.btc');
  await expect.poll(() => portfolio.length).toBeGreaterThan(0);
  const held: Fields[] = await scene.get('private/get_positions', { currency: 'BTC' });
  expect(held.map(({ instrument_name, size }) => [instrument_name, size]).sort()).toEqual([
    [FUTURE.name, '-100000'],
    [btcCall.name, '2'],
  ]);
  const begun = portfolio.length;
  await expire();
  await expect.poll(() => portfolio.length).toBeGreaterThan(begun);
  expect(await scene.get('private/get_positions', { currency: 'BTC' })).toEqual([]);
  expect(await scene.get('private/get_positions', { currency: 'BTC' }, MAKER_LOGIN)).toEqual([]);
  expect([changes, trades]).toEqual([[], []]);
});

test('orders that rest in the option and in its future are published as cancelled, without a reason', async () => {
  const low = { label: 'low', post_only: true };
  const calls = { instrument_name: btcCall.name, amount: '1', price: '0.05', ...low };
  const futures = { instrument_name: FUTURE.name, amount: '1000', price: '95000', ...low };
  await scene.get('private/buy', calls);
  await scene.get('private/buy', futures);
  await scene.rid.pass(1);
  const changes = granted('user.changes.any.any.raw');
  const orders = granted('user.orders.any.any.raw');
  await expire();
  await expect.poll(() => [orders.length, changes.length]).toEqual([2, 2]);
  for (const order of orders) {
    expect(order).toMatchObject({ order_state: 'cancelled', filled_amount: '0' });
    expect(order).not.toHaveProperty('cancel_reason');
  }
  const frames = changes.map(({ instrument_name, orders: [order], trades, positions }) => {
    return [instrument_name, order.order_state, trades, positions];
  });
  expect(frames.sort()).toEqual([
    [FUTURE.name, 'cancelled', [], []],
    [btcCall.name, 'cancelled', [], []],
  ]);
});
