// A hedge keeps the proportion of the submit when other totals are amended: USD of the perpetual per option.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { price, quantity } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { cases } from '../../support/cases.ts';
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

const hedgeOf = (total: string) =>
  legForm({ side: 'sell', quantity: quantity(total), hedge: true });

const calls = (total: string) =>
  legForm({ instrument: CALL.name, instrumentType: 'option', quantity: quantity(total) });

async function hedged(total = '100000', options = '10'): Promise<[World, PortfolioId]> {
  const w = world({ instruments: [PERP, CALL] });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  w.venue.show(quote(CALL, [0.0335, 0.035]));
  await w.engine.start();
  const twapTrade = { durationSec: 300, frequencySec: 30 };
  const asked = form({ twapTrade, legs: [calls(options), hedgeOf(total)] });
  return [w, await submitted(w, asked)];
}

async function amended(
  w: World,
  id: PortfolioId,
  totals: readonly (readonly [leg: number, total: string])[],
  isPreview = false,
) {
  const shown = await w.operations.info(id);
  const legs = totals.map(([leg, total]) => ({
    leg,
    quantity: quantity(total),
    filledSeen: quantity(shown?.legs[leg]?.filled ?? '0'),
  }));
  const answer = await w.operations.amend({ portfolio: id, form: { legs }, isPreview, by: BY });
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

const filled = async (w: World, id: PortfolioId) =>
  (await w.operations.info(id))?.legs.map((leg) => leg.filled);

describe('the proportion of a hedge', () => {
  // 100,000 USD for 10 options are 10,000 USD an option.
  test.each([
    ['5', '50000'],
    ['20', '200000'],
    ['4.2', '42000'],
  ])('options amended to %s are hedged with %s USD', async (options, usd) => {
    const [w, id] = await hedged();
    await w.run(100_000);
    expect(await filled(w, id)).toEqual(['4', '40000']);
    const shown = await amended(w, id, [[0, options]], true);
    expect(shown.legs[1]).toMatchObject({ quantityBefore: '100000', quantity: usd });
    await amended(w, id, [[0, options]]);
    await w.run(300_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(await filled(w, id)).toEqual([options, usd]);
  });

  test('the news of an amendment have the total of the hedge before and after', async () => {
    const [w, id] = await hedged();
    await w.run(100_000);
    const news: unknown[] = [];
    w.bus.subscribe((told) => news.push(told));
    await amended(w, id, [[0, '5']]);
    expect(news).toContainEqual(
      expect.objectContaining({
        messageType: 'PORTFOLIO_AMENDED',
        detail: expect.objectContaining({
          before: expect.objectContaining({
            legs: [expect.anything(), expect.objectContaining({ quantity: '100000' })],
          }),
          after: expect.objectContaining({
            legs: [expect.anything(), expect.objectContaining({ quantity: '50000' })],
          }),
        }),
      }),
    );
  });

  test('a request that names the total of the hedge sets another proportion, which later ones keep', async () => {
    const [w, id] = await hedged();
    await w.run(100_000);
    await amended(w, id, [
      [0, '20'],
      [1, '100000'],
    ]);
    await amended(w, id, [[0, '10']]);
    await w.run(300_000);
    // 5,000 USD an option; 40,000 had been traded for 4.
    expect(await filled(w, id)).toEqual(['10', '50000']);
  });

  test('a hedge whose total is named as it was is not enlarged with the options', async () => {
    const [w, id] = await hedged();
    await w.run(100_000);
    const shown = await amended(w, id, [
      [0, '20'],
      [1, '100000'],
    ]);
    expect(shown.legs[1]).toMatchObject({ quantity: '100000' });
  });

  test('prices and ends can be amended without touching the hedge', async () => {
    const [w, id] = await hedged();
    await w.run(100_000);
    const priceOptions = { priceType: 'limit', price: price('0.04'), priceIn: 'BTC' } as const;
    const changes = { legs: [{ leg: 0, priceOptions }], durationSec: 600 };
    const answer = await w.operations.amend({
      portfolio: id,
      form: changes,
      isPreview: false,
      by: BY,
    });
    expect(answer).toMatchObject({ value: { legs: [{}, { quantity: '100000' }] } });
  });

  test('however often the totals change, the lots lost by rounding are not lost again', async () => {
    const [w, id] = await hedged('100', '3');
    await w.run(1_000);
    await amended(w, id, [[0, '1']]);
    expect((await w.operations.info(id))?.legs[1]?.quantity).toBe('30');
    await amended(w, id, [[0, '3']]);
    expect((await w.operations.info(id))?.legs[1]?.quantity).toBe('100');
  });

  test('at every instant the hedge is within a lot of the USD per option, whatever was amended', async () => {
    const wish = fc.record({
      afterMs: fc.integer({ min: 0, max: 60_000 }),
      tenths: fc.integer({ min: 1, max: 300 }),
    });
    const courses = fc.record({
      perOption: fc.integer({ min: 1, max: 999 }),
      tenths: fc.integer({ min: 10, max: 200 }),
      wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(courses, async ({ perOption, tenths, wishes }) => {
        // In tens of USD per tenth of an option: exact in integers.
        const [w, id] = await hedged(String(perOption * tenths * 10), String(tenths / 10));
        for (const { afterMs, tenths: wanted } of wishes) {
          await w.run(afterMs);
          const info = await w.operations.info(id);
          if (info?.status !== 'active') break;
          const least = Math.ceil(Number(info.legs[0]?.filled) * 10);
          await amended(w, id, [[0, String(Math.max(least, wanted) / 10)]]);
          await w.run(1_000);
          const [options, usd] = (await filled(w, id))?.map(Number) ?? [];
          expect(usd).toBe(Math.round((options ?? 0) * 10) * perOption * 10);
        }
        await w.run(400_000);
        const end = await w.operations.info(id);
        const [options, usd] = (await filled(w, id))?.map(Number) ?? [];
        expect(end?.status).toBe('filled');
        expect(usd).toBe(Math.round((options ?? 0) * 10) * perOption * 10);
      }),
      { numRuns: cases(12) },
    );
  });
});

test('with two legs to follow, the one whose total shrank most bounds the hedge, at the proportion of the submit', async () => {
  const PUT = option({ name: 'BTC-25DEC26-90000-P' as typeof CALL.name });
  const w = world({ instruments: [PERP, CALL, PUT] });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  w.venue.show(quote(CALL, [0.0335, 0.035]));
  w.venue.show(quote(PUT, [0.0335, 0.035]));
  await w.engine.start();
  const puts = legForm({
    instrument: PUT.name,
    instrumentType: 'option',
    quantity: quantity('20'),
  });
  const id = await submitted(
    w,
    form({
      twapTrade: { durationSec: 300, frequencySec: 30 },
      legs: [calls('10'), puts, hedgeOf('100000')],
    }),
  );
  await w.run(100_000);
  // 4 of 10 calls and 8 of 20 puts: 40,000 USD. With 5 calls in all, 50,000 at the end.
  const shown = await amended(w, id, [[0, '5']]);
  expect(shown.legs[2]).toMatchObject({ quantityBefore: '100000', quantity: '50000' });
  await w.run(300_000);
  expect(await filled(w, id)).toEqual(['5', '20', '50000']);
});
