// Requests on a connection that is not up.
import { expect, it } from 'vitest';
import { Credits } from '../../../../src/adapters/deribit/session/credits.ts';
import { Session } from '../../../../src/adapters/deribit/session/rpc-session.ts';
import { VenueClock } from '../../../../src/adapters/deribit/session/venue-clock.ts';
import { WireTally } from '../../../../src/ports/deribit-wire/wire-tally.ts';
import { rng } from '../../../../src/values/rng.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { NOON } from '../../paper/paper-stage.ts';

it('requests that are not sent leave the credits to the connection that is being opened', async () => {
  const credits = new Credits(0);
  const session = new Session({
    url: 'ws://127.0.0.1:1/ws/api/v2',
    name: 'market',
    trades: false,
    clock: new VirtualClock(NOON),
    venueClock: new VenueClock(),
    rng: rng('unsent'),
    rules: {
      timeoutMs: 2_000,
      probeMs: 1_500,
      heartbeatSec: 10,
      backoff: { minMs: 250, maxMs: 3_000, heldMs: 5_000 },
    },
    credits,
    tally: new WireTally(() => undefined),
    checkVenue: () => undefined,
    identify: () => Promise.resolve(),
    channels: [],
    greet: () => Promise.resolve(),
    // Never opens.
    open: () => ({ send: () => false, end: () => undefined, close: () => undefined }),
    onUp: () => undefined,
    onDown: () => undefined,
    onRefused: () => undefined,
    onMessage: () => undefined,
    onUnreadable: () => undefined,
    onFault: () => undefined,
  });
  const before = credits.budgets(0);
  const methods = ['private/get_open_orders', 'private/buy', 'private/cancel'];
  const outcomes = await Promise.all(
    Array.from({ length: 300 }, (_, at) => session.request(methods[at % 3] ?? '', {})),
  );
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unsent']));
  expect(credits.budgets(0)).toEqual(before);
  session.close();
});
