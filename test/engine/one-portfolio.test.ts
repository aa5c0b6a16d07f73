// Read this first: the story of one portfolio, from its submission through the death of the process to its last fill.
import { expect, test } from 'vitest';
import { text } from '../../src/values/amounts.ts';
import { life } from '../support/daemon/mortal.ts';
import { form, submitted, world } from '../support/engine/engine-world.ts';
import { perpetual, quote } from '../support/engine/markets.ts';

test('a portfolio buys 600 USD in six slices, survives the death of its process, and ends filled with one order a slice', async () => {
  // A venue quotes the BTC perpetual; a client submits 600 USD over 60 s, one slice every 10 s.
  const process = life(0);
  const before = world({ life: process });
  before.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await before.engine.start();
  const portfolio = await submitted(before, form());

  // Three slices are due in the first 25 s; each is one child order of 100 USD through the ask.
  await before.run(25_000);
  expect((await before.operations.info(portfolio))?.legs[0]?.filled).toBe('300');

  // The process dies and a new one starts on the same ledger and venue. It finds the portfolio and continues with the plan.
  process.isDead = true;
  const { clock, ledger, venue } = before;
  const after = world({ clock, ledger, venue });
  await after.engine.start();
  await after.run(60_000);
  const info = await after.operations.info(portfolio);
  expect(info).toMatchObject({ status: 'filled', legs: [{ filled: '600', remaining: '0' }] });

  // At the venue there are six orders, no label twice, and their trades add up to exactly 600.
  const orders = venue.kept.map((kept) => kept.order);
  expect(orders.map(({ quantity }) => text(quantity))).toEqual(Array(6).fill('100'));
  expect(new Set(orders.map(({ label }) => label)).size).toBe(6);
  expect(text(venue.filled(perpetual().name))).toBe('600');

  // The ledger tells the story as events; the state above is nothing but their fold.
  const events = (await ledger.load(portfolio))?.events ?? [];
  const kinds = events.map(({ kind }) => kind);
  const times = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
  expect(kinds.slice(0, 2)).toEqual(['submitted', 'started']);
  const ofEachSlice = ['slice_started', 'child_intended', 'fill_booked', 'child_closed'];
  expect(ofEachSlice.map(times)).toEqual([6, 6, 6, 6]);
  expect(kinds.at(-1)).toBe('filled');
});
