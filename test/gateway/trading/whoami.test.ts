// The calling key over REST.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import {
  GatewayUnderTest,
  NOTHING,
  NOW_MS,
  READER,
  SECOND_MAKER,
  STRANGER,
  TAKER,
} from '../gateway-under-test.ts';

const EXPIRING: ApiKey = { ...READER, id: 'expiring', expiresAt: instant(NOW_MS + 60_000) };
const KEYS = [TAKER, READER, STRANGER, SECOND_MAKER, NOTHING, EXPIRING];

let gateway: GatewayUnderTest;
beforeEach(async () => {
  const keys = { find: (id: string) => KEYS.find((key) => key.id === id) };
  gateway = await GatewayUnderTest.start({}, { keys });
});
afterEach(() => gateway.close());

async function whoami(by: ApiKey) {
  const client = connect({
    baseUrl: gateway.url,
    keyId: by.id,
    secret: by.secret,
    now: () => gateway.nowMs,
  });
  const result = await client.whoami();
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return result.value;
}

test('whoami names the key, its user, accounts, scopes and maker name, and never its secret', async () => {
  const value = await whoami(STRANGER);
  expect(value).toMatchObject({
    keyId: 'stranger',
    uid: '7002',
    nickname: 'stranger desk',
    accounts: [{ accountId: '10002' }],
    scopes: ['trade', 'blockRfq'],
    makerAlias: 'MAKER1',
    expiresTimestamp: null,
    timestamp: String(NOW_MS),
  });
  expect(JSON.stringify(value)).not.toContain(STRANGER.secret);
});

test('whoami says when a key expires', async () => {
  expect((await whoami(EXPIRING)).expiresTimestamp).toBe(String(NOW_MS + 60_000));
});

test('whoami lists an operation exactly if a request for it is not refused for want of a scope', async () => {
  const { json } = await gateway.request('/openapi.json', { by: null });
  const paths = Object.entries<Record<string, unknown>>(json.paths).filter(
    ([path]) => path.startsWith('/tt/') || path.startsWith('/api/'),
  );
  expect(paths.length).toBeGreaterThan(80);
  for (const key of [TAKER, READER, STRANGER, SECOND_MAKER, NOTHING]) {
    const { operations } = await whoami(key);
    for (const [path, verbs] of paths) {
      const method = must(Object.keys(verbs)[0], path).toUpperCase();
      const name = path
        .split('/')
        .slice(path.startsWith('/api/') ? 2 : -2)
        .join('/');
      // Faulty input is reported after the scope has been checked.
      const asked = method === 'POST' ? { body: { accountId: 'none' } } : {};
      const { json: answer } = await gateway.request(path, { method, by: key, ...asked });
      const isRefused = JSON.stringify(answer).includes('lacks the scope');
      expect([key.id, name, operations.includes(name)]).toEqual([key.id, name, !isRefused]);
      gateway.nowMs += 1_000;
    }
  }
});
