import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { KeySeal, newSecret } from '../../../src/gateway/auth/key-seal.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { type GivenKey, KeysInForce } from '../../../src/gateway/auth/keys-in-force.ts';
import { signedHeaders, signedQuery } from '../../../src/gateway/auth/signed-stamp.ts';
import type { KeyGrant, KeyRecord, KeyRecords } from '../../../src/ports/key-records.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { until } from '../../adapters/until.ts';
import { grantOf } from '../../conformance/key-records.ts';
import { MemoryKeyRecords } from '../../doubles/memory/memory-key-records.ts';
import { GatewayUnderTest, NOW_MS, PATH, TAKER } from '../gateway-under-test.ts';

/** Key records that fail on demand. */
class FlakyRecords extends MemoryKeyRecords {
  isAway = false;
  looks = 0;
  override changedSince(version: number): ReturnType<KeyRecords['changedSince']> {
    this.looks += 1;
    if (this.isAway) return Promise.reject(new LedgerFailure('the store is away', false));
    return super.changedSince(version);
  }
}

const PAGE = `${PATH}/page?accountId=10001`;
const at = (ms: number) => instant(NOW_MS + ms);
const seal = new KeySeal(randomBytes(32).toString('base64'));

let clock: { nowMs: number };
let records: FlakyRecords;
let reported: Error[];
const cleanUp: (() => Promise<void>)[] = [];

beforeEach(() => {
  clock = { nowMs: NOW_MS };
  records = new FlakyRecords();
  reported = [];
});
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function openKeys(given: readonly GivenKey[] = [], withSeal = true): Promise<KeysInForce> {
  const keys = await KeysInForce.open({
    records,
    given,
    pollMs: 5,
    seal: withSeal ? seal : undefined,
    now: () => instant(clock.nowMs),
    report: (error) => reported.push(error as Error),
  });
  cleanUp.push(() => keys.drain());
  return keys;
}

async function serve(given: readonly GivenKey[] = []): Promise<GatewayUnderTest> {
  const keys = await openKeys(given);
  const gateway = await GatewayUnderTest.start(
    {},
    { keys, now: () => instant(clock.nowMs), trustedProxies: ['127.0.0.0/8'] },
  );
  cleanUp.push(() => gateway.close());
  return gateway;
}

/** Adds a key as the command line does; returns the key with its signing secret. */
async function addKey(id: string, changes: Partial<KeyGrant> = {}): Promise<ApiKey> {
  const secret = newSecret();
  const grant = grantOf(id, { createdAt: at(0), ...changes });
  await records.add(grant, seal.seal(secret, { grant, generation: 1 }));
  return { ...grant, secret };
}

async function stored(id: string): Promise<KeyRecord> {
  return must(
    (await records.list()).find((key) => key.id === id),
    id,
  );
}

async function rotate(key: ApiKey, from: number, overlapMs: number): Promise<ApiKey> {
  const secret = newSecret();
  const sealed = seal.seal(secret, { grant: await stored(key.id), generation: from + 1 });
  const overlapUntil = instant(clock.nowMs + overlapMs);
  expect(await records.rotate(key.id, { from, sealed, overlapUntil })).toBe(true);
  return { ...key, secret };
}

const status = async (gateway: GatewayUnderTest, by: ApiKey): Promise<number> =>
  (await gateway.request(PAGE, { by, stampedAtMs: clock.nowMs })).status;

/** Opens a socket of each kind, authenticated with the key. */
async function openSockets(gateway: GatewayUnderTest, key: ApiKey) {
  const signer = { keyId: key.id, secret: key.secret };
  const ws = gateway.url.replace('http', 'ws');
  const request = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
  const sockets = [
    new WebSocket(`${ws}/ws/portfolio?${signedQuery(signer, clock.nowMs, '/ws/portfolio')}`),
    new WebSocket(`${ws}/ws/api`, { headers: signedHeaders(signer, clock.nowMs, request) }),
  ];
  return await Promise.all(
    sockets.map(async (socket) => {
      const ended = new Promise<number>((resolve) => socket.once('close', resolve));
      await once(socket, 'open');
      return { socket, ended };
    }),
  );
}

