// The venue's own market-maker protection and its locks, at a scripted venue.

import { afterEach, expect, test } from 'vitest';
import type { ProtectionSetup } from '../../../../src/adapters/deribit/account/protection-state.ts';
import { VenueProtection } from '../../../../src/adapters/deribit/account/venue-protection.ts';
import type { NewOrder } from '../../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import type { TermsOf } from '../../../../src/values/instrument.ts';
import { NOON, perpetual, spot } from '../../../support/engine/markets.ts';
import { until } from '../../until.ts';
import { connectToScript, DESK, type ScriptedSessions } from '../scripted-sessions.ts';
import type { Script } from '../scripted-venue.ts';

const BTC = perpetual({ name: instrumentName('BTC-PERPETUAL'), indexName: 'btc_usd' });
const COINS = spot({ name: instrumentName('BTC_USDC'), indexName: 'btc_usdc' });
const SETUP: ProtectionSetup = {
  index: 'btc_usd',
  intervalSec: 5,
  frozenTimeSec: 30,
  quantityLimit: quantity('2'),
  deltaLimit: quantity('1.5'),
};
const IN_FORCE = {
  index_name: 'btc_usd',
  interval: 5,
  frozen_time: 30,
  block_rfq: false,
  quantity_limit: 2.0,
  delta_limit: 1.5,
  max_quote_quantity: 9,
  future_member: 'x',
};
const NOTHING: Script = {
  'private/get_user_locks': { result: [] },
  'private/get_mmp_status': { result: [] },
  'private/get_mmp_config': { result: [IN_FORCE] },
};

let stage: ScriptedSessions | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function protectedBy(script: Script, setups: readonly ProtectionSetup[] = [SETUP]) {
  let ahead = 0;
  const venueNow = (): Instant => later(NOON, ahead);
  const made = Promise.withResolvers<VenueProtection>();
  stage = await connectToScript({ ...NOTHING, ...script }, ({ tally, onFault }) => {
    const termsOf: TermsOf = (name) => [BTC, COINS].find((one) => one.name === name);
    const protection = new VenueProtection({ setups, venueNow, termsOf, tally, onFault });
    made.resolve(protection);
    return {
      prepareAccount: ({ account, request }) => protection.greet(account, request),
      receive: (account, channel, data) =>
        account !== undefined && protection.receive(account, channel, data),
    };
  });
  const { venue, faults } = stage;
  const jump = (byMs: number): void => {
    ahead += byMs;
  };
  return { protection: await made.promise, venue, faults, jump, venueNow };
}

const order = (changes: Partial<NewOrder> = {}): NewOrder => ({
  account: DESK,
  instrument: BTC.name,
  side: 'buy',
  type: 'limit',
  mmp: true,
  quantity: quantity('10'),
  price: price('50000'),
  timeInForce: 'good_til_cancelled',
  postOnly: true,
  rejectPostOnly: true,
  reduceOnly: false,
  label: '',
  ...changes,
});

const HELD = { kind: 'refused', code: 13030, class: 'later', details: { param: 'mmp' } };

test('A protection that is in force as configured is left alone: setting it would end a freeze.', async () => {
  const { protection, venue, faults } = await protectedBy({});
  expect(venue.callsOf('private/set_mmp_config')).toEqual([]);
  expect(protection.refusalOf(order())).toBeUndefined();
  expect(faults).toEqual([]);
});

test('A protection that differs is configured at the login, with the cap that the venue has.', async () => {
  const { protection, venue, faults } = await protectedBy({
    'private/get_mmp_config': { result: [{ ...IN_FORCE, quantity_limit: 7 }] },
    'private/set_mmp_config': { result: [IN_FORCE] },
  });
  const { text } = await venue.called('private/set_mmp_config');
  expect(text).toContain(
    '"params":{"index_name":"btc_usd","interval":5,"frozen_time":30,"quantity_limit":2,"delta_limit":1.5,"max_quote_quantity":9}',
  );
  expect(protection.refusalOf(order())).toBeUndefined();
  expect(faults).toEqual([]);
});

test('Orders under a protection that cannot be configured are held back until it is.', async () => {
  const { protection, venue, faults, jump } = await protectedBy({
    'private/get_mmp_config': { result: [] },
    'private/set_mmp_config': { error: { code: 13040, message: 'mmp_required' } },
  });
  expect(protection.refusalOf(order())).toMatchObject(HELD);
  expect(protection.refusalOf(order({ mmp: false }))).toBeUndefined();
  expect(faults.map(String)).toEqual([expect.stringContaining('13040 mmp_required')]);
  venue.answer({ 'private/set_mmp_config': { result: IN_FORCE } });
  jump(6_000);
  expect(protection.refusalOf(order())).toMatchObject(HELD);
  await until(() => protection.refusalOf(order()) === undefined);
});

test('While an index is frozen its protected orders and edits are held back, and no others.', async () => {
  const { protection, venue, venueNow, jump } = await protectedBy({});
  const frozenUntil = later(venueNow(), 30_000);
  venue.push('user.mmp_trigger.any', { index_name: 'btc_usd', frozen_until: frozenUntil });
  await until(() => protection.refusalOf(order()) !== undefined);
  expect(protection.refusalOf(order())).toMatchObject({ ...HELD, details: { retryAfterSec: 30 } });
  const edit = { account: DESK, of: { label: 'a', instrument: BTC.name }, mmp: true };
  expect(protection.refusalOf(edit)).toMatchObject(HELD);
  expect(protection.refusalOf({ ...edit, mmp: undefined })).toBeUndefined();
  expect(protection.refusalOf(order({ mmp: false }))).toBeUndefined();
  expect(protection.refusalOf(order({ instrument: instrumentName('ETH') }))).toBeUndefined();
  jump(30_000);
  expect(protection.refusalOf(order())).toBeUndefined();
});

