// Commands that arrive in one piece are one turn, and what the later of them ends is not followed any more.
import { describe, expect, it } from 'vitest';
import { price } from '../../../src/values/amounts.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

/** A portfolio whose order rests at the mid and follows it each second. */
async function following() {
  const w = world();
  w.venue.show(quote(PERP, [99_990, 100_010]));
  await w.engine.start();
  const priceOptions = {
    priceType: 'dynamic',
    price: price('100000'),
    priceIn: 'USD',
    dynamicPriceStrategy: 'mid',
    dynamicMs: 1_000,
  } as const;
  const id = await submitted(w, form({ legs: [legForm({ priceOptions })] }));
  await w.run(3_500);
  expect(w.venue.kept.map(({ order }) => order.state)).toEqual(['open']);
  return { w, id, turns: turnsOf(w), from: w.observer.events.length };
}

/** Counts the turns from now on that change a portfolio. */
function turnsOf({ engine }: World): () => number {
  let count = 0;
  engine.turns.follow(() => {
    count += 1;
  });
  const before = count;
  return () => count - before;
}

describe('commands that arrive together', () => {
  it('commands that arrive together are decided and committed as one turn', async () => {
    const { w, id, turns, from } = await following();
    const { uid: by } = BY;
    void w.engine.turns.run(id, { kind: 'pause', now: w.clock.now(), by });
    await w.engine.turns.run(id, { kind: 'resume', now: w.clock.now(), by });
    expect(turns()).toBe(1);
    const kinds = w.observer.events.slice(from).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['paused', 'resumed']));
  });

  it('a trade and the end of its order are booked in one turn', async () => {
    const { w, turns, from } = await following();
    w.venue.show(quote(PERP, [99_890, 99_910]));
    await w.run(0);
    expect(turns()).toBe(1);
    const kinds = w.observer.events.slice(from).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['fill_booked', 'child_closed']));
  });

  it('an order that ends with its last trade is sent no new price and not queried', async () => {
    const { w } = await following();
    const before = w.venue.requests;
    w.venue.show(quote(PERP, [99_890, 99_910]));
    await w.run(100);
    expect(w.venue.requests).toBe(before);
  });
});
