// Engines that each own a share of the accounts: an account goes over to another daemon without a slice twice or late, and
// waits there until its open orders are known.
import { describe, expect, test } from 'vitest';
import { shardOf } from '../../../src/core/ownership/shards.ts';
import { RecoveryBarrier } from '../../../src/engine/recovery/recovery-barrier.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { EngineDeployment, OF_A, OF_B } from '../../support/engine/engine-deployment.ts';
import { BY, form } from '../../support/engine/engine-world.ts';
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
} from '../ownership/two-owners.ts';

describe('a hand-over', () => {
  test('a daemon that joins takes up its share between two slices, and no slice is late', async () => {
    const d = new EngineDeployment();
    const a = await d.started('a');
    const ids = [
      (await submitted(a, twentySlices(OF_A))).portfolio,
      (await submitted(a, twentySlices(OF_B))).portfolio,
    ];
    await d.run(5_300);
    const b = await d.started('b');
    await d.run(40 * SECOND);
    for (const id of ids) expect(await statusOf(a, id)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('1200');
    expect(d.venue.kept).toHaveLength(40);
    expect(d.placed()['b']).toBeGreaterThanOrEqual(12);
    expect(a.world.engine.turns.peek(must(ids[1], 'two'))).toBeUndefined();
    expect(b.world.engine.turns.peek(must(ids[0], 'two'))).toBeUndefined();
    for (const { world } of [a, b]) expect(Math.max(...world.observer.lateMs)).toBeLessThan(250);
    expectCalm(d, [a, b]);
  });

  test('a portfolio that waits for its next slice is handed over as well, and its old owner keeps nothing of it', async () => {
    const d = new EngineDeployment();
    const a = await d.started('a');
    const { portfolio } = await submitted(a, resting(OF_B));
    await d.run(10 * SECOND);
    const b = await d.started('b');
    expect(a.world.engine.turns.peek(portfolio)).toBeUndefined();
    expect(b.world.engine.turns.peek(portfolio)?.status).toBe('active');
    expect([...a.world.engine.turns.states()]).toEqual([]);
    await a.operations.cancel(portfolio, BY);
    await d.run(SECOND);
    expect(await statusOf(a, portfolio)).toBe('cancelled');
    expect(d.sent.map(({ by, method }) => [by, method])).toEqual([
      ['a', 'place'],
      ['b', 'cancel'],
    ]);
    expectCalm(d, [a, b]);
  });

  test('a daemon that is shut down keeps its shards until the request that is under way is answered', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(b, form({ accountId: OF_B }));
    await d.run(2 * SECOND);
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    d.venue.hook = (where) => (where === 'place reply' ? isAnswered : Promise.resolve());
    await d.run(8_100);
    expect(b.world.engine.isBusy).toBe(true);
    const ended = d.shutDown(b);
    await d.run(2 * SECOND);
    expect(a.ownership.owns(shardOf(OF_B))).toBe(false);
    expect(b.ownership.owns(shardOf(OF_B))).toBe(true);
    answer();
    await ended;
    await d.run(0);
    expect(a.ownership.owns(shardOf(OF_B))).toBe(true);
    await d.run(90 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('filled');
    expect(d.venue.kept).toHaveLength(6);
    expectCalm(d, [a, b]);
  });

  test('a daemon that is shut down hands everything over, and no slice is late', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, twentySlices(OF_B));
    await d.run(5_300);
    await d.shutDown(b);
    await d.run(40 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('filled');
    expect(d.placed()).toEqual({ a: 14, b: 6 });
    for (const { world } of [a, b]) expect(Math.max(...world.observer.lateMs)).toBeLessThan(250);
    expect([a.conflicts, b.conflicts]).toEqual([[], []]);
    expectCalm(d, [a, b]);
  });

  test('the portfolios of a killed daemon are worked by the others two seconds later, none of them twice', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, twentySlices(OF_B));
    await d.run(5_300);
    const killedAt = d.clock.now();
    d.kill(b);
    await d.run(40 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('600');
    const next = must(
      d.sent.find(({ by }) => by === 'a'),
      'the other daemon goes on',
    );
    expect(next.at - killedAt).toBeLessThanOrEqual(2 * SECOND);
    expect(d.sent.filter(({ by, at }) => by === 'b' && at > killedAt)).toEqual([]);
    expectCalm(d, [a]);
  });

  test('a request that is under way at the hand-over is counted once, although the old owner receives its answer', async () => {
    const d = new EngineDeployment();
    const a = await d.started('a');
    const { portfolio } = await submitted(a, form({ accountId: OF_B }));
    await d.run(2 * SECOND);
    let held = 0;
    d.venue.hook = async (where) => {
      if (where !== 'place reply' || held > 0) return;
      held += 1;
      await new Promise<void>((on) => d.clock.at(later(d.clock.now(), 3_000), on));
    };
    await d.run(8_100);
    expect(held).toBe(1);
    const b = await d.started('b');
    expect(b.ownership.owns(shardOf(OF_B))).toBe(true);
    await d.run(90 * SECOND);
    expect(await statusOf(b, portfolio)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('600');
    expect(d.venue.kept).toHaveLength(6);
    expect(d.placed()).toEqual({ a: 2, b: 4 });
    expectCalm(d, [a, b]);
  });

  test('a request whose answer was lost with the killed owner is resolved by query before anything else is placed', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, form({ accountId: OF_B }));
    await d.run(2 * SECOND);
    d.venue.hook = (where) =>
      where === 'place reply' ? new Promise(() => undefined) : Promise.resolve();
    await d.run(8_100);
    d.kill(b);
    d.venue.hook = () => Promise.resolve();
    await d.run(120 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('600');
    expect(d.venue.kept).toHaveLength(6);
    expectCalm(d, [a]);
  });

  test('nothing is placed for an account that was taken up until its open orders are known', async () => {
    const { d, a, b } = await pair();
    const ids = [
      (await submitted(a, twentySlices(OF_A))).portfolio,
      (await submitted(a, twentySlices(OF_B))).portfolio,
    ];
    await d.run(5_300);
    const openOrders = d.venue.openOrders.bind(d.venue);
    let isMute = true;
    d.venue.openOrders = async (filter) =>
      isMute && filter.account === OF_B
        ? { kind: 'unknown', reason: 'no answer' }
        : await openOrders(filter);
    await d.shutDown(b);
    const before = d.venue.kept.length;
    await d.run(4 * SECOND);
    const accounts = d.venue.kept.slice(before).map(({ account }) => account);
    expect(new Set(accounts)).toEqual(new Set([OF_A]));
    expect(a.world.assembled.barrier.accounts()).toEqual([OF_B]);
    expect(a.world.assembled.barrier.objectionTo(OF_A)).toBeUndefined();
    const desk = must(a.orders.forAccount(OF_B), 'a desk');
    expect(await desk.place(manual(OF_B))).toMatchObject({ kind: 'refused' });
    isMute = false;
    await d.run(40 * SECOND);
    for (const id of ids) expect(await statusOf(a, id)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('1200');
    expect(a.world.assembled.barrier.isOver).toBe(true);
    expectCalm(d, [a, b], 'venue.open_orders');
  });

  test('nothing is placed for an account that is taken up until its portfolios are resumed', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, twentySlices(OF_B));
    await d.run(5_300);
    const atWork = d.ledger.atWork.bind(d.ledger);
    d.ledger.atWork = async (shards) => {
      await new Promise<void>((on) => d.clock.at(later(d.clock.now(), 3_000), on));
      return await atWork(shards);
    };
    await d.shutDown(b);
    await d.run(1_500);
    expect(a.ownership.owns(shardOf(OF_B))).toBe(true);
    const desk = must(a.orders.forAccount(OF_B), 'a desk');
    expect(await desk.place(manual(OF_B))).toMatchObject({ kind: 'refused', class: 'later' });
    const other = await submitted(a, twentySlices(OF_B));
    await d.run(1_400);
    expect(d.placed()).toEqual({ b: 6 });
    await d.run(60 * SECOND);
    for (const id of [portfolio, other.portfolio]) expect(await statusOf(a, id)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('1200');
    expectCalm(d, [a, b]);
  });

  test('a ledger that is away when shards are taken up is read again until it answers', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, twentySlices(OF_B));
    await d.run(5_300);
    d.ledger.atWork = () => Promise.reject(new Error('the ledger is away'));
    await d.shutDown(b);
    await d.run(3_500);
    expect(d.placed()).toEqual({ b: 6 });
    expect(a.world.assembled.barrier.isOver).toBe(false);
    Reflect.deleteProperty(d.ledger, 'atWork');
    await d.run(60 * SECOND);
    expect(await statusOf(a, portfolio)).toBe('filled');
    expect(text(d.venue.filled(PERP.name))).toBe('600');
    expect(a.world.observer.failures.length).toBeGreaterThanOrEqual(3);
    expectCalm(d, [a, b], 'take_up');
  });

  test('shards that are lost again before they are taken up are left to their new owner', async () => {
    const { d, a, b } = await pair();
    const { portfolio } = await submitted(a, twentySlices(OF_B));
    await d.run(3_300);
    d.venue.openOrders = () => Promise.resolve({ kind: 'unknown', reason: 'no answer' });
    await d.shutDown(b);
    await d.run(1_000);
    expect(a.world.assembled.barrier.accounts()).toEqual([OF_B]);
    // The next life of the other daemon, which is in the later place by its name.
    const again = await d.started('c');
    expect(again.ownership.owns(shardOf(OF_B))).toBe(true);
    expect(again.world.assembled.barrier.accounts()).toEqual([OF_B]);
    expect(a.world.assembled.barrier.accounts()).toEqual([]);
    expect(a.world.assembled.barrier.isOver).toBe(true);
    Reflect.deleteProperty(d.venue, 'openOrders');
    const placed = d.placed();
    await d.run(40 * SECOND);
    expect(await statusOf(again, portfolio)).toBe('filled');
    expect(d.placed()['a']).toBe(placed['a']);
    expectCalm(d, [a, again], 'venue.open_orders');
  });

  test('a shadow is worked where the portfolio is that it mirrors, and goes over with it', async () => {
    const d = new EngineDeployment();
    // Dummies of shards that belong to the one and to the other.
    const dummies = ['20001', '20002', '20003', '20004'];
    const a = await d.started('a', dummies);
    const b = await d.started('b', dummies);
    const at = dummies.map((one) => a.ownership.owns(shardOf(accountId(one))));
    expect(new Set(at)).toEqual(new Set([true, false]));
    const asked = { ...twentySlices(OF_B), dummyAccounts: dummies.map(accountId) };
    const { portfolio, mirrors } = await submitted(a, asked);
    for (const one of [portfolio, ...mirrors]) {
      expect(await d.ledger.shardOf(one)).toBe(shardOf(OF_B));
      expect(b.world.engine.turns.peek(one)?.id).toBe(one);
      expect(a.world.engine.turns.peek(one)).toBeUndefined();
    }
    await d.run(5_300);
    expect(a.committed).toEqual(new Set());
    expect(b.committed).toEqual(new Set([portfolio, ...mirrors]));
    await d.shutDown(b);
    await d.run(100);
    for (const one of mirrors)
      expect(a.world.engine.turns.peek(one)?.spec.mirrorOf).toBe(portfolio);
    await d.run(120 * SECOND);
    const info = await a.operations.info(portfolio);
    expect(info?.mirrored?.map(({ status, legs }) => [status, legs[0]?.filled])).toEqual(
      mirrors.map(() => ['filled', '600']),
    );
    expect([a.conflicts, b.conflicts]).toEqual([[], []]);
    expectCalm(d, [a, b]);
  });

  test('a shadow whose portfolio has ended goes over without it, and is ended by the new owner', async () => {
    const d = new EngineDeployment();
    const dummies = ['20001', '20002', '20003', '20004'];
    const a = await d.started('a', dummies);
    const b = await d.started('b', dummies);
    const c = await d.started('c', dummies);
    const asked = { ...form({ accountId: OF_B }), dummyAccounts: dummies.map(accountId) };
    const { portfolio, mirrors } = await submitted(a, asked);
    await d.run(15 * SECOND);
    // The end of the portfolio is stored, and its shadows are not notified of it before the owner dies.
    const load = d.ledger.load.bind(d.ledger);
    d.ledger.load = (id) => (id === portfolio ? new Promise(() => undefined) : load(id));
    await b.operations.cancel(portfolio, BY);
    await d.run(100);
    const statuses = async () =>
      (await a.operations.info(portfolio))?.mirrored?.map(({ status }) => status);
    expect(await statusOf(a, portfolio)).toBe('cancelled');
    expect(await statuses()).toEqual(mirrors.map(() => 'active'));
    d.kill(b);
    Reflect.deleteProperty(d.ledger, 'load');
    await d.run(2 * SECOND);
    expect(c.ownership.owns(shardOf(OF_B))).toBe(true);
    expect(await statuses()).toEqual(mirrors.map(() => 'cancelled'));
    expect(c.committed).toEqual(new Set(mirrors));
    expect(a.committed).toEqual(new Set());
    expectCalm(d, [a, c]);
  });
});