const looked = async (): Promise<void> => {
  const { looks } = records;
  await until(() => records.looks > looks + 1);
};

describe('a stored key', () => {
  test('a stored key is accepted from the moment it is added until it is revoked', async () => {
    const gateway = await serve();
    const key = await addKey('desk');
    await looked();
    expect(await status(gateway, key)).toBe(200);
    await records.revoke('desk', at(0));
    await looked();
    expect(await status(gateway, key)).toBe(401);
  });

  test('a stored key gets the same answer as an unknown key once it is revoked', async () => {
    const gateway = await serve();
    const key = await addKey('desk');
    await records.revoke('desk', at(0));
    await looked();
    const answers = await Promise.all(
      [key, { ...key, id: 'nobody' }].map((by) => gateway.request(PAGE, { by })),
    );
    expect(must(answers[0], 'first').json).toEqual(must(answers[1], 'second').json);
  });

  test('a stored key has its sockets, and no others, closed with 4401 when it is revoked', async () => {
    const gateway = await serve([TAKER]);
    const sockets = await openSockets(gateway, TAKER);
    const key = await addKey('desk');
    await looked();
    const revoked = await openSockets(gateway, key);
    await records.revoke('desk', at(0));
    expect(await Promise.all(revoked.map(({ ended }) => ended))).toEqual([4401, 4401]);
    expect(sockets.map(({ socket }) => socket.readyState)).toEqual([1, 1]);
  });

  test('a stored key has its sockets closed when it expires', async () => {
    const key = await addKey('desk', { expiresAt: at(60_000) });
    const gateway = await serve();
    const sockets = await openSockets(gateway, key);
    clock.nowMs += 59_999;
    expect(await status(gateway, key)).toBe(200);
    clock.nowMs += 1;
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4401, 4401]);
    expect(await status(gateway, key)).toBe(401);
  });

  test('a stored key of the configuration also has its sockets closed when it expires', async () => {
    const given = { ...TAKER, expiresAt: at(60_000) };
    const gateway = await serve([given]);
    const sockets = await openSockets(gateway, given);
    clock.nowMs += 60_000;
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4401, 4401]);
  });
});

describe('a rotated key', () => {
  test('a rotated key is accepted with both secrets during the overlap, then only with the new one', async () => {
    const old = await addKey('desk');
    const gateway = await serve();
    const fresh = await rotate(old, 1, 60_000);
    await looked();
    expect([await status(gateway, old), await status(gateway, fresh)]).toEqual([200, 200]);
    clock.nowMs += 60_000;
    expect([await status(gateway, old), await status(gateway, fresh)]).toEqual([401, 200]);
  });

  test('a rotated key keeps sockets of the previous secret open until the overlap ends', async () => {
    const old = await addKey('desk');
    const gateway = await serve();
    const before = await openSockets(gateway, old);
    const fresh = await rotate(old, 1, 60_000);
    await looked();
    const during = await openSockets(gateway, old);
    const after = await openSockets(gateway, fresh);
    clock.nowMs += 60_000;
    const ended = [...before, ...during].map((one) => one.ended);
    expect(await Promise.all(ended)).toEqual([4401, 4401, 4401, 4401]);
    expect(after.map(({ socket }) => socket.readyState)).toEqual([1, 1]);
  });

  test('a rotated key is accepted only with its last two secrets', async () => {
    const first = await addKey('desk');
    const gateway = await serve();
    const sockets = await openSockets(gateway, first);
    const second = await rotate(first, 1, 60_000);
    const third = await rotate(second, 2, 60_000);
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4401, 4401]);
    const all = [first, second, third].map((key) => status(gateway, key));
    expect(await Promise.all(all)).toEqual([401, 200, 200]);
  });

  test('a key whose last rotation is redone is accepted with the first and third secret, and sockets of the second are closed', async () => {
    const first = await addKey('desk');
    const gateway = await serve();
    const second = await rotate(first, 1, 60_000);
    await looked();
    const sockets = await openSockets(gateway, second);
    const third = { ...first, secret: newSecret() };
    const grant = await stored('desk');
    const sealed = seal.seal(third.secret, { grant, generation: 4 });
    const kept = seal.seal(first.secret, { grant, generation: 3 });
    await records.rotate('desk', { from: 2, sealed, kept, overlapUntil: at(60_000) });
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4401, 4401]);
    const all = [first, second, third].map((key) => status(gateway, key));
    expect(await Promise.all(all)).toEqual([200, 401, 200]);
    expect(reported).toEqual([]);
  });

  test('a key rotated without overlap is refused with the previous secret at once', async () => {
    const old = await addKey('desk');
    const gateway = await serve();
    const sockets = await openSockets(gateway, old);
    const fresh = await rotate(old, 1, 0);
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4401, 4401]);
    expect([await status(gateway, old), await status(gateway, fresh)]).toEqual([401, 200]);
  });
});

