// Fills of orders that were under way when a portfolio was paused or cancelled are hedged, and what is not hedged is
// named. The venue answers 2 s after it has executed an order.
import { describe, expect, test } from 'vitest';
import { price, quantity } from '../../../src/values/amounts.ts';
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
import { option, perpetual, quote } from '../../support/engine/markets.ts';

const CALL = option();
const PERP = perpetual();
const LATENCY_MS = 2_000;

async function sent(): Promise<[World, PortfolioId]> {
  const w = world({ instruments: [PERP, CALL] });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  w.venue.show(quote(CALL, [0.0335, 0.035]));
  w.venue.hook = (where) => {
    if (where.startsWith('query') || where.startsWith('open')) return Promise.resolve();
    return new Promise((resolve) => {
      w.clock.at(later(w.clock.now(), LATENCY_MS / 2), resolve);
    });
  };
  await w.engine.start();
  const options = legForm({
    instrument: CALL.name,
    instrumentType: 'option',
    quantity: quantity('10'),
    priceOptions: { priceType: 'limit', price: price('0.0765'), priceIn: 'BTC' },
  });
  const hedge = legForm({ side: 'sell', quantity: quantity('100000'), hedge: true });
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const id = await submitted(w, form({ twapTrade, legs: [options, hedge] }));
  // The order for the options has left and is not answered.
  await w.run(500);
  return [w, id];
}

const filled = async (w: World, id: PortfolioId) =>
  (await w.operations.info(id))?.legs.map((leg) => leg.filled);

async function newsOf(w: World, during: () => Promise<void>): Promise<readonly string[]> {
  const told: string[] = [];
  const stop = w.bus.subscribe((news) => told.push(news.messageType));
  await during();
  if (typeof stop === 'function') stop();
  return told;
}

describe('an order under way when its portfolio is stopped', () => {
  test('what it fills is hedged while the portfolio is paused', async () => {
    const [w, id] = await sent();
    await w.operations.pause(id, BY);
    await w.run(6_000);
    expect(await filled(w, id)).toEqual(['10', '100000']);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('what it fills is hedged before the portfolio counts as cancelled', async () => {
    const [w, id] = await sent();
    await w.operations.cancel(id, BY);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelling' });
    await w.run(8_000);
    expect(await filled(w, id)).toEqual(['10', '100000']);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('what is known too late for the pause is hedged after the end', async () => {
    const [w, id] = await sent();
    await w.operations.pause(id, BY);
    w.venue.hide(PERP.name);
    await w.run(8_000);
    expect(await filled(w, id)).toEqual(['10', '0']);
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.run(6_000);
    expect(await filled(w, id)).toEqual(['10', '100000']);
  });

  test('a hedge without a market is given up after the grace, recorded once, and made up by a resume', async () => {
    const [w, id] = await sent();
    w.venue.hide(PERP.name);
    const news = await newsOf(w, async () => {
      await w.operations.pause(id, BY);
      await w.run(30_000);
    });
    expect(news.filter((one) => one === 'PORTFOLIO_HEDGE_OPEN')).toHaveLength(1);
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.run(10_000);
    expect(await filled(w, id)).toEqual(['10', '0']);
    await w.operations.resume(id, BY);
    await w.run(6_000);
    expect(await filled(w, id)).toEqual(['10', '100000']);
  });

  test('a cancel without a market for the hedge ends after the grace and names the open exposure', async () => {
    const [w, id] = await sent();
    w.venue.hide(PERP.name);
    const news = await newsOf(w, async () => {
      await w.operations.cancel(id, BY);
      await w.run(30_000);
    });
    expect(news.slice(-2)).toEqual(['PORTFOLIO_HEDGE_OPEN', 'PORTFOLIO_CANCELLED']);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'cancelled',
      reason: 'user_request',
      legs: [{}, { unhedged: '100000' }],
    });
  });

  test.each(['pause', 'cancel'] as const)(
    'the answer to a %s names the hedge that the fills known by then lack',
    async (request) => {
      const [w, id] = await sent();
      w.venue.hide(PERP.name);
      await w.run(2 * LATENCY_MS);
      expect(await filled(w, id)).toEqual(['10', '0']);
      // 100,000 USD for the 10 options of the portfolio, all of them filled.
      const legs = [{ legId: `${id}-1`, instrument: PERP.name, side: 'sell', quantity: '100000' }];
      expect(await w.operations[request](id, BY)).toEqual({ kind: 'done', value: legs });
    },
  );

  test('the answer to a pause names nothing while nothing is known to be filled', async () => {
    const [w, id] = await sent();
    expect(await w.operations.pause(id, BY)).toEqual({ kind: 'done', value: null });
  });

  test('the options themselves trade no more', async () => {
    const [w, id] = await sent();
    await w.operations.pause(id, BY);
    await w.run(90_000);
    expect(w.venue.kept.map(({ order }) => order.instrument)).toEqual([CALL.name, PERP.name]);
    expect(await filled(w, id)).toEqual(['10', '100000']);
  });
});
