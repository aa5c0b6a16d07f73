import { afterEach, describe, expect, it } from 'vitest';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import { ACCOUNT } from '../../adapters/paper/paper-stage.ts';
import { STRANGER, TAKER } from '../gateway-under-test.ts';
import { replacing } from '../order-api/replacing-desk.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';
import { StreamListener } from '../stream-listener.ts';

let stage: RidStage;
afterEach(() => stage.close());

const CHANNEL = 'order.change.any';
const subscribe = (accountId: string = ACCOUNT) => ({
  id: 'o',
  op: 'subscribe',
  accountId,
  data: [{ channel: CHANNEL }],
});

async function rest(label: string): Promise<string> {
  const price = await stage.restingPrice('buy');
  const params = { instrumentName: BTC, quantity: '100', type: 'limit', price, label };
  const { result } = await stage.post('private/buy', params);
  return result.order.orderId;
}

const labels = (orders: readonly { readonly label: string }[]): readonly string[] =>
  orders.map(({ label }) => label);

describe('order.change.any', () => {
  it('order.change.any publishes all open orders initially and with every change, and the changed ones', async () => {
    stage = await RidStage.start();
    const first = await rest('a');
    const listener = await StreamListener.open(stage.gateway.url);
    expect(await listener.say(subscribe())).toEqual({
      id: 'o',
      op: 'subscribe',
      code: 0,
      data: [{ channel: CHANNEL, success: true, errorMsg: null }],
    });
    const snapshot = await listener.heard(1);
    expect(snapshot).toMatchObject({
      op: 'push',
      channel: CHANNEL,
      timestamp: expect.stringMatching(/^\d+$/),
      data: { accountId: ACCOUNT, changed: [] },
    });
    const { result } = await stage.post('private/get_open_orders', {});
    expect(snapshot.data.orders).toEqual(result);
    await rest('b');
    const placed = await listener.until(({ data }) => data?.changed?.length > 0);
    expect(labels(placed.data.orders)).toEqual(['b', 'a']);
    expect(labels(placed.data.changed)).toEqual(['b']);
    await stage.post('private/cancel', { orderId: first });
    const taken = await listener.until(({ data }) => data?.changed?.[0]?.label === 'a');
    expect(labels(taken.data.orders)).toEqual(['b']);
    expect(taken.data.changed).toMatchObject([{ label: 'a', orderState: 'cancelled' }]);
  });

  it('order.change.any loses no change, however many happen at once', async () => {
    stage = await RidStage.start();
    const listener = await StreamListener.open(stage.gateway.url);
    await listener.say(subscribe());
    await listener.heard(1);
    const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => rest(`n${n}`)));
    for (const orderId of ids.slice(0, 20)) await stage.post('private/cancel', { orderId });
    const last = new Map<string, string>();
    for (let index = 2; ; index += 1) {
      const { data } = await listener.heard(index);
      for (const order of data.changed) last.set(order.orderId, order.orderState);
      const ended = [...last.values()].filter((state) => state === 'cancelled').length;
      if (ended < 20) continue;
      expect(data.orders).toHaveLength(20);
      break;
    }
    expect([...last.keys()].toSorted()).toEqual(ids.toSorted());
  });

  it('order.change.any ends with un-subscribe, for one account or all', async () => {
    stage = await RidStage.start();
    const [gone, other] = [
      await StreamListener.open(stage.gateway.url),
      await StreamListener.open(stage.gateway.url),
    ];
    for (const one of [gone, other]) {
      await one.say(subscribe());
      await one.heard(1);
    }
    await gone.say({ ...subscribe(), op: 'un-subscribe' });
    await rest('a');
    await other.heard(2);
    const answer = await gone.say({ op: 'heartbeat' });
    expect(answer).toMatchObject({ op: 'heartbeat' });
    expect(gone.frames.filter(({ op }) => op === 'push')).toHaveLength(1);
  });

  it('the venue is followed once for all subscribers, until the last of them has left', async () => {
    let followed = 0;
    let most = 0;
    stage = await RidStage.start({}, (desk) =>
      replacing(desk, {
        subscribe: (listener) => {
          const leave = desk.subscribe(listener);
          followed += 1;
          most = Math.max(most, followed);
          return () => {
            followed -= 1;
            leave();
          };
        },
      }),
    );
    const listeners = [
      await StreamListener.open(stage.gateway.url),
      await StreamListener.open(stage.gateway.url),
      await StreamListener.open(stage.gateway.url, STRANGER),
    ];
    const asks = [subscribe(), subscribe(), subscribe('10002')];
    for (const [n, listener] of listeners.entries()) {
      await listener.say(asks[n] ?? {});
      await listener.heard(1);
    }
    expect([followed, most]).toEqual([1, 1]);
    const [first, second, other] = listeners;
    await first?.say({ ...subscribe(), op: 'un-subscribe' });
    await rest('a');
    expect((await second?.heard(2))?.data).toMatchObject({ changed: [{ label: 'a' }] });
    await other?.say({ ...subscribe('10002'), op: 'un-subscribe' });
    expect(followed).toBe(1);
    await second?.say({ ...subscribe(), op: 'un-subscribe' });
    await expect.poll(() => followed).toBe(0);
  });

  it('order.change.any is granted only for an account of the key that has orders', async () => {
    stage = await RidStage.start();
    const refusal = async (frame: object, key = TAKER): Promise<string> => {
      const listener = await StreamListener.open(stage.gateway.url, key);
      return (await listener.say(frame)).data[0].errorMsg;
    };
    const { accountId: _, ...nobody } = subscribe();
    expect(await refusal(nobody)).toContain('accountId: is missing');
    expect(await refusal(subscribe(), STRANGER)).toContain('not an account of this key');
    expect(await refusal(subscribe('20001'))).toContain('no orders of its own');
    expect(await refusal({ ...subscribe(), after: '1' })).toContain('after');
  });

  it('queries again if the venue does not answer, and publishes the pending changes', async () => {
    let failures = 1;
    stage = await RidStage.start({}, (desk) =>
      replacing(desk, {
        openOrders: (filter) => {
          if (failures === 0) return desk.openOrders(filter);
          failures -= 1;
          return Promise.resolve({ kind: 'unknown', reason: 'no answer' });
        },
      }),
    );
    const listener = await StreamListener.open(stage.gateway.url);
    await listener.say(subscribe());
    await rest('a');
    const frame = await listener.heard(1);
    expect(labels(frame.data.orders)).toEqual(['a']);
  });

  it('order.change.any publishes the end of orders that ended while changes were missed', async () => {
    const heard = new Set<(news: VenueNotice) => void>();
    let isDeaf = false;
    stage = await RidStage.start({}, (desk) =>
      replacing(desk, {
        subscribe: (listener) => {
          heard.add(listener);
          const leave = desk.subscribe((news) => {
            if (!isDeaf) listener(news);
          });
          return () => {
            heard.delete(listener);
            leave();
          };
        },
      }),
    );
    const ended = await rest('ended');
    await rest('open');
    const listener = await StreamListener.open(stage.gateway.url);
    await listener.say(subscribe());
    expect(labels((await listener.heard(1)).data.orders)).toEqual(['open', 'ended']);
    isDeaf = true;
    await stage.post('private/cancel', { orderId: ended });
    isDeaf = false;
    for (const hear of heard) hear({ kind: 'reconnected', accounts: [ACCOUNT] });
    const { data } = await listener.heard(2);
    expect(labels(data.orders)).toEqual(['open']);
    expect(data.changed).toMatchObject([{ label: 'ended', orderState: 'cancelled' }]);
  });
});
