// Pages and counts over every account of a key.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../src/gateway/client/client.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody, STRANGER, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
const ids = new Map<string, string>();

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  for (const [accountId, by] of [
    [10001, TAKER],
    [20001, TAKER],
    [10002, STRANGER],
  ] as const) {
    const { json } = await gateway.submit(perpetualBody({ accountId }), { by });
    ids.set(String(accountId), String(json.value.portfolioId));
  }
});
afterEach(() => gateway.close());

test('a page of all accounts lists the portfolios of every account of the key and of no other', async () => {
  const listed = async (by: typeof TAKER) => {
    const page = await client(by).page({ accountId: 'all', pageSize: 100 });
    if (page.kind !== 'done') throw new Error(JSON.stringify(page));
    expect(page.value.totalCount).toBe(page.value.values.length);
    return page.value.values.map(({ portfolioId }) => portfolioId).sort();
  };
  expect(await listed(TAKER)).toEqual([ids.get('10001'), ids.get('20001')]);
  expect(await listed(STRANGER)).toEqual([ids.get('10002')]);
});

test('updatedAfter reaches the ledger as an instant, and text that is none is refused', async () => {
  await client(TAKER).page({ accountId: 'all', updatedAfter: NOW_MS });
  expect(gateway.operations.pages.at(-1)).toMatchObject({
    accounts: ['10001', '20001'],
    updatedAfter: NOW_MS,
  });
  expect(await client(TAKER).page({ accountId: 'all', updatedAfter: 'yesterday' })).toMatchObject({
    kind: 'refused',
    code: 40001,
    errors: [{ field: 'updatedAfter' }],
  });
});

test('counts are those of one account, or of every account of the key', async () => {
  await client(TAKER).cancel(ids.get('20001') ?? '');
  const none = { active: 0, cancelling: 0, filled: 0, cancelled: 0 };
  const counts = async (by: typeof TAKER, account?: string) => await client(by).counts(account);
  expect(await counts(TAKER)).toEqual({
    kind: 'done',
    value: { ...none, active: 1, cancelled: 1 },
  });
  expect(await counts(TAKER, '20001')).toEqual({ kind: 'done', value: { ...none, cancelled: 1 } });
  expect(await counts(STRANGER)).toEqual({ kind: 'done', value: { ...none, active: 1 } });
});
