// PT-22: twice the load of a venue's tier and hundreds of notices a second, in virtual time. Nothing is lost, early
// or duplicated; slices without budget are postponed and not dropped, cancels are sent at once, and memory is
// bounded by the open orders.
import { expect, test } from 'vitest';
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { ALONE } from '../../../src/engine/assemble-engine.ts';
import { WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import { price, quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

/** The order rate of the tier. */
const PER_SECOND = 5;
const BURST = 10;
/** Forty slices every four seconds are ten orders a second: twice the tier. */
const TRADING = 40;
const RESTING = 20;
const TIMES = { durationSec: 40, frequencySec: 4 };
const LEG = { quantity: quantity('1000') };
/** How often each notice is repeated: more than four hundred notices a second. */
const REPEATS = 100;
const ACCOUNT = accountId('10001');

const LIMITS: ControlLimits = {
  version: '1-stress',
  messages: { shareOfVenue: 1, perSecond: PER_SECOND, burst: BURST, cancelReserve: 0.25 },
};

interface Message {
  readonly what: string;
  readonly atMs: number;
}

function flooded(): { readonly w: World; readonly messages: Message[]; notices: () => number } {
  const clock = new VirtualClock(NOON);
  const venue = new ScriptVenue(clock, [perpetual()]);
  venue.show(quote(perpetual(), [99_999.5, 100_000]));
  venue.isTalkative = true;
  let notices = 0;
  venue.carry = (send) => {
    for (let i = 0; i < REPEATS; i += 1) send();
    notices += REPEATS;
  };
  const messages: Message[] = [];
  venue.hook = (where) => {
    if (where.endsWith(' request')) messages.push({ what: where, atMs: clock.now() - NOON });
    return Promise.resolve();
  };
  const observer = witness();
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] };
  const gate = new WatchedGate({ ...ALONE, clock, observer, limits: () => LIMITS, venues });
  return { w: world({ clock, venue, observer, gate }), messages, notices: () => notices };
}

test('PT-22: twice the load of the tier is worked off to the last lot, and cancels do not wait', async () => {
  const { w, messages, notices } = flooded();
  await w.engine.start();
  const far = { priceType: 'limit', price: price('90000'), priceIn: 'USD' } as const;
  const resting: PortfolioId[] = [];
  const still = { durationSec: 400, frequencySec: 400 };
  for (let i = 0; i < RESTING; i += 1) {
    const legs = [legForm({ ...LEG, priceOptions: far })];
    resting.push(await submitted(w, form({ twapTrade: still, legs })));
  }
  await w.run(10_000);
  const all: PortfolioId[] = [];
  for (let i = 0; i < TRADING; i += 1) {
    all.push(await submitted(w, form({ twapTrade: TIMES, legs: [legForm(LEG)] })));
  }
  for (let second = 0; second < 20; second += 1) {
    await w.run(1_000);
    expectBounded(w);
  }

  const askedMs = w.clock.now() - NOON;
  const open = w.venue.kept.filter(({ order }) => order.state === 'open').length;
  expect(open).toBeGreaterThan(0);
  for (const id of resting) await w.operations.cancel(id, BY, ACCOUNT);
  await w.run(250);
  expect(w.venue.kept.filter(({ order }) => order.state === 'open').length).toBe(0);
  const cancels = messages.filter(({ what, atMs }) => what === 'cancel request' && atMs >= askedMs);
  expect(cancels.length).toBe(open);

  for (let second = 0; second < 60; second += 1) {
    await w.run(1_000);
    expectBounded(w);
  }
  for (const id of all) {
    const { status, legs } = must(await w.operations.info(id), 'the portfolio');
    expect([status, must(legs[0], 'a leg').filled]).toEqual(['filled', '1000']);
  }
  expect(toNumber(w.venue.filled('BTC-PERPETUAL'))).toBe(TRADING * 1_000);
  const labels = w.venue.kept.map(({ order }) => order.label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(w.observer.failures).toEqual([]);
  expect(notices()).toBeGreaterThan(400 * TIMES.durationSec);
  expectWithinTier(messages);
  // More orders were decided than could be sent: the others were postponed.
  const intended = await intentsOf(w, all);
  expect(intended).toBeGreaterThan(w.venue.kept.length - RESTING);
});

async function intentsOf({ ledger }: World, portfolios: readonly PortfolioId[]): Promise<number> {
  const stored = await Promise.all(portfolios.map((id) => ledger.load(id)));
  const events = stored.flatMap((one) => one?.events ?? []);
  return events.filter(({ kind }) => kind === 'child_intended').length;
}

/** Within any second of the flood, new orders do not exceed the bucket's capacity plus its refill. */
function expectWithinTier(messages: readonly Message[]): void {
  const orders = messages.filter(({ what }) => what === 'place request');
  for (const { atMs } of orders) {
    const within = orders.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1_000);
    expect(within.length).toBeLessThanOrEqual(BURST + PER_SECOND);
  }
}

function expectBounded({ assembled }: World): void {
  const { open, commands, underWay, asking, notices } = assembled.stats();
  expect(open).toBeLessThanOrEqual(TRADING + RESTING);
  // Orders waiting for the budget; each leg may have one of the previous slice and one of the current slice.
  expect(underWay).toBeLessThanOrEqual(2 * (TRADING + RESTING));
  expect(asking).toBeLessThanOrEqual(TRADING + RESTING);
  expect(commands).toBeLessThanOrEqual(TRADING + RESTING);
  expect(notices).toBeLessThanOrEqual(REPEATS * (TRADING + RESTING));
}
