// The operations of trading switches and overrides as plain functions, without a framework or a socket.
import { describe, expect, test } from 'vitest';
import { Overrides } from '../../../src/core/risk/gate/overrides.ts';
import { tradingApi } from '../../../src/engine/api/switch-operations.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { OVERRIDE_METHODS } from '../../../src/gateway/trading/override-methods.ts';
import { SWITCH_METHODS } from '../../../src/gateway/trading/switch-methods.ts';
import type { TradingMethod } from '../../../src/gateway/trading/trading-method.ts';
import { Refused, readWith } from '../../../src/gateway/wire/faults.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const key = (id: string, scopes: ApiKey['scopes']) =>
  ({
    id,
    uid: `u-${id}`,
    nickname: id,
    accounts: [accountId('10001')],
    scopes,
  }) as Partial<ApiKey> as ApiKey;
const TRADER = key('trader', ['read', 'trade']);
const ADMIN = key('admin', ['read', 'admin']);
const now = () => NOON;

/** Parses and runs a request, as a server does after admission. */
async function asked<C>(
  methods: readonly TradingMethod<C>[],
  name: string,
  call: C & { readonly key: ApiKey },
  body?: unknown,
): Promise<{ readonly value: unknown; readonly actedFor: readonly string[] }> {
  const method = must(
    methods.find((one) => one.name === name),
    name,
  );
  const read = method.asked === undefined ? { value: undefined } : readWith(method.asked, body);
  if ('rejections' in read) throw new Refused(read.rejections);
  const actedFor: string[] = [];
  const actsFor = (account: string): void => void actedFor.push(account);
  return { value: await method.run({ ...call, actsFor }, read.value), actedFor };
}

describe('trading switches', () => {
  test('trading switches are set and listed, and the affected account is recorded', async () => {
    const parts = { records: new MemorySwitchRecords(), observer: witness() };
    const switches = await TradingSwitches.open({ ...parts, clock: new VirtualClock(NOON) });
    const trading = tradingApi({ switches, overrides: new Overrides() });
    const accounts = { describe: (name: string) => ({ name, exchange: 'paper' }) };
    const operations = { info: () => Promise.resolve(undefined) };
    const call = { trading, accounts, operations, now };
    const halt = { scope: 'account', of: '10001', state: 'halted', reason: 'drill' };
    const set = await asked(SWITCH_METHODS, 'switch', { ...call, key: ADMIN }, halt);
    expect(set).toMatchObject({ value: { ...halt, uid: 'u-admin' }, actedFor: ['10001'] });
    const listed = await asked(SWITCH_METHODS, 'switches', { ...call, key: TRADER });
    expect(listed.value).toEqual([set.value]);
    const nameless = asked(SWITCH_METHODS, 'switch', { ...call, key: ADMIN }, { ...halt, of: '' });
    await expect(nameless).rejects.toThrow(Refused);
    await switches.drain();
  });
});

describe('overrides', () => {
  test('overrides have unique ids and are granted by another key, and the affected account is recorded', async () => {
    const switches = { settings: () => [], set: () => Promise.resolve() };
    const call = { trading: tradingApi({ switches, overrides: new Overrides() }), now };
    const wish = {
      control: 'price_collar',
      accountId: '10001',
      instrumentName: 'BTC-PERPETUAL',
      side: 'buy',
      quantity: '10',
      reason: 'the mark is stale',
    };
    const first = await asked(OVERRIDE_METHODS, 'override', { ...call, key: TRADER }, wish);
    const second = await asked(OVERRIDE_METHODS, 'override', { ...call, key: TRADER }, wish);
    const [id, other] = [first, second].map(({ value }) => (value as { id: string }).id);
    expect(other).not.toBe(id);
    const own = asked(OVERRIDE_METHODS, 'override-grant', { ...call, key: TRADER }, { id });
    await expect(own).rejects.toThrow(Refused);
    const by = { ...call, key: ADMIN };
    const granted = await asked(OVERRIDE_METHODS, 'override-grant', by, { id });
    expect(granted).toMatchObject({ value: { grantedBy: 'admin' }, actedFor: ['10001'] });
    const listed = await asked(OVERRIDE_METHODS, 'overrides', { ...call, key: TRADER });
    expect(listed.value).toMatchObject([{ grantedBy: 'admin' }, { grantedBy: '' }]);
  });
});
