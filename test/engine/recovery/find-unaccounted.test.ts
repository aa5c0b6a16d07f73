// A ledger that is behind its venue, in virtual time: what is found at a start, and what is not.

import { expect, test } from 'vitest';
import {
  FindUnaccounted,
  type FindUnaccountedOptions,
} from '../../../src/engine/recovery/find-unaccounted.ts';
import {
  CHOICE_MARK,
  type Unaccounted,
  unaccountedMark,
} from '../../../src/engine/recovery/unaccounted.ts';
import { EventsArchived } from '../../../src/ports/archive/archived-reads.ts';
import { observing } from '../../../src/ports/observer.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { RESTING, unbookableTrade } from '../../support/engine/audit-stage.ts';
import { form, SETTINGS, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const ACCOUNT = accountId('10001');

async function traded(): Promise<World> {
  const w = world();
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await w.engine.start();
  await submitted(w, form({ legs: [RESTING] }));
  await w.run(1_000);
  expect(w.venue.kept).toHaveLength(1);
  return w;
}

/** Before a start on the ledger of the world; `replayed` stands for what is stored. */
function searching(
  w: World,
  replayed: FindUnaccountedOptions['replayed'] = (id) => w.engine.replayed(id),
) {
  const halts: string[] = [];
  const told: unknown[] = [];
  const finder = new FindUnaccounted({
    clock: w.clock,
    ledger: w.ledger,
    settings: SETTINGS,
    replayed,
    observer: observing({ ledger_behind: (behind) => told.push(behind) }),
    venues: { accounts: () => [ACCOUNT] },
    ownership: { owns: () => true },
    switches: { set: ({ scope, of }) => Promise.resolve(void halts.push(`${scope} ${of}`)) },
  });
  return { finder, halts, told };
}

/** After the start. */
async function found(w: World, replayed?: FindUnaccountedOptions['replayed']) {
  const search = searching(w, replayed);
  await search.finder.start();
  return search;
}

test('a ledger that knows every order and trade of its venue is not behind', async () => {
  const w = await traded();
  const { finder, halts } = await found(w);
  const open = w.venue.kept.map(({ order }) => order);
  expect(await finder.check(w.venue, ACCOUNT, open)).toBe(true);
  expect(halts).toEqual([]);
  expect(await w.ledger.getMetadata(unaccountedMark(ACCOUNT))).toBeDefined();
});

test('a trade of a slice that the portfolio never began halts the account once, over all starts', async () => {
  const w = await traded();
  const kept = must(w.venue.kept[0], 'an order');
  const trade = unbookableTrade(kept, w);
  kept.trades.push(trade);
  for (const expected of [['account 10001'], []]) {
    const { finder, halts, told } = await found(w);
    expect(await finder.check(w.venue, ACCOUNT, [])).toBe(true);
    expect(halts).toEqual(expected);
    expect(told).toHaveLength(expected.length);
    expect(finder.isUnaccounted(trade.label)).toBe(true);
    expect(finder.isUnaccounted(kept.order.label)).toBe(false);
  }
  const mark = must(await w.ledger.getMetadata(unaccountedMark(ACCOUNT)), 'what was found');
  const { legs } = JSON.parse(mark) as Unaccounted;
  expect(legs).toMatchObject([
    { isInLedger: true, leg: 0, filled: text(trade.quantity), trades: 1, open: '0' },
  ]);
});

test('an order of a portfolio that the ledger does not know stays open only if that was chosen', async () => {
  const w = await traded();
  const { order } = must(w.venue.kept[0], 'an order');
  const { finder, halts } = await found(w, () => Promise.resolve(undefined));
  Object.assign(w.ledger, { row: () => Promise.resolve(undefined) });
  expect(await finder.check(w.venue, ACCOUNT, [order])).toBe(true);
  expect(halts).toEqual(['account 10001']);
  expect(await finder.leaves(order)).toBe(false);
  await w.ledger.setMetadata(CHOICE_MARK, JSON.stringify({ orders: 'leave', at: w.clock.now() }));
  expect(await finder.leaves(order)).toBe(true);
  const by = { uid: '7', nickname: 'desk' };
  expect(finder.spares({ by, at: w.clock.now() })).toBe(true);
  await w.run(1_000);
  expect(finder.spares({ by, at: w.clock.now() })).toBe(false);
});

test('an account that is compared while the start is under way is compared with the age of the ledger', async () => {
  const w = await traded();
  const { order } = must(w.venue.kept[0], 'an order');
  const { finder, halts } = searching(w, () => Promise.resolve(undefined));
  Object.assign(w.ledger, { row: () => Promise.resolve(undefined) });
  await w.ledger.setMetadata(CHOICE_MARK, JSON.stringify({ orders: 'leave', at: w.clock.now() }));
  const early = finder.check(w.venue, ACCOUNT, [order]);
  await finder.start();
  expect(await early).toBe(true);
  expect(halts).toEqual(['account 10001']);
  expect(await finder.leaves(order)).toBe(true);
});

test('a comparison before a start that fails is refused', async () => {
  const w = await traded();
  Object.assign(w.ledger, { getMetadata: () => Promise.reject(new Error('the ledger is away')) });
  const { finder } = searching(w);
  const early = finder.check(w.venue, ACCOUNT, []);
  await expect(finder.start()).rejects.toThrow('away');
  await expect(early).rejects.toThrow('away');
});

test('trades of a portfolio whose day was archived are accounted for', async () => {
  const w = await traded();
  const kept = must(w.venue.kept[0], 'an order');
  kept.trades.push(unbookableTrade(kept, w));
  for (const replayed of [
    () => Promise.resolve(undefined),
    () => Promise.reject(new EventsArchived('in the archive')),
  ]) {
    const { finder, halts } = await found(w, replayed);
    expect(await finder.check(w.venue, ACCOUNT, [])).toBe(true);
    expect(halts).toEqual([]);
  }
});

test('nothing is placed for an account before its venue has listed its trades', async () => {
  const w = await traded();
  const { finder } = await found(w);
  const trades = () => Promise.resolve({ kind: 'unknown', reason: 'away' } as const);
  const away = Object.assign(Object.create(w.venue), { trades });
  expect(await finder.check(away, ACCOUNT, [])).toBe(false);
  expect(await finder.check(w.venue, ACCOUNT, [])).toBe(true);
});