test('A freeze without an end is requested again, because nothing is published of a reset.', async () => {
  const { protection, venue, jump } = await protectedBy({
    'private/get_mmp_status': { result: [{ index_name: 'btc_usd', frozen_until: 0 }] },
  });
  expect(protection.refusalOf(order())).toMatchObject(HELD);
  venue.answer({ 'private/get_mmp_status': { result: [] } });
  expect(protection.refusalOf(order())).toMatchObject(HELD);
  expect(venue.callsOf('private/get_mmp_status')).toHaveLength(1);
  jump(6_000);
  expect(protection.refusalOf(order())).toMatchObject(HELD);
  await until(() => protection.refusalOf(order()) === undefined);
});

test('Nothing is configured while it is frozen, and it is afterwards.', async () => {
  const { protection, venue, jump } = await protectedBy({
    'private/get_mmp_config': { result: [] },
    'private/get_mmp_status': { result: [{ index_name: 'btc_usd', frozen_until: 0 }] },
    'private/set_mmp_config': { result: [IN_FORCE] },
  });
  expect(venue.callsOf('private/set_mmp_config')).toEqual([]);
  venue.answer({ 'private/get_mmp_status': { result: [] } });
  jump(6_000);
  protection.refusalOf(order());
  await venue.called('private/set_mmp_config');
  await until(() => protection.refusalOf(order()) === undefined);
});

test('The status is read again after each break of the connection.', async () => {
  const { protection, venue } = await protectedBy({});
  venue.answer({
    'private/get_mmp_status': { result: [{ index_name: 'btc_usd', frozen_until: 0 }] },
  });
  venue.cut();
  await until(() => protection.refusalOf(order()) !== undefined);
});

test('Without the channel of all indexes those of the configured ones are subscribed to.', async () => {
  const { venue, faults } = await protectedBy({
    'private/subscribe': ({ params }) => ({
      result: (params['channels'] as string[]).filter((one) => !one.endsWith('.any')),
    }),
  });
  const { params } = await venue.called('private/subscribe', 2);
  expect(params).toEqual({ channels: ['user.mmp_trigger.btc_usd'] });
  expect(faults).toEqual([]);
});

test('An account without protection, on a venue that refuses every question about it, is no fault.', async () => {
  const refused = { error: { code: 13040, message: 'mmp_required' } };
  const { protection, faults } = await protectedBy(
    {
      'private/get_user_locks': { error: { code: 13021, message: 'forbidden' } },
      'private/get_mmp_status': refused,
      'private/get_mmp_config': refused,
      'private/subscribe': { error: { code: 11050, message: 'bad_request' } },
    },
    [],
  );
  expect(protection.refusalOf(order())).toBeUndefined();
  expect(faults).toEqual([]);
});

test('Orders in a locked currency are held back until it is unlocked.', async () => {
  const { protection, venue } = await protectedBy({
    'private/get_user_locks': {
      result: [
        { currency: 'BTC', enabled: true, message: 'ask support' },
        { currency: 'ETH', enabled: false },
        { currency: 'SOL', locked: true },
      ],
    },
  });
  expect(protection.trouble(DESK)).toBe(`the venue has locked BTC, SOL of account ${DESK}`);
  const held = protection.refusalOf(order({ mmp: false }));
  expect(held).toMatchObject({ kind: 'refused', class: 'later' });
  venue.push('user.lock', { locked: false, currency: 'BTC' });
  await until(() => protection.trouble(DESK) === `the venue has locked SOL of account ${DESK}`);
  expect(protection.refusalOf(order())).toBeUndefined();
  venue.push('user.lock', { locked: true, currency: 'ALL' });
  await until(() => protection.refusalOf(order()) !== undefined);
  venue.push('user.lock', { locked: false, currency: 'ALL' });
  await until(() => protection.refusalOf(order()) === undefined);
  expect(protection.trouble(DESK)).toBeUndefined();
});

test.each([
  ['BTC', true, true],
  ['USDC', false, true],
  ['ETH', false, false],
  ['ALL', true, true],
])(
  'a lock of %s holds a perpetual settled in BTC back: %s, and spot of BTC in USDC: %s',
  async (currency, perpetualHeld, spotHeld) => {
    const locks = { result: [{ currency, enabled: true }] };
    const { protection } = await protectedBy({ 'private/get_user_locks': locks });
    const isHeld = (instrument: typeof BTC.name): boolean =>
      protection.refusalOf(order({ instrument, mmp: false })) !== undefined;
    expect([isHeld(BTC.name), isHeld(COINS.name)]).toEqual([perpetualHeld, spotHeld]);
  },
);

test('A notice that cannot be read is reported, and the venue is asked instead.', async () => {
  const { protection, venue, faults } = await protectedBy({});
  venue.answer({
    'private/get_mmp_status': { result: [{ index_name: 'btc_usd', frozen_until: 0 }] },
  });
  venue.push('user.mmp_trigger.any', { frozen_until: 'soon' });
  await until(() => protection.refusalOf(order()) !== undefined);
  expect(faults.map(String)).toEqual([expect.stringContaining('index_name is missing')]);
});
