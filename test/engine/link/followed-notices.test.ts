// What venues publish about accounts of several daemons, followed at each of them: whichever of them owns an account,
// its notices come to every follower, and where some may be missing a gap is announced.

import { describe, expect, test } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { MethodApi } from '../../../src/engine/interface/engine-api.ts';
import { FollowedNotices } from '../../../src/engine/link/followed-notices.ts';
import { serveNotices } from '../../../src/engine/link/serve-notices.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { Absences } from '../../../src/engine/ownership/absences.ts';
import { ShardOwnership } from '../../../src/engine/ownership/shard-ownership.ts';
import type { RfqNews, RfqReads } from '../../../src/ports/block-rfq.ts';
import { PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { must } from '../../../src/values/assert.ts';
import { FanOut } from '../../../src/values/fan-out.ts';
import { type AccountId, accountId, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { rng } from '../../../src/values/rng.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NO_DESKS } from '../../doubles/lone-api.ts';
import { MemoryNudges } from '../../doubles/memory/memory-nudges.ts';
import { MemoryPeers } from '../../doubles/memory/memory-peers.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNTS = Array.from({ length: 10 }, (_, index) => accountId(`1000${index}`));
const VENUE = venueName('paper');
const raise = (error: unknown): never => {
  throw error;
};

const notice = (account: AccountId): VenueNotice => ({ kind: 'account', account });
const news = (account: AccountId): RfqNews => ({ kind: 'quotes', account, quotes: [] });

/** One connection of a daemon to the venue. */
class Connection {
  readonly orders = new FanOut<VenueNotice>(raise);
  readonly rfqs = new FanOut<RfqNews>(raise);
  readonly venue = {
    name: VENUE,
    subscribe: (listener: (one: VenueNotice) => void) => this.orders.add(listener),
    rfqs: {
      listen: (listener: (one: RfqNews) => void) => this.rfqs.add(listener),
    } as Partial<RfqReads>,
  } as unknown as Venue;
}

class Daemon {
  readonly name: string;
  readonly connection = new Connection();
  readonly ownership: ShardOwnership;
  readonly methods: MethodApi;
  readonly notices: FollowedNotices;
  readonly heard: VenueNotice[] = [];
  readonly heardRfqs: RfqNews[] = [];
  isDead = false;
  readonly #parts: Parts;

  constructor(name: string, parts: Parts) {
    const { clock, leases, nudges, peers } = parts;
    this.name = name;
    this.#parts = parts;
    const alive: VirtualClock['at'] = (due, call) => clock.at(due, () => this.isDead || call());
    const own = { now: () => clock.now(), monotonicMs: () => clock.monotonicMs(), at: alive };
    const observer = witness();
    this.ownership = new ShardOwnership({
      clock: own,
      observer,
      name,
      leases,
      address: name,
      nudges: nudges.open(),
      absences: new Absences(own),
      accounts: () => ACCOUNTS,
    });
    const here: OrderOperations = {
      ...NO_DESKS,
      accounts: () => ACCOUNTS.map((account) => [account, VENUE] as const),
      venues: () => [this.connection.venue],
    };
    const { ownership } = this;
    peers.add(
      name,
      () => Promise.resolve(''),
      serveNotices({ orders: here, ownership, onFault: raise }),
    );
    this.notices = new FollowedNotices({ here, ownership, peers, clock: own, observer });
    const { notices } = this;
    this.methods = methodApi({ orders: here, notices, clock: own, notReady: () => [] });
  }

  follow(): void {
    this.methods.orders.follow(VENUE, (one) => this.heard.push(one));
    this.methods.rfqs.follow(VENUE, (one) => this.heardRfqs.push(one));
  }

  kill(): void {
    this.isDead = true;
    this.ownership.stop();
    this.notices.close();
    this.#parts.leases.disconnect(this.name);
    this.#parts.peers.remove(this.name);
  }

  owned(): readonly AccountId[] {
    return ACCOUNTS.filter((account) => this.ownership.owns(shardOf(account)));
  }
}

interface Parts {
  readonly clock: VirtualClock;
  readonly leases: MemoryShardLeases;
  readonly nudges: MemoryNudges;
  readonly peers: MemoryPeers;
}

function deployment() {
  const clock = new VirtualClock(NOON);
  const leases = new MemoryShardLeases(() => clock.now());
  const parts: Parts = {
    clock,
    leases,
    peers: new MemoryPeers(),
    nudges: new MemoryNudges(raise),
  };
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const daemons: Daemon[] = [];
  const open = async (name: string): Promise<Daemon> => {
    const daemon = new Daemon(name, parts);
    daemons.push(daemon);
    void daemon.ownership.start();
    await run(3_000);
    return daemon;
  };
  /** The venue publishes to every connection. */
  const publish = (account: AccountId): void => {
    for (const { connection, isDead } of daemons) {
      if (isDead) continue;
      connection.orders.send([notice(account)]);
      connection.rfqs.send([news(account)]);
    }
  };
  return { ...parts, run, open, publish, daemons };
}

const forget = (daemon: Daemon): void => {
  daemon.heard.length = 0;
  daemon.heardRfqs.length = 0;
};

const gaps = (daemon: Daemon): number =>
  daemon.heard.filter(({ kind }) => kind === 'reconnected').length;

/** Two daemons with followers, after the gap with which following each other begins. */
async function pair() {
  const d = deployment();
  const [first, second] = [await d.open('a'), await d.open('b')];
  for (const one of [first, second]) one.follow();
  await d.run(1_000);
  for (const one of [first, second]) forget(one);
  return { ...d, first, second };
}

describe('what is followed at one of two daemons', () => {
  test('each notice of every account arrives exactly once, whichever of them owns it', async () => {
    const { first, second, publish, run } = await pair();
    expect(first.owned().length + second.owned().length).toBe(ACCOUNTS.length);
    expect(Math.min(first.owned().length, second.owned().length)).toBeGreaterThan(0);
    for (const account of ACCOUNTS) publish(account);
    await run(0);
    for (const { heard, heardRfqs } of [first, second]) {
      expect(heard).toHaveLength(ACCOUNTS.length);
      expect(heard).toEqual(expect.arrayContaining(ACCOUNTS.map(notice)));
      expect(heardRfqs).toHaveLength(ACCOUNTS.length);
      expect(heardRfqs).toEqual(expect.arrayContaining(ACCOUNTS.map(news)));
    }
  });

  test('notices of an account of the other daemon come from its connection alone', async () => {
    const { first, second, run } = await pair();
    const [account] = second.owned();
    const of = notice(must(account, 'it owns one'));
    first.connection.orders.send([of]);
    await run(0);
    expect(first.heard).toEqual([]);
    second.connection.orders.send([of]);
    await run(0);
    expect([first.heard, second.heard]).toEqual([[of], [of]]);
  });

  test('the public tape and interruptions of the market come from this daemon alone', async () => {
    const { first, second, run } = await pair();
    second.connection.orders.send([{ kind: 'reconnected', accounts: [] }]);
    await run(0);
    expect(first.heard).toEqual([]);
    expect(second.heard).toEqual([{ kind: 'reconnected', accounts: [] }]);
  });

  test('an interruption of the owner is announced to the followers of the other daemon', async () => {
    const { first, second, run } = await pair();
    second.connection.orders.send([{ kind: 'reconnected', accounts: ACCOUNTS }]);
    second.connection.rfqs.send([{ kind: 'reconnected' }]);
    await run(0);
    expect(first.heard).toEqual([{ kind: 'reconnected', accounts: second.owned() }]);
    expect(first.heardRfqs).toEqual([{ kind: 'reconnected' }]);
  });

  test('without followers nothing is sent between the daemons', async () => {
    const d = deployment();
    const [first, second] = [await d.open('a'), await d.open('b')];
    expect(first.connection.orders.isHeard).toBe(false);
    const leave = first.methods.orders.follow(VENUE, () => undefined);
    await d.run(0);
    expect(second.connection.orders.isHeard).toBe(true);
    leave();
    await d.run(0);
    expect(second.connection.orders.isHeard).toBe(false);
    expect(first.connection.orders.isHeard).toBe(false);
  });
});

describe('a hand-over', () => {
  test('a gap is announced to every follower once a new owner sends, and each later notice arrives once', async () => {
    const { first, second, publish, run, open } = await pair();
    const third = await open('c');
    await run(1_000);
    expect(third.owned().length).toBeGreaterThan(0);
    for (const one of [first, second]) {
      expect(gaps(one)).toBeGreaterThan(0);
      forget(one);
    }
    for (const account of ACCOUNTS) publish(account);
    await run(0);
    for (const one of [first, second]) {
      expect(one.heard).toHaveLength(ACCOUNTS.length);
      expect(one.heard).toEqual(expect.arrayContaining(ACCOUNTS.map(notice)));
    }
  });

  test('after a daemon has left, the followers of the other one hear its accounts from there', async () => {
    const { first, second, publish, run } = await pair();
    await second.ownership.leave();
    second.notices.close();
    await run(1_000);
    expect(first.owned()).toEqual(ACCOUNTS);
    expect(gaps(first)).toBeGreaterThan(0);
    forget(first);
    for (const account of ACCOUNTS) publish(account);
    await run(0);
    expect(first.heard).toEqual(ACCOUNTS.map(notice));
  });
});

test('while a killed owner has no successor, its accounts are heard from the connection of the daemon that is asked', async () => {
  const { first, second, publish, run } = await pair();
  const [account] = second.owned();
  second.kill();
  await run(0);
  expect(gaps(first)).toBe(1);
  forget(first);
  publish(must(account, 'it owned one'));
  await run(0);
  expect(first.heard).toEqual([notice(must(account, 'it owned one'))]);
  await run(3_000);
  expect(first.owned()).toEqual(ACCOUNTS);
});

test('however daemons come, leave and die, each notice arrives or a gap follows its publication', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const draw = rng(`followed notices ${seed}`);
    const d = deployment();
    const follower = await d.open('follower');
    follower.follow();
    /** Those published, and not heard of in any way since. */
    const missing = new Map<AccountId, number>();
    let heard = 0;
    const count = (): void => {
      for (const one of follower.heard.slice(heard)) {
        if (one.kind === 'account') {
          missing.set(one.account, Math.max(0, (missing.get(one.account) ?? 0) - 1));
        } else if (one.kind === 'reconnected') missing.clear();
      }
      heard = follower.heard.length;
    };
    for (let step = 0; step < 60; step += 1) {
      const others = d.daemons.filter((one) => one !== follower && !one.isDead);
      const dice = draw.next();
      if (dice < 0.08 && others.length < 3) {
        const joining = new Daemon(`d${step}`, d);
        d.daemons.push(joining);
        void joining.ownership.start();
      } else if (dice < 0.12) others[0]?.kill();
      else if (dice < 0.16) {
        const leaving = others[0];
        if (leaving !== undefined) {
          await leaving.ownership.leave();
          leaving.kill();
        }
      }
      const account = must(ACCOUNTS[Math.floor(draw.next() * ACCOUNTS.length)], 'an account');
      missing.set(account, (missing.get(account) ?? 0) + 1);
      d.publish(account);
      await d.run(Math.floor(draw.next() * 400));
      count();
    }
    await d.run(10_000);
    count();
    const unheard = [...missing].filter(([, times]) => times > 0);
    expect(unheard, `seed ${seed}`).toEqual([]);
  }
});

test('a daemon that cannot be reached at first is followed a moment later', async () => {
  const clock = new VirtualClock(NOON);
  const followed: string[] = [];
  const notices = new FollowedNotices({
    here: { accounts: () => [] },
    ownership: {
      owns: () => false,
      addressOf: () => 'b',
      peers: () => ['b'],
      onPeers: () => undefined,
      onGain: () => undefined,
    },
    peers: {
      follow: (address, _call, follower) => {
        followed.push(address);
        if (followed.length === 1) follower.ended(new PeerUnreached('it does not listen yet'));
        return () => undefined;
      },
    },
    clock,
    observer: witness(),
  });
  notices.orders(new Connection().venue, () => undefined);
  expect(followed).toEqual(['b']);
  await clock.run(later(NOON, 1_000), settle);
  expect(followed).toEqual(['b', 'b']);
  notices.close();
});
