// When the private connection of an account is opened and closed, in virtual time, on a venue that takes a moment for it.

import { describe, expect, test } from 'vitest';
import { AccountConnections } from '../../../src/engine/ownership/account-connections.ts';
import { observing } from '../../../src/ports/observer.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { type AccountId, accountId, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

const LOGIN_MS = 100;
const A = accountId('10001');
const B = accountId('10002');

/** Accounts of a venue; `log` is what happened, in order. */
function stage({ loginMs = LOGIN_MS } = {}) {
  const clock = new VirtualClock(NOON);
  const log: string[] = [];
  const open = new Set<AccountId>();
  const note = (what: string, account: AccountId): void => void log.push(`${what} ${account}`);
  const after = (ms: number): Promise<void> =>
    new Promise((done) => clock.at(later(clock.now(), ms), done));
  const answered = async (what: string, account: AccountId) => {
    note(open.has(account) ? what : `${what} without a connection`, account);
    await after(10);
    return { kind: 'done', value: [] } as const;
  };
  const venue = {
    name: venueName('far'),
    attach: async (account: AccountId) => {
      note('opens', account);
      await after(loginMs);
      open.add(account);
    },
    detach: (account: AccountId) => {
      open.delete(account);
      note('closes', account);
      return Promise.resolve();
    },
    openOrders: ({ account }: { account: AccountId }) => answered('lists', account),
    place: ({ account }: { account: AccountId }) => answered('places', account),
  } as unknown as Venue;
  const connections = new AccountConnections({
    clock,
    observer: observing({ failed: ({ error }) => log.push(`failed ${String(error)}`) }),
    venues: {
      forAccount: (account) => (account === A || account === B ? venue : undefined),
      all: () => [venue],
    },
  });
  connections.follow(
    async (account) => {
      note('catches up', account);
      await connected.openOrders({ account });
    },
    (account) => note('forgets', account),
  );
  const [connected] = connections.venues.all() as [Venue];
  return {
    connections,
    connected,
    log,
    run: (ms: number): Promise<void> => clock.run(later(clock.now(), ms), settle),
  };
}

describe('the connection of an account that is not owned', () => {
  test('a query opens the connection and waits for it; it is closed when it was not used for a while', async () => {
    const { connected, log, run } = stage();
    const answer = connected.openOrders({ account: A });
    await run(LOGIN_MS + 10);
    expect(await answer).toMatchObject({ kind: 'done' });
    expect(log).toEqual(['opens 10001', 'lists 10001']);
    await run(3_000);
    void connected.openOrders({ account: A });
    await run(4_900);
    expect(log).toEqual(['opens 10001', 'lists 10001', 'lists 10001']);
    await run(200);
    expect(log.at(-1)).toBe('closes 10001');
    await run(60_000);
    expect(log).toHaveLength(4);
  });

  test('an order opens no connection', async () => {
    const { connected, log, run } = stage();
    void connected.place({ account: A } as never);
    await run(60_000);
    expect(log).toEqual(['places without a connection 10001']);
  });

  test('requests wait for one connection together, and no longer than five seconds', async () => {
    const { connected, log, run } = stage({ loginMs: 60_000 });
    void connected.openOrders({ account: A });
    await run(2_000);
    void connected.openOrders({ account: A });
    await run(2_900);
    expect(log).toEqual(['opens 10001']);
    await run(200);
    const refused = 'lists without a connection 10001';
    expect(log).toEqual(['opens 10001', refused, refused]);
  });

  test('a connection is used by none but its account', async () => {
    const { connected, log, run } = stage();
    void connected.openOrders({ account: B });
    await run(60_000);
    expect(log).toEqual(['opens 10002', 'lists 10002', 'closes 10002']);
  });
});

describe('the connection of an account that is owned', () => {
  test('what is open when the daemon stops is logged out if other daemons work on, and otherwise left to break', async () => {
    for (const logsOut of [true, false]) {
      const { connections, log, run } = stage();
      void connections.own([A]);
      await run(1_000);
      connections.disown([A]);
      void connections.own([B]);
      await run(1_000);
      const before = log.length;
      connections.stop({ logsOut });
      await run(60_000);
      expect(log.slice(before)).toEqual(logsOut ? ['closes 10001', 'closes 10002'] : []);
    }
  });

  test('the connection is caught up with once it is open, and kept until the account is given up', async () => {
    const { connections, log, run } = stage();
    let isOwned = false;
    void connections.own([A]).then(() => {
      isOwned = true;
    });
    await run(LOGIN_MS);
    expect(connections.isKept(A)).toBe(true);
    expect([isOwned, connections.isCaughtUp(A)]).toEqual([false, false]);
    await run(10);
    expect([isOwned, connections.isCaughtUp(A)]).toEqual([true, true]);
    await run(600_000);
    expect(log).toEqual(['opens 10001', 'catches up 10001', 'lists 10001']);
    connections.disown([A]);
    expect(connections.isKept(A)).toBe(false);
    await run(5_100);
    expect(log.slice(3)).toEqual(['forgets 10001', 'closes 10001']);
    expect(connections.isCaughtUp(A)).toBe(false);
  });

  test('the connection stays open if the account comes back soon, and need not be caught up with again', async () => {
    const { connections, log, run } = stage();
    void connections.own([A]);
    await run(1_000);
    connections.disown([A]);
    await run(4_000);
    void connections.own([A]);
    await run(60_000);
    expect(log).toEqual(['opens 10001', 'catches up 10001', 'lists 10001']);
    expect(connections.isCaughtUp(A)).toBe(true);
  });

  test('an account that comes back later has a new connection, which is caught up with', async () => {
    const { connections, log, run } = stage();
    void connections.own([A]);
    await run(1_000);
    connections.disown([A]);
    await run(6_000);
    void connections.own([A]);
    await run(1_000);
    const begins = ['opens 10001', 'catches up 10001', 'lists 10001'];
    expect(log).toEqual([...begins, 'forgets 10001', 'closes 10001', ...begins]);
  });

  test('a connection that a query has opened before is kept', async () => {
    const { connections, connected, log, run } = stage();
    void connected.openOrders({ account: A });
    await run(1_000);
    void connections.own([A]);
    await run(60_000);
    expect(log).toEqual(['opens 10001', 'lists 10001', 'catches up 10001', 'lists 10001']);
  });
});

describe('the connection of an account that another daemon is about to give up', () => {
  test('the connection is caught up with before the account is owned, and continues then', async () => {
    const { connections, log, run } = stage();
    const isReady = connections.expect([A]);
    await run(LOGIN_MS + 10);
    await isReady;
    expect(connections.isCaughtUp(A)).toBe(true);
    void connections.own([A]);
    await run(60_000);
    expect(log).toEqual(['opens 10001', 'catches up 10001', 'lists 10001']);
  });

  test('the connection is closed when the account does not come', async () => {
    const { connections, log, run } = stage();
    void connections.expect([A]);
    await run(14_000);
    expect(log).toHaveLength(3);
    await run(1_500);
    expect(log.slice(3)).toEqual(['forgets 10001', 'closes 10001']);
  });
});
