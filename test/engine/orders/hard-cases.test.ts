// Cases that random tests rarely reach, one by one: a reply too late to prove anything, a cancel in the same turn,
// a ledger in doubt at the very end, a stopping daemon, a shadow that is never notified.
import { describe, expect, test } from 'vitest';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { life } from '../../support/daemon/mortal.ts';
import {
  BY,
  form,
  legForm,
  settle,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const LIMIT = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;

function shown(parts: Parameters<typeof world>[0] = {}): World {
  const made = world(parts);
  made.venue.show(quote(PERP, [99_999.5, 100_000]));
  return made;
}

/** A ledger whose every commit after `from` takes effect but does not reply. */
function doubtful(clock: VirtualClock, isInDoubt: () => boolean): MemoryLedger {
  return new MemoryLedger({
    now: () => clock.now(),
    afterCommit: () =>
      isInDoubt() ? Promise.reject(new LedgerFailure('no answer', true)) : Promise.resolve(),
  });
}

const ENDED = {
  statuses: ['filled'],
  orderBy: 'submittedAt',
  descending: false,
  offset: 0,
  limit: 10,
} as const;

/** Starts with a ledger that lists no active portfolios to recover. */
async function untaken(ledger: MemoryLedger, start: () => Promise<void>): Promise<void> {
  const { active } = ledger;
  ledger.active = () => Promise.resolve([]);
  await start();
  ledger.active = active;
}

describe('rare cases of the engine', () => {
  test('an active portfolio on an account without a venue is reported with the account', async () => {
    const ledger = new MemoryLedger({ now: () => NOON });
    const before = shown({ ledger });
    await before.engine.start();
    const id = await submitted(before, form());
    before.engine.stop();
    const broken: unknown[] = [];
    const after = shown({ ledger, hasVenue: false, onBroken: (error) => broken.push(error) });
    await after.engine.start().catch((error: unknown) => broken.push(error));
    await settle();
    expect(String(broken[0])).toContain(`portfolio ${id} is active on account 10001`);
  });

  test('a query started before the deadline proves nothing, even if it is answered after it', async () => {
    const w = shown();
    await w.engine.start();
    const late = (forMs: number) =>
      new Promise<void>((done) => w.clock.at(later(w.clock.now(), forMs), done));
    let isFirst = true;
    w.venue.hook = async (where) => {
      if (where === 'query' && isFirst) {
        isFirst = false;
        await late(3_000);
      }
    };
    w.venue.mishaps.push('lose_request');
    const id = await submitted(w, form({ twapTrade: { durationSec: 60, frequencySec: 60 } }));
    await w.run(100);
    // The cancel finds no order to cancel, so the venue is queried at once.
    await w.operations.cancel(id, BY);
    await w.run(60_000);
    const absent = w.observer.events.filter((event) => event.kind === 'child_absent');
    expect(absent).toHaveLength(1);
    expect(absent[0]?.at).toBeGreaterThan(NOON + 3_100);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
  });

  test('a slice and a cancel in one batch send no order', async () => {
    const clock = new VirtualClock(NOON);
    let release = (): void => undefined;
    let isHeld = false;
    const ledger = new MemoryLedger({
      now: () => clock.now(),
      beforeCommit: () =>
        isHeld ? new Promise<void>((done) => (release = done)) : Promise.resolve(),
    });
    const w = shown({ clock, ledger });
    await w.engine.start();
    const id = await submitted(w, form());
    await w.run(5_000);
    expect(w.venue.requests).toBe(1);
    // During a commit, further commands are collected into one turn.
    isHeld = true;
    const one = { kind: 'record_report', now: clock.now(), orders: [], trades: [] } as const;
    const order = w.venue.kept[0]?.order;
    if (order === undefined) throw new Error('a child was placed');
    const more = { ...order, filledQuantity: quantity('110') };
    void w.engine.turns.run(id, { ...one, orders: [more] });
    await settle();
    const now = later(NOON, 10_000);
    void w.engine.turns.run(id, { kind: 'advance', now });
    void w.engine.turns.run(id, { kind: 'cancel', now, reason: 'user_request', by: '7' });
    isHeld = false;
    release();
    await w.run(5_000);
    expect(w.observer.events.filter((event) => event.kind === 'child_intended')).toHaveLength(2);
    expect(w.venue.requests).toBe(1);
    const refused = w.observer.events.find((event) => event.kind === 'child_rejected');
    expect(refused).toMatchObject({ message: 'not sent: the portfolio is being taken back' });
  });

  test('the end of a portfolio and its shadow is published even if the ledger never confirmed it', async () => {
    const clock = new VirtualClock(NOON);
    let isInDoubt = false;
    const ledger = doubtful(clock, () => isInDoubt);
    const w = shown({ clock, ledger, dummies: ['20001'] });
    const news: string[] = [];
    w.bus.subscribe(({ portfolio, messageType }) => news.push(`${portfolio} ${messageType}`));
    await w.engine.start();
    const legs = [legForm({ priceOptions: LIMIT })];
    const asked = form({ legs, dummyAccounts: [accountId('20001')] });
    const id = await submitted(w, asked);
    await w.run(5_000);
    isInDoubt = true;
    void w.operations.cancel(id, BY);
    await w.run(10_000);
    isInDoubt = false;
    await w.run(5_000);
    const info = await w.operations.info(id);
    const [shadow] = info?.mirrors ?? [];
    expect(info).toMatchObject({ status: 'cancelled', reason: 'user_request' });
    expect(shadow && (await w.operations.info(shadow as PortfolioId))).toMatchObject({
      status: 'cancelled',
    });
    for (const one of [id, shadow]) {
      const ends = news.filter((line) => line === `${one} PORTFOLIO_CANCELLED`);
      expect(ends).toHaveLength(1);
    }
    expect(w.observer.failures.every(({ where }) => where === 'ledger')).toBe(true);
  });

  test('a cancel waits through minutes of a ledger in doubt and then takes effect', async () => {
    const clock = new VirtualClock(NOON);
    let isInDoubt = false;
    const ledger = new MemoryLedger({
      now: () => clock.now(),
      beforeCommit: () =>
        isInDoubt ? Promise.reject(new LedgerFailure('lost', true)) : Promise.resolve(),
    });
    const w = shown({ clock, ledger });
    await w.engine.start();
    const id = await submitted(w, form());
    await w.run(5_000);
    isInDoubt = true;
    let isAnswered = false;
    void w.operations.cancel(id, BY).then(() => {
      isAnswered = true;
    });
    await w.run(180_000);
    expect(isAnswered).toBe(false);
    isInDoubt = false;
    await w.run(10_000);
    expect(isAnswered).toBe(true);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(w.observer.failures.every(({ where }) => where === 'ledger')).toBe(true);
  });

  test('a stopping engine refuses a cancel instead of confirming it', async () => {
    const w = shown();
    await w.engine.start();
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: LIMIT })] }));
    await w.run(1_000);
    w.engine.stop();
    const refusal = { kind: 'refused', rejections: [{ kind: 'unavailable' }] };
    expect(await w.operations.cancel(id, BY)).toMatchObject(refusal);
    const all = await w.operations.cancelAll({ account: accountId('10001') }, BY);
    expect(all).toMatchObject(refusal);
  });

  test('a shadow ends even if the process died before it notified the shadow', async () => {
    const clock = new VirtualClock(NOON);
    const own = life(0);
    const ended = (): Promise<boolean> =>
      ledger.page(ENDED).then(({ total }) => total > 0 && !own.isDead);
    const ledger: MemoryLedger = new MemoryLedger({
      now: () => clock.now(),
      afterCommit: async () => {
        if (await ended()) own.isDead = true;
      },
    });
    const first = shown({ clock, ledger, dummies: ['20001'], life: own });
    await first.engine.start();
    const short = { durationSec: 5, frequencySec: 5 };
    const asked = form({ twapTrade: short, dummyAccounts: [accountId('20001')] });
    const id = await submitted(first, asked);
    await first.run(2_000);
    const info = await ledger.row(id);
    const [shadow] = info?.record.mirrors ?? [];
    if (shadow === undefined) throw new Error('there is a shadow');
    expect([info?.status, (await ledger.row(shadow as PortfolioId))?.status]).toEqual([
      'filled',
      'active',
    ]);
    const second = world({ clock, ledger, venue: first.venue, dummies: ['20001'] });
    // Without the recovery at start-up, which would notify it at once.
    await untaken(ledger, () => second.engine.start());
    await second.run(120_000);
    const told = await second.operations.info(shadow as PortfolioId);
    expect(told).toMatchObject({ status: 'filled', legs: [{ filled: '600' }] });
  });

  test('a wake-up that arrives early does not make its slice late', async () => {
    const w = shown({ disturb: ({ dueAt }) => [(dueAt - 30) as Instant] });
    await w.engine.start();
    await submitted(w, form());
    await w.run(60_000);
    const due = w.venue.kept.map(({ order }) => order.createdAt - NOON);
    expect(due).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    expect(w.observer.rescues).toEqual([]);
  });

  test('an order that the venue has lost does not keep its portfolio from ending', async () => {
    const w = shown();
    await w.engine.start();
    const id = await submitted(
      w,
      form({ legs: [legForm({ priceOptions: LIMIT })], execution: {} }),
    );
    await w.run(3_000);
    w.venue.forget(w.venue.kept[0]?.order.label ?? '');
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'cancelled',
      reason: 'time_limit',
    });
    expect(w.observer.failures).toEqual([]);
  });

  test('a portfolio whose order was enlarged manually stops and leaves no open orders', async () => {
    const w = shown();
    await w.engine.start();
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: LIMIT })] }));
    await w.run(3_000);
    w.venue.resize(w.venue.kept[0]?.order.label ?? '', quantity('900'));
    w.venue.show(quote(PERP, [98_999, 98_999.5]));
    await w.run(60_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled', reason: 'risk' });
    expect(w.venue.kept.every(({ order }) => order.state !== 'open')).toBe(true);
    expect(w.observer.failures).toEqual([]);
  });
});
