// Engines that each own a share of the accounts: an account is worked by its owner alone, whichever daemon a client or the
// queue turns to, and a daemon that does not own it places nothing.
import { describe, expect, test } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import { CATCH_MS } from '../../../src/engine/scheduling/due-wakes.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { OF_A, OF_B } from '../../support/engine/engine-deployment.ts';
import { BY, form } from '../../support/engine/engine-world.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import {
  expectCalm,
  manual,
  PERP,
  pair,
  resting,
  SECOND,
  statusOf,
  submitted,
  twentySlices,
} from './two-owners.ts';

describe('accounts of two daemons', () => {
  test('a portfolio is worked by the owner of its account alone, wherever it was submitted', async () => {
    const { d, a, b } = await pair();
    const ids: PortfolioId[] = [];
    for (const at of [a, b]) {
      for (const account of [OF_A, OF_B]) {
        ids.push((await submitted(at, twentySlices(account))).portfolio);
      }
    }
    await d.run(40 * SECOND);
    for (const id of nonEmpty(ids)) {
      expect([await statusOf(a, id), await statusOf(b, id)]).toEqual(['filled', 'filled']);
    }
    expect(d.placed()).toEqual({ a: 40, b: 40 });
    expect(text(d.venue.filled(PERP.name))).toBe('2400');
    expect([...a.committed].sort()).toEqual([ids[0], ids[2]]);
    expect([...b.committed].sort()).toEqual([ids[1], ids[3]]);
    expect([a.conflicts, b.conflicts]).toEqual([[], []]);
    expect([a, b].flatMap(({ world }) => world.observer.rescues)).toEqual([]);
    expectCalm(d, [a, b]);
  });

  test('a wake-up that the queue gives to the other daemon is passed to the owner, and no slice is late', async () => {
    const { d, a, b } = await pair();
    d.recipientOf = ({ portfolio }) =>
      a.world.engine.turns.peek(portfolio) === undefined ? 'a' : 'b';
    const ids = [
      (await submitted(a, twentySlices(OF_A))).portfolio,
      (await submitted(a, twentySlices(OF_B))).portfolio,
    ];
    await d.run(40 * SECOND);
    for (const id of ids) expect(await statusOf(a, id)).toBe('filled');
    expect(d.placed()).toEqual({ a: 20, b: 20 });
    const late = [a, b].flatMap(({ world }) => world.observer.lateMs);
    expect(late).toEqual(Array.from({ length: 40 }, () => 0));
    expect([a, b].flatMap(({ world }) => world.observer.rescues)).toEqual([]);
    expect([a.conflicts, b.conflicts]).toEqual([[], []]);
    expectCalm(d, [a, b]);
  });

  test('wake-ups that a daemon passes on when it gets them are held by the owner, and no slice is late without any news', async () => {
    const { d, a, b } = await pair();
    d.passesWakes = true;
    d.hasNews = false;
    d.recipientOf = ({ portfolio }) =>
      a.world.engine.turns.peek(portfolio) === undefined ? 'a' : 'b';
    const ids = [
      (await submitted(a, twentySlices(OF_A))).portfolio,
      (await submitted(a, twentySlices(OF_B))).portfolio,
    ];
    await d.run(40 * SECOND);
    for (const id of ids) expect(await statusOf(a, id)).toBe('filled');
    expect(d.placed()).toEqual({ a: 20, b: 20 });
    const late = [a, b].flatMap(({ world }) => world.observer.lateMs);
    expect(late).toEqual(Array.from({ length: 40 }, () => 0));
    expect([a, b].flatMap(({ world }) => world.observer.rescues)).toEqual([]);
    expectCalm(d, [a, b]);
  });

  test('wake-ups of an owner that cannot be asked are passed on at their instants', async () => {
    const { d, a, b } = await pair();
    d.passesWakes = true;
    d.recipientOf = () => 'a';
    const { portfolio } = await submitted(b, twentySlices(OF_B));
    d.peers.remove('b');
    await d.run(40 * SECOND);
    expect(await statusOf(b, portfolio)).toBe('filled');
    expect(b.world.observer.lateMs).toEqual(Array.from({ length: 20 }, () => 0));
    expect([a, b].flatMap(({ world }) => world.observer.rescues)).toEqual([]);
    expectCalm(d, [a, b]);
  });

  test('a wake-up that is lost on its way to the owner is made up for by its index, a moment late', async () => {
    const { d, a, b } = await pair();
    d.hasNews = false;
    d.recipientOf = ({ portfolio }) =>
      a.world.engine.turns.peek(portfolio) === undefined ? 'a' : 'b';
    const { portfolio } = await submitted(b, form({ accountId: OF_B }));
    await d.run(90 * SECOND);
    expect(await statusOf(b, portfolio)).toBe('filled');
    expect(d.placed()).toEqual({ b: 6 });
    expect(b.world.observer.rescues.length).toBeGreaterThan(0);
    expect(Math.max(...b.world.observer.lateMs)).toBeLessThanOrEqual(CATCH_MS);
    expect(a.world.observer.rescues).toEqual([]);
    expectCalm(d, [a, b]);
  });

  test('a wake-up of a portfolio that has ended since decides and reads nothing', async () => {
    const { d, a, b } = await pair();
    const startAt = later(d.clock.now(), 50 * SECOND);
    const { portfolio } = await submitted(b, form({ accountId: OF_B, startAt }));
    await b.operations.cancel(portfolio, BY);
    expect(await statusOf(b, portfolio)).toBe('cancelled');
    let loads = 0;
    const load = d.ledger.load.bind(d.ledger);
    d.ledger.load = (id) => {
      loads += 1;
      return load(id);
    };
    let wakes = 0;
    d.recipientOf = () => {
      wakes += 1;
      return 'b';
    };
    await d.run(60 * SECOND);
    expect([wakes, loads]).toEqual([1, 0]);
    expectCalm(d, [a, b]);
  });

  test('what is due of a shard that was handed over leaves the index, also what is not in memory', async () => {
    const { d, a, b } = await pair();
    d.kill(a);
    await d.run(8 * SECOND);
    const { due } = b.world.assembled.wakes;
    const shards = [shardOf(OF_A), shardOf(OF_B)];
    const dueAt = later(d.clock.now(), 600 * SECOND);
    for (const shard of shards) due.put({ portfolio: portfolioId(`99${shard}`), shard, dueAt });
    const other = await d.started('c');
    await d.run(8 * SECOND);
    const kept = shards.filter((shard) => b.ownership.owns(shard));
    expect(kept).toHaveLength(1);
    expect(due.dueUntil(dueAt).map(({ shard }) => shard)).toEqual(kept);
    expectCalm(d, [b, other]);
  });
});

