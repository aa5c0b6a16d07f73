// Queries to the venue about a child: one at a time with a delay in between, and none is lost because of the delay.
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { price } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import {
  BY,
  form,
  legForm,
  SETTINGS,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const LIMIT = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
/** Overdue checks are made so rare that none of them can replace a lost query. */
const SELDOM_MS = 9_000;
const DECIDABLE_MS = SETTINGS.validForMs + SETTINGS.skewMs + SETTINGS.readLagMs;
const REST_MS = 500;

interface Stage {
  readonly w: World;
  /** When each query arrived at the venue, relative to the first order. */
  readonly askedMs: number[];
}

/** One slice with one resting order, whose request or reply is lost. */
async function stage(lost: 'lose_request' | 'lose_reply', change: Partial<Settings> = {}) {
  const w = world({ settings: { retryMs: SELDOM_MS, ...change } });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  const askedMs: number[] = [];
  w.venue.hook = (where) => {
    if (where === 'query') askedMs.push(w.clock.now() - NOON);
    return Promise.resolve();
  };
  await w.engine.start();
  w.venue.mishaps.push(lost);
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const id = await submitted(w, form({ twapTrade, legs: [legForm({ priceOptions: LIMIT })] }));
  return { w, askedMs, id };
}

const at = ({ w }: Stage, kind: string): number[] =>
  w.observer.events.filter((event) => event.kind === kind).map((event) => event.at - NOON);

describe('a query that is due during the delay after the previous one', () => {
  test('a query due during the delay is sent when the delay ends', async () => {
    const made = await stage('lose_request', { readLagMs: 100 });
    const firstMs = DECIDABLE_MS - 100;
    await made.w.run(firstMs + REST_MS + 1);
    expect(made.askedMs).toEqual([firstMs, firstMs + REST_MS]);
    expect(at(made, 'child_absent')).toEqual([firstMs]);
    expect(at(made, 'child_unsent')).toEqual([firstMs + REST_MS]);
    expect(made.w.assembled.stats().asking).toBe(1);
    await made.w.run(REST_MS);
    expect(made.w.assembled.stats().asking).toBe(0);
    expect(made.w.observer.failures).toEqual([]);
  });

  test('a query is not delayed further if the read lag is longer than the delay', async () => {
    const made = await stage('lose_request', { readLagMs: 700 });
    const firstMs = SETTINGS.validForMs + SETTINGS.skewMs + 700;
    await made.w.run(firstMs + 701);
    expect(made.askedMs).toEqual([firstMs, firstMs + 700]);
    expect(at(made, 'child_unsent')).toEqual([firstMs + 700]);
  });

  test('a postponed query is dropped if the child has ended by then', async () => {
    const made = await stage('lose_reply');
    const { w } = made;
    w.venue.readLagMs = () => 60_000;
    await w.run(DECIDABLE_MS + SETTINGS.readLagMs + 50);
    expect(at(made, 'child_absent')).toEqual([DECIDABLE_MS]);
    w.venue.strike(w.venue.kept[0]?.order.label ?? '');
    await w.run(REST_MS);
    expect(at(made, 'child_closed')).toHaveLength(1);
    expect(made.askedMs).toEqual([DECIDABLE_MS]);
  });

  test('a postponed query is dropped if the engine has stopped', async () => {
    const { w, askedMs } = await stage('lose_request');
    await w.run(DECIDABLE_MS + SETTINGS.readLagMs + 50);
    w.engine.stop();
    await w.run(10 * REST_MS);
    expect(askedMs).toEqual([DECIDABLE_MS]);
  });
});

test('a query that is due while another one is in progress is sent after it', async () => {
  const made = await stage('lose_request');
  const { w, askedMs, id } = made;
  const { hook } = w.venue;
  w.venue.hook = async (where) => {
    await hook(where);
    if (where !== 'query' || askedMs.length > 1) return;
    await new Promise<void>((done) => w.clock.at(later(NOON, 3_100), done));
  };
  await w.run(100);
  // The cancel finds no order to cancel, so the venue is queried at once.
  await w.operations.cancel(id, BY);
  await w.run(60_000);
  expect(askedMs).toEqual([100, 3_100 + REST_MS, 3_100 + 2 * REST_MS]);
  expect(at(made, 'child_unsent')).toEqual([3_100 + 2 * REST_MS]);
});

test('repeated requests for the same query while the venue is silent send no more queries', async () => {
  const { w, askedMs, id } = await stage('lose_request');
  w.venue.isDown = true;
  await w.run(DECIDABLE_MS + 100);
  await w.engine.advance(id);
  await w.run(4 * REST_MS);
  expect(askedMs).toEqual([DECIDABLE_MS]);
});

test('an order that look-ups do not show is not taken for unsent if the account traded with its label', async () => {
  const made = await stage('lose_reply');
  const { w } = made;
  w.venue.findsNothing = true;
  // 60 of 100 at the limit of the order.
  w.venue.isTalkative = false;
  w.venue.carry = () => undefined;
  w.venue.show(quote(PERP, [98_990, 98_995]));
  await w.run(DECIDABLE_MS + 5_000);
  expect(at(made, 'child_absent').length).toBeGreaterThan(0);
  expect(at(made, 'child_unsent')).toEqual([]);
  const [order] = w.venue.kept;
  expect(order?.trades).toHaveLength(1);
  expect(w.observer.events.filter(({ kind }) => kind === 'fill_booked')).toMatchObject([
    { tradeId: order?.trades[0]?.tradeId },
  ]);
});
