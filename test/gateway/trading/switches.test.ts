// Trading switches over REST: visible to all readers, set by admins only, and recorded.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { instant } from '../../../src/values/instant.ts';
import { MemoryActionLog } from '../../../src/virtual/memory/memory-action-log.ts';
import { MemorySwitchRecords } from '../../../src/virtual/memory/memory-switch-records.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import {
  GatewayUnderTest,
  NOW_MS,
  perpetualBody,
  READER,
  STRANGER,
  TAKER,
} from '../gateway-under-test.ts';

const TRADING = '/tt/broker/openapi/trading';
const HALT = { scope: 'account', of: '10001', state: 'halted', reason: 'venue misbehaves' };
let gateway: GatewayUnderTest;
let records: MemorySwitchRecords;
let switches: TradingSwitches;
let actions: MemoryActionLog;

beforeEach(async () => {
  records = new MemorySwitchRecords();
  actions = new MemoryActionLog();
  const clock = new VirtualClock(instant(NOW_MS));
  switches = await TradingSwitches.open({ records, clock, observer: witness() });
  gateway = await GatewayUnderTest.start({}, { switches, actions });
});
afterEach(() => gateway.close());

const client = (by: typeof TAKER) =>
  connect({ baseUrl: gateway.url, keyId: by.id, secret: by.secret, now: () => gateway.nowMs });

test('an admin sets a switch, readers see who set it and why, and it is recorded', async () => {
  const set = await client(TAKER).setSwitch({ ...HALT, scope: 'account', state: 'halted' });
  const record = { ...HALT, uid: TAKER.uid, nickname: TAKER.nickname, timestamp: String(NOW_MS) };
  expect(set).toEqual({ kind: 'done', value: record });
  expect(await client(READER).switches()).toEqual({ kind: 'done', value: [record] });
  expect(switches.strictestFor({ account: '10001' })?.state).toBe('halted');
  expect(await actions.find({ limit: 9 })).toMatchObject([
    { method: 'trading/switch', account: '10001', keyId: TAKER.id, outcome: 'done' },
  ]);
});

test('only an admin sees the switches of foreign accounts, portfolios and strategies', async () => {
  const submitted = async (by: typeof TAKER, accountId: string): Promise<string> => {
    const { json } = await gateway.submit(perpetualBody({ accountId }), { by });
    return String(json.value.portfolioId);
  };
  const [own, theirs] = [await submitted(TAKER, '10001'), await submitted(STRANGER, '10002')];
  const overs = [
    ['deployment', ''],
    ['account', '10001'],
    ['account', '10002'],
    ['portfolio', own],
    ['portfolio', theirs],
    ['portfolio', '7'],
    ['strategy', 'nightly'],
  ] as const;
  for (const [scope, of] of overs) {
    const wish = { scope, state: 'reducing', reason: 'drill', ...(of !== '' && { of }) } as const;
    expect(await client(TAKER).setSwitch(wish)).toMatchObject({ kind: 'done' });
  }
  const seen = async (by: typeof TAKER): Promise<string[]> => {
    const answer = await client(by).switches();
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    return answer.value.map(({ scope, of }) => `${scope} ${of}`).sort();
  };
  expect(await seen(TAKER)).toEqual(overs.map((over) => over.join(' ')).sort());
  expect(await seen(READER)).toEqual(['account 10001', 'deployment ', `portfolio ${own}`]);
  expect(await seen(STRANGER)).toEqual(['account 10002', 'deployment ', `portfolio ${theirs}`]);
});

test('the scope admin alone suffices to list and set switches', async () => {
  const admin = { ...TAKER, id: 'admin-alone', scopes: ['admin'] as const };
  const keys = { find: (id: string) => (id === admin.id ? admin : undefined) };
  const own = await GatewayUnderTest.start({}, { switches, actions, keys });
  const { baseUrl, now } = { baseUrl: own.url, now: () => own.nowMs };
  const alone = connect({ baseUrl, now, keyId: admin.id, secret: admin.secret });
  const set = await alone.setSwitch({ ...HALT, scope: 'account', state: 'halted' });
  if (set.kind !== 'done') throw new Error(JSON.stringify(set));
  expect(await alone.switches()).toEqual({ kind: 'done', value: [set.value] });
  expect(await alone.overrides()).toEqual({ kind: 'done', value: [] });
  expect(await alone.page({ accountId: '10001' })).toMatchObject({ kind: 'refused', status: 403 });
  await own.close();
});

test('a key without the scope cannot set a switch', async () => {
  for (const by of [STRANGER, READER]) {
    const answer = await gateway.request(`${TRADING}/switch`, { by, body: HALT });
    expect(answer.status).toBe(403);
  }
  expect(await records.after(0)).toEqual([]);
});

test.each([
  ['of', { ...HALT, of: undefined }],
  ['of', { ...HALT, scope: 'deployment' }],
  ['reason', { ...HALT, reason: '' }],
  ['state', { ...HALT, state: 'off' }],
  ['scope', { ...HALT, scope: 'desk' }],
])('a request with an invalid %s is refused with the name of the field', async (field, body) => {
  const { json } = await gateway.request(`${TRADING}/switch`, { body });
  expect(json).toMatchObject({ succ: false, errors: [{ field }] });
  expect(await records.after(0)).toEqual([]);
});

test('a halt that cannot be stored is answered with 503 and takes effect all the same', async () => {
  records.add = () => Promise.reject(new LedgerFailure('away', false));
  const { status } = await gateway.request(`${TRADING}/switch`, { body: HALT });
  expect(status).toBe(503);
  expect(switches.strictestFor({ account: '10001' })?.state).toBe('halted');
});
