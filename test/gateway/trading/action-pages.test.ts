// The audit trail and the keys in force over REST.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../src/gateway/client/client.ts';
import { accountId } from '../../../src/values/ids.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import {
  GatewayUnderTest,
  NOW_MS,
  perpetualBody,
  READER,
  STRANGER,
  TAKER,
} from '../gateway-under-test.ts';

const TRADING = '/tt/broker/openapi/trading';

let gateway: GatewayUnderTest;
beforeEach(async () => {
  const actions = new MemoryActionLog();
  gateway = await GatewayUnderTest.start({}, { actions, actionPages: actions });
});
afterEach(() => gateway.close());

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

async function operationsSeenBy(by: typeof TAKER): Promise<readonly string[]> {
  const answer = await client(by).actions();
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value.actions.map(({ operation }) => operation);
}

test('a key sees what was changed on its accounts, and only the scope admin what concerns no account', async () => {
  await gateway.submit(perpetualBody());
  await gateway.submit(perpetualBody({ accountId: 10002 }), { by: STRANGER });
  await client(TAKER).setSwitch({ scope: 'deployment', state: 'reducing', reason: 'drill' });
  expect(await operationsSeenBy(TAKER)).toEqual(['trading/switch', 'portfolios/submit']);
  expect(await operationsSeenBy(READER)).toEqual(['portfolios/submit']);
  expect(await operationsSeenBy(STRANGER)).toEqual(['portfolios/submit']);
  const { json } = await gateway.request(`${TRADING}/actions?limit=1`);
  expect(json.value.actions).toEqual([
    {
      timestamp: String(NOW_MS),
      keyId: 'taker',
      uid: '7001',
      nickname: 'taker desk',
      address: '127.0.0.1',
      operation: 'trading/switch',
      accountId: '',
      outcome: 'done',
    },
  ]);
});

test('pages follow one another until there is no next one', async () => {
  for (let at = 0; at < 5; at += 1) {
    gateway.nowMs += 1_000;
    await gateway.submit(perpetualBody());
  }
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const answer = await client(TAKER).actions({ limit: 2, before });
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    seen.push(...answer.value.actions.map(({ timestamp }) => timestamp));
    before = answer.value.next ?? undefined;
  } while (before !== undefined);
  expect(seen).toEqual([5, 4, 3, 2, 1].map((second) => String(NOW_MS + second * 1_000)));
});

test('what is no place in the trail is refused with what would be accepted', async () => {
  for (const before of ['1', 'x-1', '99999999999999999-1', '1-']) {
    const answer = await client(TAKER).actions({ before });
    expect(answer).toMatchObject({
      kind: 'refused',
      errors: [{ field: 'before', message: expect.stringContaining('accepted: `next`') }],
    });
  }
});

test('the scope admin sees every key in force, another key itself, and nobody a secret', async () => {
  const all = [...gateway.keys.values()];
  const own = { ...READER, expiresAt: undefined };
  await gateway.close();
  gateway = await GatewayUnderTest.start(
    {},
    { keys: { find: (id) => gateway.keys.get(id), all: () => all } },
  );
  const seen = await client(TAKER).keys();
  expect(seen).toMatchObject({ kind: 'done' });
  const text = JSON.stringify(seen);
  for (const { id, secret } of all) {
    expect(text).toContain(`"keyId":"${id}"`);
    expect(text).not.toContain(secret);
  }
  expect(await client(READER).keys()).toEqual({
    kind: 'done',
    value: [
      {
        keyId: own.id,
        uid: own.uid,
        nickname: own.nickname,
        accounts: [accountId('10001')],
        scopes: ['read'],
        makerAlias: null,
        bindsBody: false,
        isLimitedToAddresses: false,
        expiresTimestamp: null,
      },
    ],
  });
});
