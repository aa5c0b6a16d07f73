// A start is a recovery: nothing is placed before every portfolio has been taken up.
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ports/ledger.ts';
import { later } from '../../src/values/instant.ts';
import { form, submitted, world } from '../support/engine-world.ts';
import { perpetual, quote } from '../support/markets.ts';

const LOAD_MS = 700;

test('an order that a portfolio needs at the start waits until the last one is known', async () => {
  const first = world();
  const { clock, ledger, venue } = first;
  venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await first.engine.start();
  const other = await submitted(first, form());
  const slow = await submitted(first, form());
  await first.run(5_000);
  await first.engine.stop(0);
  await first.run(5_100);
  const placed = venue.requests;
  const lagging = new Proxy(ledger, {
    get(target, name, receiver) {
      if (name !== 'load') return Reflect.get(target, name, receiver)?.bind(target);
      return async (...[id]: Parameters<Ledger['load']>) => {
        if (id === slow)
          await new Promise<void>((done) => clock.at(later(clock.now(), LOAD_MS), done));
        return target.load(id);
      };
    },
  });
  const second = world({ clock, venue, ledger: lagging });
  const start = second.engine.start();
  await second.run(LOAD_MS - 1);
  expect(second.observer.events.some(({ kind }) => kind === 'child_intended')).toBe(true);
  expect(venue.requests).toBe(placed);
  await second.run(1);
  await start;
  await second.run(1);
  expect(venue.requests).toBe(placed + 2);
  await second.run(120_000);
  for (const id of [other, slow]) {
    expect(await second.operations.info(id)).toMatchObject({ status: 'filled' });
  }
});