describe('a key bound to addresses', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('a key bound to addresses is refused from other addresses with 403, and its nonce is not consumed', async () => {
    const key = await addKey('desk', { addresses: ['10.0.0.0/8', '2001:db8::/32'] });
    const gateway = await serve();
    const request = async (address: string): Promise<number> =>
      (await gateway.request(PAGE, { by: key, headers: from(address) })).status;
    expect(await request('10.1.2.3')).toBe(200);
    expect(await request('2001:db8::7')).toBe(200);
    const claimed = gateway.nonces.size;
    expect(await request('192.0.2.1')).toBe(403);
    expect(await request('::ffff:192.0.2.1')).toBe(403);
    expect(await request('nonsense')).toBe(403);
    expect(gateway.nonces.size).toBe(claimed);
  });

  test('a key bound to addresses is also refused from other addresses on WebSockets', async () => {
    const key = await addKey('desk', { addresses: ['10.0.0.0/8'] });
    const gateway = await serve();
    const url = `${gateway.url.replace('http', 'ws')}/ws/portfolio`;
    const query = signedQuery({ keyId: key.id, secret: key.secret }, NOW_MS, '/ws/portfolio');
    const socket = new WebSocket(`${url}?${query}`, { headers: from('192.0.2.1') });
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(403);
  });
});

