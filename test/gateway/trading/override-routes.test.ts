// Overrides over REST: requested with one key and granted with another that has the scope admin; both are
// recorded.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Overrides } from '../../../src/core/risk/gate/overrides.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { instant } from '../../../src/values/instant.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import { GatewayUnderTest, NOW_MS, READER, STRANGER, TAKER } from '../gateway-under-test.ts';

const TRADING = '/tt/broker/openapi/trading';
const WISH = {
  control: 'price_collar',
  accountId: '10001',
  instrumentName: 'BTC-PERPETUAL',
  side: 'buy',
  quantity: '100',
  reason: 'the mark is stale',
} as const;
let gateway: GatewayUnderTest;
let overrides: Overrides;
let actions: MemoryActionLog;

beforeEach(async () => {
  overrides = new Overrides();
  actions = new MemoryActionLog();
  gateway = await GatewayUnderTest.start({}, { overrides, actions });
});
afterEach(() => gateway.close());

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

test('an override is requested under an id of its own, visible to all keys of the account, and recorded', async () => {
  const asked = await client(TAKER).askOverride({ ...WISH, expiresSec: 30 });
  const record = { ...WISH, askedBy: TAKER.id, grantedBy: '', isUsed: false };
  expect(asked).toMatchObject({
    kind: 'done',
    value: { ...record, expiresAt: String(NOW_MS + 30_000) },
  });
  expect(await client(READER).overrides()).toMatchObject({ kind: 'done', value: [record] });
  expect(await client(STRANGER).overrides()).toEqual({ kind: 'done', value: [] });
  expect(await actions.find({ limit: 9 })).toMatchObject([
    { method: 'trading/override', account: '10001', keyId: TAKER.id, outcome: 'done' },
  ]);
  const again = await client(TAKER).askOverride(WISH);
  const ids = [asked, again].map((one) => one.kind === 'done' && one.value.id);
  expect(new Set(ids).size).toBe(2);
});

test('an override is granted neither by the requesting key nor by one without the scope', async () => {
  const asked = await client(TAKER).askOverride(WISH);
  const id = asked.kind === 'done' ? asked.value.id : '';
  const own = await gateway.request(`${TRADING}/override-grant`, { body: { id } });
  expect(own.json).toMatchObject({ succ: false, errors: [{ field: 'id' }] });
  const stranger = await gateway.request(`${TRADING}/override-grant`, {
    by: STRANGER,
    body: { id },
  });
  expect(stranger.status).toBe(403);
  expect(overrides.all(instant(NOW_MS)).map(({ grantedBy }) => grantedBy)).toEqual([undefined]);
});

test('an override is granted by another key after it was requested', async () => {
  const { id } = overrides.request(
    { ...WISH, account: '10001', instrument: 'BTC-PERPETUAL', quantity: quantity('1') },
    { id: 'one', by: 'somebody', at: instant(NOW_MS), lifeMs: 60_000 },
  );
  overrides.all(instant(NOW_MS));
  const unknown = await client(TAKER).grantOverride('other');
  expect(unknown.kind).not.toBe('done');
  expect(await client(TAKER).grantOverride(id)).toMatchObject({
    kind: 'done',
    value: { id, askedBy: 'somebody', grantedBy: TAKER.id },
  });
  // The request names no account: that of the override is recorded.
  expect(await actions.find({ limit: 1 })).toMatchObject([
    { method: 'trading/override-grant', account: '10001', outcome: 'done' },
  ]);
});

test.each([
  ['control', { ...WISH, control: 'duplicate' }],
  ['side', { ...WISH, side: 'both' }],
  ['quantity', { ...WISH, quantity: 'much' }],
  ['reason', { ...WISH, reason: '' }],
  ['expiresSec', { ...WISH, expiresSec: 301 }],
])('a request with an invalid %s is refused with the name of the field', async (field, body) => {
  const { json } = await gateway.request(`${TRADING}/override`, { body });
  expect(json).toMatchObject({ succ: false, errors: [{ field }] });
  expect(overrides.all(instant(NOW_MS))).toEqual([]);
});
