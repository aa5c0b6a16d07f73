// What a position shows of its past: the average of what opened it, and the profit of what closed it.
import { BigNumber } from 'bignumber.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcPerpetual, btcUsdcPerpetual } from '../../../exchange/instruments.ts';
import { DeribitScene } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const INVERSE = { instrument_name: btcPerpetual.name };
const LINEAR = { instrument_name: btcUsdcPerpetual.name };

async function trade(side: 'buy' | 'sell', amount: string, price: string, of = btcPerpetual) {
  await scene.rid.other(side === 'buy' ? 'sell' : 'buy', amount, price, of);
  await scene.get(`private/${side}`, { instrument_name: of.name, amount, price });
}

test.each([
  ['10', '101191.5'],
  ['100000000', '101191.5'],
  ['10', '99000.5'],
] as const)(
  'a position of %s USD opened at %s has that average, to the last digit',
  async (amount, price) => {
    await trade('buy', amount, price);
    expect(await scene.get('private/get_position', INVERSE)).toMatchObject({
      size: amount,
      average_price: price,
    });
  },
);

test('a position of many fills at one price keeps it as its average while it is reduced', async () => {
  for (let fill = 0; fill < 40; fill += 1) await trade('sell', '10', '101191.5');
  for (let fill = 0; fill < 13; fill += 1) await trade('buy', '30', '100000');
  expect(await scene.get('private/get_position', INVERSE)).toMatchObject({
    size: '-10',
    average_price: '101191.5',
  });
});

test('the average of inverse fills is their dollars over their coins, rounded to eight places', async () => {
  const fills = [
    ['70', '100000.5'],
    ['10', '101191.5'],
    ['230', '99999.5'],
  ] as const;
  for (const [amount, price] of fills) await trade('buy', amount, price);
  const Exact = BigNumber.clone({ DECIMAL_PLACES: 40 });
  const coins = fills.reduce((sum, [usd, at]) => sum.plus(new Exact(usd).div(at)), new Exact(0));
  const average = new Exact(310).div(coins).decimalPlaces(8, BigNumber.ROUND_HALF_EVEN);
  const shown = await scene.get('private/get_position', INVERSE);
  expect(shown.average_price).toBe(average.toFixed());
});

test('a closed position keeps what it realised until the settlement, and is no open position', async () => {
  await trade('buy', '0.5', '99000', btcUsdcPerpetual);
  await trade('sell', '0.5', '101000', btcUsdcPerpetual);
  const flat = {
    size: '0',
    direction: 'zero',
    average_price: '0',
    floating_profit_loss: '0',
    initial_margin: '0',
    delta: '0',
  };
  // 0.5 × (101,000 − 99,000).
  const profit = { realized_profit_loss: '1000', total_profit_loss: '1000' };
  expect(await scene.get('private/get_position', LINEAR)).toMatchObject({ ...flat, ...profit });
  expect(await scene.get('private/get_positions', { currency: 'USDC' })).toEqual([]);
  // Another 0.5 × (99,000 − 101,000) × 2.
  await trade('buy', '1', '101000', btcUsdcPerpetual);
  await trade('sell', '1', '99000', btcUsdcPerpetual);
  const loss = { realized_profit_loss: '-1000', total_profit_loss: '-1000' };
  expect(await scene.get('private/get_position', LINEAR)).toMatchObject({ ...flat, ...loss });
  await scene.rid.pass(24 * 3_600_000);
  const none = { realized_profit_loss: '0', total_profit_loss: '0' };
  expect(await scene.get('private/get_position', LINEAR)).toMatchObject({ ...flat, ...none });
});

test('user.changes has the closed position with the trade that closed it', async () => {
  const frames = scene.follow('user.changes.any.any.raw') ?? [];
  await trade('sell', '0.5', '101000', btcUsdcPerpetual);
  await trade('buy', '0.5', '99000', btcUsdcPerpetual);
  await scene.rid.pass(1);
  await expect.poll(() => frames.at(-1)?.positions[0]?.size).toBe('0');
  expect(frames.at(-1).positions).toMatchObject([{ ...LINEAR, realized_profit_loss: '1000' }]);
});
