// Trading switches over REST: visible to all readers, set by admins only, and recorded.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { instant } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryActionLog } from '../../doubles/memory/memory-action-log.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
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
  gateway = await GatewayUnderTest.start({}, { switches, actions, switchRecords: records });
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

test('a switch of an account that does not exist is refused, unless one was set already', async () => {
  const wish = { ...HALT, of: '10O01', scope: 'account', state: 'halted' } as const;
  const refused = await client(TAKER).setSwitch(wish);
  expect(refused).toMatchObject({ kind: 'refused', errors: [{ field: 'of' }] });
  expect(await records.after(0)).toEqual([]);
  const by = { uid: TAKER.uid, nickname: TAKER.nickname };
  await switches.set({ ...wish, by, at: instant(NOW_MS) });
  expect(await client(TAKER).setSwitch({ ...wish, state: 'active' })).toMatchObject({
    kind: 'done',
  });
});

test('the history shows every setting of a switch, the latest first, with author, time and reason', async () => {
  for (const [state, reason] of [
    ['halted', 'venue misbehaves'],
    ['reducing', 'venue is back'],
    ['active', 'checked'],
  ] as const) {
    gateway.nowMs += 1_000;
    await client(TAKER).setSwitch({ scope: 'account', of: '10001', state, reason });
  }
  const of = { scope: 'account', of: '10001', uid: TAKER.uid, nickname: TAKER.nickname };
  expect(await client(READER).switchHistory()).toEqual({
    kind: 'done',
    value: [
      { ...of, state: 'active', reason: 'checked', timestamp: String(NOW_MS + 3_000) },
      { ...of, state: 'reducing', reason: 'venue is back', timestamp: String(NOW_MS + 2_000) },
      { ...of, state: 'halted', reason: 'venue misbehaves', timestamp: String(NOW_MS + 1_000) },
    ],
  });
  expect(await client(STRANGER).switchHistory()).toEqual({ kind: 'done', value: [] });
});

test('the history is limited to the latest 500 settings that the key may see', async () => {
  const by = { uid: '7001', nickname: 'desk' };
  for (let n = 1; n <= 600; n += 1) {
    const [state, reason] = ['halted', `setting ${n}`] as const;
    const at = instant(NOW_MS);
    await records.add({
      scope: 'account',
      of: n % 6 === 0 ? '10002' : '10001',
      state,
      by,
      reason,
      at,
    });
  }
  const reasons = async (by: typeof TAKER) => {
    const seen = await client(by).switchHistory();
    return seen.kind === 'done' ? seen.value.map(({ reason }) => reason) : [];
  };
  expect((await reasons(TAKER)).slice(0, 1)).toEqual(['setting 600']);
  expect(await reasons(TAKER)).toHaveLength(500);
  expect(await reasons(READER)).toHaveLength(500);
  expect((await reasons(READER)).at(-1)).toBe('setting 1');
  expect(await reasons(STRANGER)).toHaveLength(100);
});

test('a gateway without a ledger has no history of switches', async () => {
  const bare = await GatewayUnderTest.start({}, { switches });
  const { json } = await bare.request(`${TRADING}/switch-history`);
  expect(json).toMatchObject({ code: 40401, message: expect.stringContaining('no history') });
  await bare.close();
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
    // Each was set once, so the history shows the same.
    const past = await client(by).switchHistory();
    expect(past).toEqual({ ...answer, value: expect.arrayContaining([...answer.value]) });
    expect(past.kind === 'done' && past.value).toHaveLength(answer.value.length);
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

test.each([
  ['of', { ...HALT, of: undefined }],
  ['of', { ...HALT, of: '' }],
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