describe('a daemon that does not own the account', () => {
  test('it submits what the owner then works, also where the owner receives no news of it', async () => {
    for (const hasNews of [true, false]) {
      const { d, a, b } = await pair();
      d.hasNews = hasNews;
      const { portfolio } = await submitted(
        { operations: a.world.operations },
        form({ accountId: OF_B }),
      );
      expect(a.world.engine.turns.peek(portfolio)).toBeUndefined();
      await d.run(90 * SECOND);
      expect(await statusOf(b, portfolio)).toBe('filled');
      expect(d.placed()).toEqual({ b: 6 });
      expectCalm(d, [a, b]);
    }
  });

  test('it resumes, pauses and amends a portfolio in the ledger and places nothing itself', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(b, twentySlices(OF_B));
    await d.run(3_300);
    const { operations: here } = a.world;
    await here.pause(portfolio, BY);
    await d.run(3_000);
    const paused = d.venue.kept.length;
    await here.resume(portfolio, BY);
    await d.run(3_000);
    expect(d.venue.kept.length).toBeGreaterThan(paused);
    const longer = { durationSec: 40, legs: [] };
    const amended = await here.amend({ portfolio, form: longer, isPreview: false, by: BY });
    expect(amended).toMatchObject({ kind: 'done' });
    await d.run(90 * SECOND);
    expect(await statusOf(b, portfolio)).toBe('filled');
    expect(Object.keys(d.placed())).toEqual(['b']);
    expect(text(d.venue.filled(PERP.name))).toBe('600');
    expect(a.world.engine.turns.peek(portfolio)).toBeUndefined();
    expectCalm(d, [a, b]);
  });

  test('it decides no order for a portfolio that it resumes while a slice is due; the owner does', async () => {
    for (const hasNews of [false, true]) {
      const { d, a, b } = await pair();
      const { portfolio } = await submitted(b, resting(OF_B));
      await d.run(3_300);
      await b.operations.pause(portfolio, BY);
      await d.run(1_000);
      d.hasNews = hasNews;
      expect(await a.world.operations.resume(portfolio, BY)).toMatchObject({ kind: 'done' });
      await d.run(0);
      expect(a.committed).toEqual(new Set([portfolio]));
      expect(a.world.observer.events.map(({ kind }) => kind)).toEqual(['resumed']);
      expect(d.placed()).toEqual({ b: hasNews ? 2 : 1 });
      expectCalm(d, [a, b]);
    }
  });

  test('a resume that it committed is found by the owner within seconds although the news of it are lost', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(b, resting(OF_B));
    await d.run(3_300);
    await b.operations.pause(portfolio, BY);
    await d.run(1_000);
    d.hasNews = false;
    await a.world.operations.resume(portfolio, BY);
    await d.run(10 * SECOND);
    expect(d.placed()).toEqual({ b: 2 });
  });

  test('it notices at its next turn that another one has taken a lease of its own, and places nothing from then on', async () => {
    const { d, b } = await pair();
    const { portfolio } = await submitted(b, twentySlices(OF_B));
    await d.run(3_300);
    const before = d.placed()['b'];
    expect(before).toBeGreaterThan(0);
    const shard = shardOf(OF_B);
    const { leases } = await d.leases.view();
    await d.leases.renew({ name: 'a stranger', isLeaving: false, address: undefined });
    await d.leases.take('a stranger', [must(leases[shard], 'every shard has a lease')]);
    // Before the next review of the leases.
    await b.world.engine.advance(portfolio);
    expect(await b.operations.pause(portfolio, BY)).toMatchObject({ kind: 'done' });
    expect(b.ownership.owns(shard)).toBe(false);
    expect(d.placed()['b']).toBe(before);
    expect(b.conflicts).toEqual([portfolio]);
  });

  test('a lease that it lost and has again at once costs no slice its wake-up', async () => {
    const { d, b } = await pair();
    const { portfolio } = await submitted(b, twentySlices(OF_B));
    await d.run(3_300);
    const shard = shardOf(OF_B);
    const epoch = must(b.ownership.epochOf(shard), 'b owns the shard');
    b.ownership.superseded({ shard, epoch });
    expect(b.ownership.owns(shard)).toBe(false);
    await d.run(30 * SECOND);
    expect(await statusOf(b, portfolio)).toBe('filled');
    expect(d.placed()).toEqual({ b: 20 });
    expect(b.world.observer.rescues).toEqual([]);
    expect(b.world.observer.lateMs.filter((late) => late > 0)).toEqual([]);
  });

  test('it cancels a portfolio whose owner is stopped, with its resting orders, and places nothing', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(b, resting(OF_B));
    await d.run(3_300);
    expect(d.venue.kept.map(({ order }) => order.state)).toEqual(['open']);
    d.kill(b);
    expect(await a.operations.cancel(portfolio, BY)).toEqual({ kind: 'done', value: null });
    await d.run(100);
    expect(d.venue.kept.map(({ order }) => order.state)).toEqual(['cancelled']);
    await d.run(20 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('cancelled');
    expect(d.placed()).toEqual({ b: 1 });
  });

  test('its gate refuses a manual order of the account and passes those of its own', async () => {
    const { a, b, d } = await pair();
    for (const [own, other, account] of [
      [a, b, OF_A],
      [b, a, OF_B],
    ] as const) {
      const [at, elsewhere] = [own, other].map(({ orders }) =>
        must(orders.forAccount(account), 'a desk'),
      );
      expect(await elsewhere?.place(manual(account))).toMatchObject({
        kind: 'refused',
        class: 'later',
      });
      expect(await at?.place(manual(account))).toMatchObject({ kind: 'done' });
    }
    expect(d.placed()).toEqual({ a: 1, b: 1 });
  });
});