describe('the recovery barrier of a shard that is taken up', () => {
  async function registered() {
    const { d, b } = await pair();
    const { portfolio } = await submitted(b, resting(OF_B));
    await d.run(0);
    const state = must(b.world.engine.turns.peek(portfolio), 'it is in memory');
    const barrier = new RecoveryBarrier();
    const released: PortfolioId[] = [];
    barrier.onRelease((one) => released.push(one));
    return { barrier, state, portfolio, released, shards: [shardOf(OF_B)] };
  }

  test('requests of its accounts are blocked until its portfolios are resumed, those of others are not', async () => {
    const { barrier, state, shards } = await registered();
    expect([barrier.isOver, barrier.blocksOf(state)]).toEqual([true, undefined]);
    barrier.takingUp(shards);
    expect(barrier.isOver).toBe(false);
    expect(barrier.objectionTo(OF_B)).toContain('resumed');
    expect(barrier.objectionTo(OF_A)).toBeUndefined();
    expect(barrier.blocksOf(state)).toEqual({ isAccountBlocked: true, isPortfolioBlocked: false });
    barrier.tookUp(shards);
    expect(barrier.objectionTo(OF_B)).toBeUndefined();
    expect([barrier.isOver, barrier.blocksOf(state)]).toEqual([true, undefined]);
  });

  test('a portfolio that waits is released when the last of two take-ups has ended and the open orders are known', async () => {
    const { barrier, state, portfolio, released, shards } = await registered();
    barrier.takingUp(shards);
    barrier.takingUp(shards);
    barrier.register(state);
    barrier.deferred(state);
    barrier.tookUp(shards);
    barrier.known(OF_B);
    expect(released).toEqual([]);
    barrier.register(state);
    barrier.tookUp(shards);
    expect(released).toEqual([]);
    expect(barrier.objectionTo(OF_B)).toContain(OF_B);
    barrier.known(OF_B);
    expect(released).toEqual([portfolio]);
  });

  test('the open orders of an account that was given up are not waited for any more', async () => {
    const { barrier, state, shards } = await registered();
    barrier.takingUp(shards);
    barrier.register(state);
    barrier.tookUp(shards);
    barrier.gaveUp([shardOf(OF_A)]);
    expect(barrier.accounts()).toEqual([OF_B]);
    barrier.gaveUp(shards);
    expect(barrier.accounts()).toEqual([]);
    expect(barrier.isOver).toBe(true);
  });
});
