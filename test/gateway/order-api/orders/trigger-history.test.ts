// The history of trigger orders, page by page, over any period.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentName } from '../../../../src/values/ids.ts';
import { HOUR_MS } from '../../../../src/values/instant.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

const METHOD = 'private/get_trigger_order_history';
const history = async (params: Record<string, unknown> = {}) =>
  await stage.post(METHOD, { currency: 'BTC', ...params });

async function stopAt(share: number, label: string): Promise<string> {
  const { result } = await stage.post('public/ticker', { instrumentName: BTC }, null);
  const placed = await stage.post('private/sell', {
    instrumentName: BTC,
    quantity: '1000',
    type: 'stop_limit',
    label,
    trigger: 'mark_price',
    triggerPrice: String(Math.round(Number(result.markPrice) * share)),
    price: String(Math.round(Number(result.markPrice) * 1.01)),
  });
  expect(placed.error).toBeUndefined();
  return placed.result.order.orderId;
}

describe('the history of trigger orders', () => {
  it('the history of trigger orders shows triggered orders with the orders they created, and cancelled ones, beyond half an hour', async () => {
    await stage.post('private/buy', {
      instrumentName: BTC,
      quantity: '1000',
      type: 'limit',
      price: '1000',
      label: 'plain',
    });
    const firing = await stopAt(0.99, 'fires');
    stage.venue.watch(instrumentName(BTC));
    // The trigger follows right below the mark until the mark comes down to it, a second of the market with each step.
    const follow = async (): Promise<number> => {
      stage.jumpAhead(1_000);
      const { result } = await stage.post('public/ticker', { instrumentName: BTC }, null);
      const triggerPrice = String(Math.floor(Number(result.markPrice) * 2 - 0.2) / 2);
      await stage.post('private/edit', { orderId: firing, quantity: '1000', triggerPrice });
      return (await history()).result.entries.length;
    };
    await expect.poll(follow, { timeout: 60_000 }).toBe(1);
    const cancelled = await stopAt(0.9, 'cancelled stop');
    await stage.post('private/cancel', { orderId: cancelled });
    const { entries, continuation } = (await history()).result;
    expect(continuation).toBeUndefined();
    expect(entries).toMatchObject([
      {
        triggerOrderId: cancelled,
        orderState: 'cancelled',
        request: 'cancel',
        label: 'cancelled stop',
      },
      {
        triggerOrderId: firing,
        orderState: 'triggered',
        request: 'trigger:order',
        orderType: 'limit',
      },
    ]);
    const child = await stage.post('private/get_order_state', { orderId: entries[1].orderId });
    expect(child.result).toMatchObject({ triggerOrderId: firing, label: 'fires' });
    expect(entries[0].orderId).toBeUndefined();

    stage.jumpAhead(HOUR_MS);
    const third = await stopAt(0.9, 'later');
    await stage.post('private/cancel', { orderId: third });
    const seen: string[] = [];
    for (let token: string | undefined, page = 0; page === 0 || token !== undefined; page += 1) {
      const { result: one } = await history({ count: 1, continuation: token });
      seen.push(...one.entries.map((entry: { triggerOrderId: string }) => entry.triggerOrderId));
      token = one.continuation;
      expect(page).toBeLessThan(6);
    }
    expect(seen).toEqual([third, cancelled, firing]);
  });

  it('the history of trigger orders refuses an invalid token and an unknown instrument', async () => {
    expect((await history({ continuation: 'nonsense' })).error?.data?.param).toBe('continuation');
    expect((await history({ continuation: 'past~nonsense' })).error).toBeDefined();
    expect((await history({ instrumentName: 'BTC-NOWHERE' })).error).toBeDefined();
    expect((await history({ instrumentName: 'ETH-PERPETUAL' })).result.entries).toEqual([]);
  });
});
