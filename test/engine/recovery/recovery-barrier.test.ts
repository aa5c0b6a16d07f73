// Every start is a recovery: no order is sent before it is known what was in progress. These tests check the
// sequence of requests at the venue.

import { describe, expect, test } from 'vitest';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { RecoveryBarrier } from '../../../src/engine/recovery/recovery-barrier.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, type PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { life } from '../../support/daemon/mortal.ts';
import {
  BY,
  form,
  legForm,
  SETTINGS,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import type { ScriptVenue } from '../../support/engine/script-venue.ts';

const PERP = perpetual();
const ACCOUNT = accountId('10001');
const OTHER = accountId('10002');
const EVERY_SECOND = form({ twapTrade: { durationSec: 20, frequencySec: 1 } });
const TWO_LEGS = form({
  twapTrade: { durationSec: 20, frequencySec: 1 },
  legs: [legForm({ quantity: quantity('2000') }), legForm({ quantity: quantity('2000') })],
});
const ONE_SLICE = { twapTrade: { durationSec: 20, frequencySec: 20 } };
/** Rests below the market until it is cancelled. */
const RESTING = form({
  twapTrade: { durationSec: 20, frequencySec: 20 },
  legs: [
    legForm({
      priceOptions: { priceType: 'limit', price: price('90000'), priceIn: 'USD' },
    }),
  ],
});

/** The requests that reach the venue from now on, in order. */
function heardAt(venue: ScriptVenue): readonly string[] {
  const heard: string[] = [];
  venue.hook = (where) => {
    if (!where.endsWith('reply')) heard.push(where.replace(' request', ''));
    return Promise.resolve();
  };
  return heard;
}

async function begun(parts: Parameters<typeof world>[0] = {}) {
  const process = life(0);
  const first = world({ ...parts, life: process });
  first.venue.show(quote(PERP, [99_999.5, 100_000]));
  await first.engine.start();
  return {
    first,
    /** Drops the process and starts another one on the stores it left. */
    again: (changed: Parameters<typeof world>[0] = {}): World => {
      process.isDead = true;
      first.engine.stop();
      const { clock, ledger, venue } = first;
      return world({ ...parts, clock, ledger, venue, ...changed });
    },
  };
}

/** The venue, except that it does not report the open orders of these accounts while `isMute`. */
function muteAbout(venue: ScriptVenue, accounts: readonly string[]) {
  const mute = { isMute: true };
  const openOrders = venue.openOrders.bind(venue);
  venue.openOrders = async (filter) => {
    const isMute = mute.isMute && accounts.includes(filter.account);
    return isMute ? { kind: 'unknown', reason: 'no answer' } : await openOrders(filter);
  };
  return mute;
}

async function stateOf(ledger: Ledger, id: PortfolioId): Promise<PortfolioState> {
  return must(fold(id, (await ledger.load(id))?.events ?? []), 'it is stored');
}

describe('the recovery barrier after a start', () => {
  test('after a start, a slice waits until the last portfolio has been resumed', async () => {
    const { first, again } = await begun();
    const { clock, ledger, venue } = first;
    await submitted(first, EVERY_SECOND);
    const slow = await submitted(first, EVERY_SECOND);
    await first.run(3_100);
    const lagging = new Proxy(ledger, {
      get(target, name) {
        if (name !== 'load') return Reflect.get(target, name)?.bind(target);
        return async (...[id]: Parameters<Ledger['load']>) => {
          if (id === slow) await new Promise<void>((on) => clock.at(later(clock.now(), 2_500), on));
          return target.load(id);
        };
      },
    });
    const second = again({ ledger: lagging });
    const heard = heardAt(venue);
    const start = second.engine.start();
    await second.run(2_499);
    expect(heard).toEqual([]);
    await second.run(2);
    await start;
    expect(heard[0]).toBe('open orders');
    expect(heard.filter((one) => one === 'place')).toHaveLength(2);
    await second.run(60_000);
    expect(await second.operations.info(slow)).toMatchObject({ status: 'filled' });
  });

  test('after a start, no order is sent before open orders and unknown outcomes are known', async () => {
    const { first, again } = await begun();
    const { venue } = first;
    venue.mishap = (method) => (method === 'place' ? 'lose_reply' : undefined);
    const id = await submitted(first, TWO_LEGS);
    await first.run(50);
    venue.mishap = () => undefined;
    venue.isDown = true;
    const second = again();
    const heard = heardAt(venue);
    await second.engine.start();
    await second.run(4_000);
    expect(second.assembled.barrier.accounts()).toEqual([ACCOUNT]);
    expect(heard).toContain('query');
    expect(heard).not.toContain('place');
    venue.isDown = false;
    await second.run(3_000);
    expect(second.assembled.barrier.accounts()).toEqual([]);
    const answered = heard.lastIndexOf('query');
    expect(heard.indexOf('place')).toBeGreaterThan(answered);
    await second.run(60_000);
    expect(await second.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(venue.filled(PERP.name)).toEqual(quantity('4000'));
  });

  test('after a start, a portfolio waits for its own unknown request, and the others do not', async () => {
    const { first, again } = await begun();
    const { venue, clock } = first;
    const other = await submitted(first, EVERY_SECOND);
    venue.mishaps.push(undefined, 'lose_request', undefined);
    const id = await submitted(first, TWO_LEGS);
    await first.run(20);
    const sentAt = clock.now();
    const second = again();
    await second.engine.start();
    const placed = (portfolio: string): number =>
      second.observer.events.filter(
        (event) => event.kind === 'child_intended' && event.label.includes(`-${portfolio}-`),
      ).length;
    const label = (portfolio: string): string => BigInt(portfolio).toString(36);
    await second.run(1_500);
    expect(placed(label(other))).toBeGreaterThan(0);
    expect(placed(label(id))).toBe(0);
    const { validForMs, skewMs, readLagMs } = { ...SETTINGS };
    const knownAt = later(sentAt, validForMs + skewMs + 2 * readLagMs);
    await second.run(knownAt - clock.now() - 100);
    expect(placed(label(id))).toBe(0);
    await second.run(2_000);
    expect(placed(label(id))).toBeGreaterThan(0);
    await second.run(60_000);
    expect(await second.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('after a start, a portfolio is released once its account and its own requests are known, and not before', async () => {
    const { first } = await begun();
    const { venue, ledger } = first;
    const other = await submitted(first, { ...EVERY_SECOND, accountId: OTHER });
    const free = await submitted(first, RESTING);
    await first.run(500);
    venue.mishap = (method) => (method === 'place' ? 'lose_reply' : undefined);
    const asked = await submitted(first, TWO_LEGS);
    await first.run(50);
    const states = await Promise.all([other, free, asked].map((id) => stateOf(ledger, id)));
    const quiet = must(states[1], 'the portfolio without questions');
    const questions = must(states[2], 'the portfolio with questions');
    await first.run(60_000);

    const barrier = new RecoveryBarrier();
    const released: string[] = [];
    barrier.onRelease((portfolio) => released.push(portfolio));
    await barrier.start();
    expect(states.map((state) => barrier.register(state).length)).toEqual([0, 0, 2]);
    for (const state of states) barrier.deferred(state);
    expect(barrier.isOver).toBe(false);
    const isWithoutOrders = { isAccountBlocked: true, isPortfolioBlocked: false };
    expect(barrier.blocksOf(quiet)).toEqual(isWithoutOrders);
    barrier.allRecovered();
    expect(barrier.isOver).toBe(false);
    expect(released).toEqual([]);
    expect(barrier.blocksOf(quiet)).toEqual(isWithoutOrders);
    barrier.known(ACCOUNT);
    expect(barrier.blocksOf(quiet)).toBeUndefined();
    expect(released).toEqual([free]);
    expect(barrier.blocksOf(questions)).toEqual({
      isAccountBlocked: false,
      isPortfolioBlocked: true,
    });
    barrier.known(OTHER);
    expect(barrier.isOver).toBe(false);
    expect(released).toEqual([free, other]);
    barrier.committed({ state: await stateOf(ledger, asked) });
    expect(barrier.isOver).toBe(true);
    expect(released).toEqual([free, other, asked]);
  });

  test('until every portfolio has been resumed, a portfolio of an account without any is blocked too', async () => {
    const { first } = await begun();
    const id = await submitted(first, EVERY_SECOND);
    const state = await stateOf(first.ledger, id);
    const barrier = new RecoveryBarrier();
    await barrier.start();
    expect(barrier.blocksOf(state)).toEqual({ isAccountBlocked: true, isPortfolioBlocked: false });
    barrier.allRecovered();
    expect(barrier.blocksOf(state)).toBeUndefined();
  });

  test('after a start, a portfolio waits for the answer to an edit of a child that rests', async () => {
    const { first } = await begun();
    const { venue, ledger } = first;
    const following = { priceType: 'dynamic', price: price('1'), priceIn: 'USD' } as const;
    const priceOptions = { ...following, dynamicPriceStrategy: 'bid', dynamicMs: 1_000 } as const;
    const id = await submitted(first, form({ ...ONE_SLICE, legs: [legForm({ priceOptions })] }));
    await first.run(500);
    venue.mishap = (method) => (method === 'edit' ? 'lose_reply' : undefined);
    venue.show(quote(PERP, [99_998, 100_000]));
    await first.run(2_000);
    const state = await stateOf(ledger, id);
    const [child] = state.children.values();
    expect(child).toMatchObject({ state: 'live', edit: { number: 1 } });
    const barrier = new RecoveryBarrier();
    await barrier.start();
    expect(barrier.register(state)).toEqual([child?.label]);
    barrier.allRecovered();
    barrier.known(ACCOUNT);
    expect(barrier.blocksOf(state)).toEqual({ isAccountBlocked: false, isPortfolioBlocked: true });
  });

  test('after a start without portfolios, recovery is over once it has been looked for them', async () => {
    const barrier = new RecoveryBarrier();
    await barrier.start();
    expect(barrier.isOver).toBe(false);
    barrier.allRecovered();
    expect(barrier.isOver).toBe(true);
  });

  test("a venue that does not report one account's open orders does not delay other accounts", async () => {
    const { first, again } = await begun();
    const { venue } = first;
    const held = await submitted(first, EVERY_SECOND);
    const free = await submitted(first, { ...EVERY_SECOND, accountId: OTHER });
    await first.run(2_100);
    const second = again();
    const mute = muteAbout(venue, [ACCOUNT]);
    await second.engine.start();
    const filled = async (id: typeof held) => (await second.operations.info(id))?.legs[0]?.filled;
    const before = await filled(held);
    await second.run(10_000);
    expect(await filled(held)).toEqual(before);
    expect(second.assembled.barrier.accounts()).toEqual([ACCOUNT]);
    await second.run(15_000);
    expect(await second.operations.info(free)).toMatchObject({ status: 'filled' });
    mute.isMute = false;
    await second.run(30_000);
    expect(await second.operations.info(held)).toMatchObject({ status: 'filled' });
  });

  test('after a start, cancels are sent while everything else waits', async () => {
    const { first, again } = await begun();
    const { venue } = first;
    const id = await submitted(first, RESTING);
    await first.run(1_000);
    expect(venue.kept.map(({ order }) => order.state)).toEqual(['open']);
    const second = again();
    muteAbout(venue, [ACCOUNT]);
    await second.engine.start();
    await second.operations.cancel(id, BY);
    await second.run(1_000);
    expect(venue.kept.map(({ order }) => order.state)).toEqual(['cancelled']);
    expect(await second.operations.info(id)).toMatchObject({ status: 'cancelled' });
  });

  test('after a start, a manual order is refused for now with the reason, and a cancel is not', async () => {
    const { first, again } = await begun();
    const { venue } = first;
    await submitted(first, RESTING);
    await first.run(1_000);
    const second = again();
    const mute = muteAbout(venue, [ACCOUNT]);
    await second.engine.start();
    const desk = openOrderDesk({
      clock: second.clock,
      observer: second.observer,
      gate: second.assembled.gate,
      settings: SETTINGS,
      limits: () => ({ dummyAccounts: new Set() }),
      venues: { forAccount: () => venue, all: () => [venue] },
    });
    const enter = () =>
      desk.forAccount(ACCOUNT)?.place({
        account: ACCOUNT,
        instrument: instrumentName(PERP.name),
        side: 'buy',
        type: 'limit',
        label: '',
        timeInForce: 'good_til_cancelled',
        quantity: quantity('100'),
        price: price('90000'),
        postOnly: false,
        rejectPostOnly: false,
        reduceOnly: false,
        mmp: false,
      });
    const reason = expect.stringContaining('10001');
    const refused = { kind: 'refused', code: 10040, details: { reason } };
    expect(await enter()).toMatchObject(refused);
    const of = { orderId: must(venue.kept[0], 'an order is open').order.orderId };
    const cancelled = await desk.forAccount(ACCOUNT)?.cancel({ account: ACCOUNT, of });
    expect(cancelled).toMatchObject({ kind: 'done', value: { state: 'cancelled' } });
    mute.isMute = false;
    await second.run(1_500);
    expect(await enter()).toMatchObject({ kind: 'done' });
  });
});