describe('the store', () => {
  test('the store may fail: the keys last read stay in force and the failure is reported once', async () => {
    const key = await addKey('desk');
    const keys = await openKeys();
    records.isAway = true;
    await looked();
    expect(keys.find('desk')?.secret).toBe(key.secret);
    expect(reported.map(({ message }) => message)).toEqual(['the store is away']);
    await records.revoke('desk', at(0));
    records.isAway = false;
    await looked();
    expect(keys.find('desk')).toBeUndefined();
  });

  test('the store must be available at the start, or opening fails', async () => {
    records.isAway = true;
    await expect(openKeys()).rejects.toThrow('the store is away');
  });

  test('the store yields no usable keys without a master secret, which is reported once per key', async () => {
    await addKey('desk');
    const keys = await openKeys([TAKER], false);
    await addKey('other');
    await looked();
    expect([keys.find('desk'), keys.find('other')]).toEqual([undefined, undefined]);
    expect(keys.find(TAKER.id)).toBe(TAKER);
    expect(reported.map(({ message }) => message.includes('TWAPD_KEYS_SECRET'))).toEqual([
      true,
      true,
    ]);
  });

  test('the store cannot be used to substitute the secret of another key', async () => {
    const secret = newSecret();
    const stolen = seal.seal(secret, { grant: grantOf('mine'), generation: 1 });
    await records.add(grantOf('theirs', { accounts: [accountId('10002')] }), stolen);
    const keys = await openKeys();
    expect(keys.find('theirs')).toBeUndefined();
    expect(reported[0]?.message).toContain('key theirs does not open');
  });

  test.each([
    ['more scopes', { scopes: ['read', 'trade', 'admin'] }],
    ['another account', { accounts: [accountId('10002')] }],
    ['no bound requests', { bindBody: false }],
    ['no end', { expiresAt: undefined }],
  ] as const)(
    'a stored key that was given %s in the database is not accepted',
    async (_, altered) => {
      const secret = newSecret();
      const grant = grantOf('desk', { bindBody: true, expiresAt: at(60_000), createdAt: at(0) });
      await records.add({ ...grant, ...altered }, seal.seal(secret, { grant, generation: 1 }));
      const keys = await openKeys();
      expect(keys.find('desk')).toBeUndefined();
      expect(reported[0]?.message).toContain('what the key may do was altered');
    },
  );

  test('a revoked key whose revocation is removed from the database is not accepted', async () => {
    const key = await addKey('desk');
    await records.revoke('desk', at(1));
    const revived = new MemoryKeyRecords();
    const { sealed } = await stored('desk');
    await revived.add(grantOf('desk', { createdAt: at(0) }), sealed);
    const keys = await KeysInForce.open({
      records: revived,
      seal,
      given: [],
      now: () => instant(clock.nowMs),
      report: (error) => reported.push(error as Error),
    });
    cleanUp.push(() => keys.drain());
    expect(keys.find(key.id)).toBeUndefined();
  });

  test('the store does not override a key of the configuration', async () => {
    await addKey(TAKER.id);
    const keys = await openKeys([TAKER]);
    expect(keys.find(TAKER.id)).toBe(TAKER);
    expect(reported[0]?.message).toContain(`the stored key ${TAKER.id} is not used`);
  });
});

describe('replacing the configured keys', () => {
  const given = (changes: Partial<GivenKey> = {}): GivenKey => ({ ...TAKER, ...changes });

  test('replacing the configured keys accepts only the new keys from then on', async () => {
    const keys = await openKeys([given()]);
    const other = { ...given({ id: 'other' }), secret: newSecret() };
    keys.regive([other]);
    expect(keys.find(TAKER.id)).toBeUndefined();
    expect(keys.find('other')).toBe(other);
    expect(keys.all().map(({ id }) => id)).toEqual(['other']);
  });

  test.each<[string, Partial<GivenKey>]>([
    ['secret', { secret: newSecret() }],
    ['accounts', { accounts: [accountId('10002')] }],
    ['scopes', { scopes: ['read'] }],
    ['addresses', { addresses: ['10.0.0.0/8'] }],
  ])(
    'replacing the configured keys closes the sockets of a key with changed %s, and none of unchanged keys',
    async (_, changes) => {
      const stays = { ...given({ id: 'stays' }), secret: newSecret() };
      const keys = await openKeys([given(), stays]);
      const gateway = await GatewayUnderTest.start({}, { keys, now: () => instant(clock.nowMs) });
      cleanUp.push(() => gateway.close());
      const ended = await openSockets(gateway, TAKER);
      const kept = await openSockets(gateway, stays);
      keys.regive([given(changes), given({ ...stays })]);
      expect(await Promise.all(ended.map((one) => one.ended))).toEqual([4401, 4401]);
      expect(kept.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
      for (const { socket } of kept) socket.terminate();
    },
  );

  test('replacing the configured keys reveals a stored key of the same id, and overrides it when restored', async () => {
    const keys = await openKeys([given()]);
    const key = await addKey(TAKER.id);
    await looked();
    expect(keys.find(TAKER.id)?.secret).toBe(TAKER.secret);
    keys.regive([]);
    expect(keys.find(TAKER.id)?.secret).toBe(key.secret);
    keys.regive([given()]);
    expect(keys.find(TAKER.id)?.secret).toBe(TAKER.secret);
  });
});
