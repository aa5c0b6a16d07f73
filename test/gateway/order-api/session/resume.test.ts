// Clients of /ws/api that lose their connection and resume with the last sequence they received.
import { afterEach, describe, expect, test } from 'vitest';
import type { RidLimits } from '../../../../src/gateway/limits/limits.ts';
import { until } from '../../../adapters/until.ts';
import { STRANGER, TAKER } from '../../gateway-under-test.ts';
import { type Frame, RidClient } from '../rid-client.ts';
import { BTC, RidStage } from '../rid-stage.ts';

let stage: RidStage;
const start = async (limits: Partial<RidLimits> = {}): Promise<void> => {
  stage = await RidStage.start(limits);
};
afterEach(() => stage.close());

const ORDERS = 'user.orders.any.any.raw';

async function subscribed(channel: string, after?: string): Promise<RidClient> {
  const client = await RidClient.connect(stage);
  const asked = { channels: [channel], ...(after === undefined ? {} : { after }) };
  expect(await client.get('private/subscribe', asked)).toEqual([channel]);
  return client;
}

const notices = (client: RidClient): Frame[] =>
  client.frames.filter(({ method }) => method === 'subscription').map(({ params }) => params);
const resyncs = (client: RidClient): Frame[] =>
  client.frames.filter(({ method }) => method === 'resync').map(({ params }) => params);

/** Places and cancels resting orders one after another: two changes each. */
async function happen(labels: readonly string[], by = TAKER): Promise<void> {
  const price = await stage.restingPrice('buy');
  for (const label of labels) {
    const order = { instrumentName: BTC, quantity: '100', price, label };
    const { result } = await stage.post('private/buy', order, by);
    await stage.post('private/cancel', { orderId: result.order.orderId }, by);
  }
}
const mine = (labels: readonly string[]): Promise<void> => happen(labels);

const said = ({ data }: Frame): string => `${data.label} ${data.orderState}`;
const twice = (labels: readonly string[]): string[] =>
  labels.flatMap((label) => [`${label} open`, `${label} cancelled`]);

describe('a reconnecting client', () => {
  test('a reconnecting client receives missed changes once and in order, from any sequence', async () => {
    await start();
    const first = await subscribed(ORDERS, '0');
    await until(() => resyncs(first).length === 1);
    const { sequence: begin } = resyncs(first)[0];
    await mine(['a', 'b']);
    await until(() => notices(first).length === 4);
    await first.close();
    await mine(['c']);
    await happen(['of another account'], STRANGER);
    const all = twice(['a', 'b', 'c']);
    const again = await subscribed(ORDERS, begin);
    await until(() => notices(again).length === all.length);
    expect(notices(again).map(said)).toEqual(all);
    const sequences = notices(again).map(({ sequence }) => sequence as string);
    expect(sequences).toEqual([...sequences].sort((a, b) => Number(a) - Number(b)));
    expect(sequences.slice(0, 4)).toEqual(notices(first).map(({ sequence }) => sequence));
    for (const [at, after] of sequences.entries()) {
      const client = await subscribed(ORDERS, after);
      const missed = all.slice(at + 1);
      await until(() => notices(client).length >= missed.length);
      await client.get('public/test');
      expect(notices(client).map(said)).toEqual(missed);
      expect(resyncs(client)).toEqual([]);
      await client.close();
    }
    await mine(['d']);
    await until(() => notices(again).length === all.length + 2);
    expect(notices(again).slice(all.length).map(said)).toEqual(twice(['d']));
  });

  test.each([
    ['user.orders.any.any.100ms', (data: Frame[]) => data.flat().map((one) => one.label)],
    ['user.trades.any.any.raw', (data: Frame[]) => data.flat().map((one) => one.label)],
    [
      `user.changes.${BTC}.raw`,
      (data: Frame[]) => data.flatMap(({ orders }) => orders.map((one: Frame) => one.label)),
    ],
  ])('a reconnecting client receives missed changes on %s too', async (channel, labelsOf) => {
    await start();
    const buy = async (label: string): Promise<void> => {
      const order = { instrumentName: BTC, quantity: '100', type: 'market', label };
      await stage.post('private/buy', order);
    };
    const first = await subscribed(channel);
    await buy('heard');
    const told = (client: RidClient): Set<string> => new Set(labelsOf(client.told(channel)));
    await until(() => told(first).has('heard') && notices(first).at(-1)?.sequence !== undefined);
    await first.close();
    await buy('missed');
    const sequence = notices(first).findLast((one) => one.sequence !== undefined)?.sequence;
    const again = await subscribed(channel, sequence);
    await until(() => told(again).has('missed'));
    const numbers = notices(again).map((one) => Number(one.sequence ?? Number.POSITIVE_INFINITY));
    expect(Math.min(...numbers)).toBeGreaterThan(Number(sequence));
    expect(resyncs(again)).toEqual([]);
  });

  test('after a restart gets a resync, and the changes from then on', async () => {
    await start();
    const first = await subscribed(ORDERS);
    await mine(['a']);
    await until(() => notices(first).length === 2);
    const { sequence } = notices(first)[1];
    await stage.close();
    await start();
    // The clock of the stage restarts; that of a daemon continues.
    stage.gateway.nowMs += 60_000;
    const again = await subscribed(ORDERS, sequence);
    await until(() => resyncs(again).length === 1);
    expect(resyncs(again)).toEqual([
      {
        channel: ORDERS,
        accountId: '10001',
        reason: 'forgotten',
        sequence: expect.stringMatching(/^\d+$/),
      },
    ]);
    await mine(['b']);
    await until(() => notices(again).length === 2);
    expect(notices(again).map(said)).toEqual(twice(['b']));
  });

  test('a reconnecting client that missed too much gets a resync', async () => {
    await start({ missedMax: 2 });
    const first = await subscribed(ORDERS);
    await mine(['a']);
    await until(() => notices(first).length === 2);
    await first.close();
    const meanwhile = await subscribed(ORDERS);
    await mine(['b', 'c', 'd']);
    // The venue notifies after it has answered.
    await until(() => notices(meanwhile).length === 6);
    const again = await subscribed(ORDERS, notices(first)[1].sequence);
    await until(() => resyncs(again).length === 1);
    expect(resyncs(again)).toMatchObject([{ reason: 'too_much' }]);
    await again.get('public/test');
    expect(notices(again)).toEqual([]);
  });

  test('a reconnecting client of an account without subscribers for long gets a resync', async () => {
    await start({ rememberedMs: 1 });
    const first = await subscribed(ORDERS);
    await mine(['a']);
    await until(() => notices(first).length === 2);
    const { sequence } = notices(first)[1];
    await first.close();
    await until(async () => {
      stage.gateway.nowMs += 60_000;
      const again = await subscribed(ORDERS, sequence);
      await again.get('public/test');
      const isTold = resyncs(again).length === 1;
      await again.close();
      return isTold;
    });
  });

  test('a reconnecting client with an invalid sequence is refused', async () => {
    await start();
    const client = await RidClient.connect(stage);
    for (const after of ['x', -1, 1.5, '']) {
      const { error } = await client.request('private/subscribe', { channels: [ORDERS], after });
      expect([error?.code, error?.data?.param]).toEqual([-32602, 'after']);
    }
  });
});
