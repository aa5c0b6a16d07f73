// One cancel per child until it is answered, or its answer is lost.
import { describe, expect, it } from 'vitest';
import { price } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
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

/** A portfolio with a resting order, cancelled by the client; each cancel is answered by the venue after `answerMs`. */
async function cancelling(answerMs: number): Promise<{ w: World; id: PortfolioId }> {
  const w = world({ settings: { cancelRetryMs: 500 } });
  w.venue.show(quote(PERP, [99_990, 100_010]));
  w.venue.hook = (where) =>
    where === 'cancel reply'
      ? new Promise((answered) => w.clock.at(later(w.clock.now(), answerMs), answered))
      : Promise.resolve();
  await w.engine.start();
  const priceOptions = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
  const id = await submitted(w, form({ legs: [legForm({ priceOptions })] }));
  await w.run(1_000);
  expect(w.venue.kept.map(({ order }) => order.state)).toEqual(['open']);
  return { w, id };
}

const intended = ({ observer }: World): number =>
  observer.events.filter(({ kind }) => kind === 'cancel_intended').length;

describe('the cancel of a child', () => {
  it('a cancel is not repeated while it is unanswered, however long that takes', async () => {
    const { w, id } = await cancelling(30_000);
    await w.operations.cancel(id, BY);
    await w.run(29_000);
    expect([intended(w), w.venue.requests]).toEqual([1, 2]);
    await w.run(2_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(intended(w)).toBe(1);
  });

  it('a cancel is repeated once its answer is lost and the order is still open', async () => {
    const { w, id } = await cancelling(0);
    w.venue.mishaps.push('lose_request', 'lose_request');
    await w.operations.cancel(id, BY);
    await w.run(10_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(intended(w)).toBe(3);
  });

  it('the next process repeats a cancel, because it knows of no answer to wait for', async () => {
    const { w, id } = await cancelling(60_000);
    await w.operations.cancel(id, BY);
    await w.run(3_000);
    expect(intended(w)).toBe(1);
    w.engine.stop();
    const next = world({ clock: w.clock, ledger: w.ledger, venue: w.venue });
    w.venue.hook = () => Promise.resolve();
    await next.engine.start();
    await next.run(10_000);
    expect(await next.operations.info(id)).toMatchObject({ status: 'cancelled' });
  });
});
