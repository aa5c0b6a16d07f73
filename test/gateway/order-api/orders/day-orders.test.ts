// The lifetime of a good-til-day order: until the next settlement at 08:00 UTC, whenever it was placed.
import { expect, it } from 'vitest';
import { later, utcInstant } from '../../../../src/values/instant.ts';
import { OrderScene } from '../order-scene.ts';

const EIGHT = utcInstant({ year: 2026, month: 11, day: 21, hour: 8 });
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

it.each([
  ['a second when placed at 07:59:59', -SECOND_MS, SECOND_MS],
  ['a minute when placed at 07:59:00', -60 * SECOND_MS, 60 * SECOND_MS],
  ['all but five seconds of a day when placed at 08:00:05', 5 * SECOND_MS, DAY_MS - 5 * SECOND_MS],
])('a good-til-day order lives %s', async (_, fromEightMs, livesMs) => {
  const scene = new OrderScene(later(EIGHT, fromEightMs));
  const { orderId } = await scene.buy({ timeInForce: 'good_til_day' });
  const { orderId: other } = await scene.buy({ timeInForce: 'good_til_cancelled' });
  await scene.pass(livesMs - 1);
  expect(await scene.order(orderId)).toMatchObject({ orderState: 'open' });
  await scene.pass(1);
  const { orderState, cancelReason, lastUpdatedAt, createdAt } = await scene.order(orderId);
  expect([orderState, cancelReason]).toEqual(['cancelled', 'settlement']);
  expect(lastUpdatedAt - createdAt).toBe(livesMs);
  expect(await scene.order(other)).toMatchObject({ orderState: 'open' });
  await scene.close();
});
