// The stage of the Deribit adapter's tests: a session of the adapter connects to it, logs in and is answered.
import { expect, test } from 'vitest';
import { Credits } from '../../../src/adapters/deribit/session/credits.ts';
import { Session } from '../../../src/adapters/deribit/session/rpc-session.ts';
import { VenueClock } from '../../../src/adapters/deribit/session/venue-clock.ts';
import { openSocket } from '../../../src/adapters/deribit/session/venue-socket.ts';
import { WireTally } from '../../../src/ports/deribit-wire/wire-tally.ts';
import { rng } from '../../../src/values/rng.ts';
import { KEY, serveDeribit } from './deribit-stage.ts';

test('A session logs in to the paper exchange over Deribit’s wire, and its requests are answered.', async () => {
  const served = await serveDeribit();
  const { clock } = served;
  const faults: unknown[] = [];
  const up = Promise.withResolvers<void>();
  const session = new Session({
    url: served.url,
    open: openSocket,
    name: 'desk',
    clock,
    venueClock: new VenueClock(),
    rng: rng('stage'),
    key: { kind: 'deribit', clientId: KEY.id, clientSecret: KEY.secret },
    trades: true,
    rules: {
      timeoutMs: 30_000,
      probeMs: 30_000,
      heartbeatSec: 30,
      backoff: { minMs: 10, maxMs: 100, heldMs: 1_000 },
    },
    credits: new Credits(clock.monotonicMs()),
    tally: new WireTally(() => undefined),
    checkVenue: () => undefined,
    identify: () => Promise.resolve(),
    channels: ['user.changes.any.any.raw'],
    greet: () => Promise.resolve(),
    onUp: up.resolve,
    onDown: () => undefined,
    onRefused: up.reject,
    onUnreadable: () => undefined,
    onMessage: () => undefined,
    onFault: (error) => faults.push(error),
  });
  await up.promise;
  const outcome = await session.request('public/get_index_price', { index_name: 'btc_usd' });
  expect(outcome).toMatchObject({ kind: 'result', value: { index_price: expect.any(String) } });
  expect(session.granted?.scope).toContain('trade:read_write');
  session.close();
  await served.close();
  expect([faults, served.reported]).toEqual([[], []]);
});
