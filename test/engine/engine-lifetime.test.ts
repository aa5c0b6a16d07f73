// The engine's shutdown: what is in flight is awaited by its reply, not by polling.
import { describe, expect, test } from 'vitest';
import { drainAndStop } from '../../src/lifetime/lifetime.ts';
import { price } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { type Instant, later } from '../../src/values/instant.ts';
import { form, legForm, settle, submitted, world } from '../support/engine/engine-world.ts';
import { perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const LIMIT = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;

async function placing(replyMs: number) {
  const w = world();
  const sentAt: Instant[] = [];
  const place = w.venue.place.bind(w.venue);
  w.venue.place = async (order) => {
    sentAt.push(w.clock.now());
    await new Promise<void>((due) => w.clock.at(later(w.clock.now(), replyMs), due));
    return await place(order);
  };
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  const id = await submitted(w, form({ legs: [legForm({ priceOptions: LIMIT })] }));
  await w.run(1);
  return { w, id, sentAt: must(sentAt[0], 'the order was sent') };
}

describe('the shutdown of the engine', () => {
  test('an order in flight at the shutdown is recorded before the engine stops', async () => {
    const { w, id } = await placing(800);
    expect(w.engine.isBusy).toBe(true);
    let isEnded = false;
    const { clock } = w;
    const ended = drainAndStop(w.engine, { clock, graceMs: 5_000 }).then(() => {
      isEnded = true;
    });
    await w.run(700);
    expect(isEnded).toBe(false);
    expect(w.engine.isReady).toBe(false);
    await w.run(200);
    await ended;
    expect(w.observer.events.map(({ kind }) => kind)).toContain('child_live');
    expect(w.engine.isBusy).toBe(false);
    expect([...(w.engine.turns.peek(id)?.children.values() ?? [])]).toMatchObject([
      { state: 'live' },
    ]);
  });

  test('while it waits, the engine polls nothing: the reply and the end of the grace period are the only timers', async () => {
    const { w, sentAt } = await placing(800);
    const { clock } = w;
    void drainAndStop(w.engine, { clock, graceMs: 5_000 });
    await settle();
    expect(clock.nextDueAt()).toBe(later(sentAt, 800));
  });

  test('an order without a reply does not hold up the shutdown beyond the grace period', async () => {
    const { w } = await placing(60_000);
    const { clock } = w;
    const ended = drainAndStop(w.engine, { clock, graceMs: 2_000 });
    await w.run(2_000);
    await ended;
    expect(w.observer.events.map(({ kind }) => kind)).not.toContain('child_live');
  });
});
