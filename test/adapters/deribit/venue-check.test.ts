// Real money is traded only where it was requested: what answers is judged before anything private is sent to it.
import { afterEach, describe, expect, test } from 'vitest';
import type { DeribitVenueOptions } from '../../../src/adapters/deribit/open-deribit-venue.ts';
import {
  checkVenue,
  type Expected,
  isLive,
  WrongVenue,
} from '../../../src/adapters/deribit/venue-check.ts';
import { until } from '../until.ts';
import { ALL_ACCOUNTS, connectTo } from './connect-deribit.ts';
import { noonClock } from './deribit-stage.ts';
import { type ScriptedAnswer, type ScriptedCall, ScriptedVenue } from './scripted-venue.ts';

const TEST = 'wss://test.deribit.com/ws/api/v2';
const FAR = 'wss://far.example/ws/api/v2';
const HERE = 'ws://127.0.0.1:8090/ws/api/v2';

describe('what answers at an address', () => {
  test.each<[Expected, string, boolean | undefined, 'play' | 'real' | 'wrong']>([
    ['test', TEST, true, 'play'],
    ['test', TEST, false, 'wrong'],
    ['test', TEST, undefined, 'wrong'],
    ['production', 'wss://www.deribit.com/ws/api/v2', false, 'real'],
    ['production', 'wss://www.deribit.com/ws/api/v2', undefined, 'real'],
    ['production', 'wss://www.deribit.com/ws/api/v2', true, 'wrong'],
    ['any', FAR, true, 'play'],
    ['any', FAR, false, 'real'],
    ['any', FAR, undefined, 'real'],
    ['any', HERE, undefined, 'play'],
    ['any', 'ws://[::1]:8090', false, 'play'],
    ['any', 'ws://127.0.0.1.far.example', undefined, 'real'],
    ['any', 'ws://localhost.far.example', undefined, 'real'],
  ])('expected %s at %s with testnet %s is %s', (expected, url, testnet, verdict) => {
    const check = (allowsLive: boolean) => () => checkVenue({ expected, url, allowsLive }, testnet);
    if (verdict === 'wrong') expect(check(true)).toThrow(WrongVenue);
    else expect(check(true)).not.toThrow();
    if (verdict === 'play') expect(check(false)).not.toThrow();
    else expect(check(false)).toThrow(WrongVenue);
    if (verdict !== 'wrong') expect(isLive({ expected, url }, testnet)).toBe(verdict === 'real');
  });
});

describe('a venue with real money', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const clock = noonClock();
  const live =
    (result: () => unknown) =>
    ({ text }: ScriptedCall): ScriptedAnswer => ({
      text: JSON.stringify({
        jsonrpc: '2.0',
        id: JSON.parse(text).id,
        testnet: false,
        result: result(),
      }),
    });

  async function connected(options: Partial<DeribitVenueOptions>) {
    const script = {
      'public/get_time': live(() => clock.now()),
      'public/status': live(() => ({ locked: 'false' })),
    };
    const scripted = await ScriptedVenue.open(script, () => clock.now());
    closers.push(() => scripted.close());
    const { venue, faults } = await connectTo(scripted.url, {
      expected: 'production',
      accounts: ALL_ACCOUNTS.slice(0, 1),
      clock,
      firstWaitMs: 300,
      ...options,
    });
    closers.push(() => venue.close());
    return { scripted, venue, faults };
  }

  test('without --live nothing private is sent, and the reason says what to type', async () => {
    const { scripted, venue, faults } = await connected({});
    await until(() => venue.trouble()?.includes('--live') === true);
    expect(venue.trouble()).toMatch(/trades real money.*start with --live to trade there/);
    expect(faults.map(String)).toContainEqual(expect.stringContaining('start with --live'));
    const methods = scripted.calls.map(({ method }) => method);
    expect(methods.filter((method) => method !== 'public/get_time')).toEqual([]);
  });

  test('with --live the ledger is asked before the login, and may refuse it', async () => {
    const asked: unknown[] = [];
    const bind = (...about: readonly unknown[]) => {
      asked.push(about);
      return Promise.reject(new Error('the ledger is away'));
    };
    const { scripted, venue } = await connected({ allowsLive: true, bind });
    await until(() => venue.trouble() === 'the ledger is away');
    expect(asked).toContainEqual(['deribit production', true]);
    expect(scripted.callsOf('public/auth')).toEqual([]);
  });

  test('a ledger that agrees lets the accounts log in', async () => {
    const { scripted } = await connected({ allowsLive: true, bind: () => Promise.resolve() });
    await scripted.called('public/auth');
  });
});
