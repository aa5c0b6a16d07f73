// The cost of an idle portfolio: its evaluations, counted as calls of the clock and reads of the ledger. A useless
// or repeated evaluation shows up here.
import { describe, expect, test } from 'vitest';
import { price, quantity } from '../../../src/values/amounts.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

/** A clock that counts its calls, including those of the sweeper and the reconciliation. */
class CountingClock extends VirtualClock {
  calls = 0;

  override at(dueAt: Instant, then: () => void): () => void {
    return super.at(dueAt, () => {
      this.calls += 1;
      then();
    });
  }
}

/** The clock's calls in `forMs` with the portfolio, minus those without any. */
async function callsOf(asked: Parameters<typeof form>[0], forMs: number, prepare?: Prepare) {
  const counts: number[] = [];
  for (const isThere of [true, false]) {
    const clock = new CountingClock(NOON);
    const w = world({ clock });
    w.venue.show(quote(PERP, [99_990, 100_010]));
    await w.engine.start();
    prepare?.(w);
    if (isThere) await submitted(w, form(asked));
    await w.run(1_000);
    clock.calls = 0;
    await w.run(forMs);
    counts.push(clock.calls);
    const failures = w.observer.failures.filter(({ where }) => where !== 'venue.open_orders');
    expect(failures).toEqual([]);
    expect(w.observer.rescues).toEqual([]);
  }
  return (counts[0] ?? 0) - (counts[1] ?? 0);
}

type Prepare = (w: World) => void;

const HOUR = { durationSec: 3_600, frequencySec: 600 };
const BIG = { quantity: quantity('6000') };

describe('the cost of an idle portfolio', () => {
  test('waiting for the start costs nothing', async () => {
    const startAt = (NOON + 3_000_000) as Instant;
    expect(await callsOf({ twapTrade: HOUR, startAt }, 2_000_000)).toBe(0);
  });

  test('waiting between slices of a market leg costs one call, which requests the next wake-up', async () => {
    const asked = { twapTrade: HOUR, legs: [legForm(BIG)] };
    expect(await callsOf(asked, 530_000)).toBe(0);
    expect(await callsOf(asked, 590_000)).toBe(1);
  });

  test('a resting limit order costs one evaluation per slice, which cancels it', async () => {
    const rest = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
    const legs = [legForm({ ...BIG, priceOptions: rest })];
    const calls = await callsOf({ twapTrade: HOUR, legs }, 1_800_000);
    expect(calls).toBeGreaterThanOrEqual(3);
    expect(calls).toBeLessThanOrEqual(3 * 5);
  });

  test('a resting dynamic order costs its polls and no more', async () => {
    const follow = {
      priceType: 'dynamic',
      price: price('99000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'bid',
      dynamicMs: 5_000,
    } as const;
    const legs = [legForm({ ...BIG, priceOptions: follow })];
    const calls = await callsOf({ twapTrade: HOUR, legs }, 500_000);
    expect(calls).toBeGreaterThanOrEqual(99);
    expect(calls).toBeLessThanOrEqual(101);
  });

  test('waiting for a silent venue backs off, and does not count as a rescue', async () => {
    const twapTrade = { durationSec: 7_200, frequencySec: 3_600 };
    const hour = 3_590_000;
    const calls = await callsOf({ twapTrade, legs: [legForm(BIG)] }, hour, ({ venue }) => {
      venue.isDown = true;
    });
    // One child stays unknown for an hour: queries with delays that grow to ten seconds, and after each query the
    // minimum delay between two of them.
    expect(calls).toBeGreaterThan(100);
    expect(calls).toBeLessThan(2 * 360 + 60);
  });

  test('a remainder below the minimum amount costs nothing until the end', async () => {
    const odd = perpetual({ minAmount: quantity('50') });
    const clock = new CountingClock(NOON);
    const w = world({ clock, instruments: [odd] });
    const shallow = quote(odd, [99_999.5, 100_000]);
    w.venue.show({ ...shallow, ask: { price: price('100000'), quantity: quantity('80') } });
    await w.engine.start();
    await submitted(w, form({ twapTrade: HOUR, legs: [legForm({ quantity: quantity('100') })] }));
    await w.run(10_000);
    clock.calls = 0;
    await w.run(300_000);
    // The calls of the sweeper, of the reconciliation, and of the check for foreign completions.
    expect(clock.calls).toBeLessThanOrEqual(300 + 10 + 10 + 1);
  });
});
