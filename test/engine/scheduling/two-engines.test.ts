// Two processes on one ledger and one venue, both with every notice and every wake-up: the first one does the work,
// nothing is done twice, and either can continue alone.

import { describe, expect, test } from 'vitest';
import { price, text } from '../../../src/values/amounts.ts';
import { type StormOptions, storm } from '../../support/daemon/storm.ts';
import { faultsOf } from '../../support/daemon/storm-audit.ts';
import { BY, form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { nonEmpty } from '../../support/non-empty.ts';

const PERP = perpetual();
const SEEDS = Number(process.env['STORM_SEEDS'] ?? 40);

async function expectCalm(options: StormOptions): Promise<void> {
  const faults = await faultsOf(await storm(options));
  expect(faults, `seed ${options.seed}`).toEqual([]);
}

const seeds = (prefix: string) => Array.from({ length: SEEDS }, (_, i) => `${prefix}-${i}`);

function pair() {
  const first = world();
  const { clock, ledger, venue } = first;
  venue.isTalkative = true;
  venue.show(quote(PERP, [99_999.5, 100_000]));
  return { first, second: world({ clock, ledger, venue }) };
}

describe('two engines on one ledger', () => {
  test('two engines place every slice once and book every fill once', async () => {
    const { first, second } = pair();
    await first.engine.start();
    await second.engine.start();
    const ids = [await submitted(first, form()), await submitted(second, form())];
    await first.run(120_000);
    for (const id of ids) {
      for (const one of [first, second]) {
        expect(await one.operations.info(id)).toMatchObject({ status: 'filled' });
      }
    }
    expect(text(first.venue.filled(PERP.name))).toBe('1200');
    expect(first.venue.requests).toBe(12);
    expect([...first.observer.failures, ...second.observer.failures]).toEqual([]);
    const fills = [first, second].flatMap(({ observer }) =>
      observer.events.filter((event) => event.kind === 'fill_booked'),
    );
    expect(fills).toHaveLength(12);
  });

  test('an engine does not treat an order of the other one as foreign', async () => {
    const { first, second } = pair();
    await first.engine.start();
    await second.engine.start();
    first.venue.carry = () => undefined;
    const limit = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
    const asked = form({
      twapTrade: { durationSec: 100, frequencySec: 50 },
      legs: [legForm({ priceOptions: limit })],
    });
    await submitted(first, asked);
    // Long enough for both to compare the venue's open orders with their portfolios.
    await first.run(45_000);
    expect(first.venue.kept.map(({ order }) => order.state)).toEqual(['open']);
    expect([...first.observer.foreign, ...second.observer.foreign]).toEqual([]);
  });

  test('an engine that takes over after a long time starts from the stored state', async () => {
    const { first, second } = pair();
    await first.engine.start();
    await second.engine.start();
    first.venue.carry = () => undefined;
    const id = await submitted(first, form());
    await first.run(15_000);
    first.engine.stop();
    await first.run(120_000);
    expect(await second.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(text(first.venue.filled(PERP.name))).toBe('600');
    expect(second.observer.failures).toEqual([]);
  });

  test('a rescue starts from the stored state and completes the cancel that the other engine started', async () => {
    const { first, second } = pair();
    await first.engine.start();
    await second.engine.start();
    const limit = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
    const id = await submitted(
      first,
      form({
        twapTrade: { durationSec: 7_200, frequencySec: 3_600 },
        legs: [legForm({ priceOptions: limit })],
      }),
    );
    await first.run(5_000);
    // The other engine has the portfolio in memory, idle for the next hour.
    await second.engine.advance(id);
    expect(second.engine.turns.peek(id)?.status).toBe('active');
    first.venue.isDown = true;
    await first.operations.cancel(id, BY);
    first.engine.stop();
    first.venue.isDown = false;
    await first.run(30_000);
    expect(await second.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(first.venue.kept.map(({ order }) => order.state)).toEqual(['cancelled']);
  });

  test.each([
    { name: 'both live', deaths: false, staysDead: false },
    { name: 'both die and come back', deaths: true, staysDead: false },
    { name: 'one dies for good', deaths: true, staysDead: true },
  ])('two engines keep totals exact through seeded storms, $name', async ({ name, ...how }) => {
    for (const seed of nonEmpty(seeds(name))) await expectCalm({ seed, engines: 2, ...how });
  });
});
