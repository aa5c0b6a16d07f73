// Strategies over REST, behind an engine that follows two of them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../src/gateway/client/client.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';
import { ListedStrategies } from './listed-strategies.ts';

let gateway: GatewayUnderTest;
let strategies: ListedStrategies;
beforeEach(async () => {
  strategies = new ListedStrategies();
  gateway = await GatewayUnderTest.start({}, { strategies });
});
afterEach(() => gateway.close());

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

test('the scope admin sees every strategy and the faults of files, another key the strategies of its accounts', async () => {
  await gateway.submit(perpetualBody({ accountId: 10002 }), { by: STRANGER });
  const all = await client(TAKER).strategies();
  expect(all).toMatchObject({
    kind: 'done',
    value: {
      areRead: true,
      strategies: [
        {
          strategy: 'one',
          isOn: true,
          nextTimestamp: String(NOW_MS + 1_000),
          switch: null,
          portfolio: { ...perpetualBody(), strategy: 'one' },
        },
        { strategy: 'two', isOn: false, nextTimestamp: null, schedule: null },
      ],
      faults: [{ file: 'bad.yaml', line: 3, column: 5, field: 'name', message: 'is missing' }],
    },
  });
  const own = await client(STRANGER).strategies();
  expect(own).toMatchObject({ kind: 'done', value: { faults: [] } });
  const named = own.kind === 'done' ? own.value.strategies.map(({ strategy }) => strategy) : [];
  expect(named).toEqual(['two']);
});

test('what a strategy submitted last is requested by its name and account', async () => {
  await client(TAKER).strategies();
  expect(gateway.operations.pages).toMatchObject([
    { strategy: 'one', account: '10001', descending: true, limit: 3 },
    { strategy: 'two', account: '10002', descending: true, limit: 3 },
  ]);
});

test('switching records who did it, when and why, and needs the scope admin', async () => {
  const wish = { strategy: 'one', state: 'off', reason: 'drill' } as const;
  expect(await client(TAKER).switchStrategy(wish)).toEqual({ kind: 'done', value: null });
  expect(strategies.set).toEqual([
    {
      name: 'one',
      state: 'off',
      reason: 'drill',
      at: NOW_MS,
      by: { uid: '7001', nickname: 'taker desk' },
    },
  ]);
  const refused = await client(STRANGER).switchStrategy(wish);
  expect(refused).toMatchObject({ kind: 'refused', status: 403 });
  const unknown = await client(TAKER).switchStrategy({ ...wish, strategy: 'three' });
  expect(unknown).toMatchObject({ kind: 'refused', errors: [{ field: 'strategy' }] });
  expect(strategies.set).toHaveLength(1);
});
