// Limits amended while a portfolio is active: protected against concurrent amendments, previewed, and enforced from
// then on, also for resting orders. A BALANCE portfolio can change its end and prices too, but never its totals.
import { describe, expect, test } from 'vitest';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import { withTerms } from '../../../src/core/terms/amend-terms.ts';
import { price, quantity, ratio, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { balanceForm, COIN, coinLeg, perpLeg } from '../../support/engine/balance-run.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const OPERATOR = { uid: '99', nickname: 'operator' };

const limit = (at: string, priceIn = 'USD') =>
  ({ priceType: 'limit', price: price(at), priceIn }) as const;

async function started(): Promise<World> {
  const w = world({ instruments: [PERP, COIN] });
  w.venue.show(quote(PERP, [99_990, 100_010]));
  w.venue.show(quote(COIN, [99_990, 100_010]));
  await w.engine.start();
  return w;
}

const amend = (w: World, portfolio: PortfolioId, asked: Partial<AmendForm>, isPreview = false) =>
  w.operations.amend({ portfolio, form: { legs: [], ...asked }, isPreview, by: OPERATOR });

const limits = (execution: AmendForm['execution'], amendmentsSeen = 0): Partial<AmendForm> => ({
  execution,
  amendmentsSeen,
});

const fieldsOf = (answer: Awaited<ReturnType<typeof amend>>): readonly string[] =>
  answer.kind === 'refused' ? answer.rejections.map(({ field }) => field) : [];

const amendedEvents = (w: World) => w.observer.events.filter(({ kind }) => kind === 'amended');

describe('amending limits', () => {
  test('an amended limit cancels resting orders beyond it and applies to later orders', async () => {
    const w = await started();
    const sold = legForm({ side: 'sell', priceOptions: limit('99995') });
    const id = await submitted(w, form({ legs: [sold], execution: { endAction: 'cancel' } }));
    // The mark price is 100 000, and the sell order rests below it.
    await w.run(1_000);
    expect(await amend(w, id, limits({ bandBps: 0 }))).toMatchObject({ kind: 'done' });
    await w.run(3_000);
    const orders = w.venue.kept.map(({ order }) => [order.state, order.price && text(order.price)]);
    expect(orders).toEqual([
      ['cancelled', '99995'],
      ['open', '100000'],
    ]);
    expect(await w.operations.info(id)).toMatchObject({ lastEditedUid: '99' });
  });

  test('an amended spread limit delays slices while the spread is wider, until it is lifted', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(2_000);
    await amend(w, id, limits({ spreadMaxBps: 1 }));
    await w.run(20_000);
    expect(await w.operations.info(id)).toMatchObject({
      legs: [{ filled: '100', waiting: 'wide_spread' }],
    });
    const lifted = await amend(w, id, limits({ lift: ['spreadMaxBps'] }, 1));
    expect(lifted).toMatchObject({
      value: { amendments: 2, limitsBefore: { spreadMaxBps: 1 } },
    });
    expect(lifted.kind === 'done' && lifted.value.limits).toEqual({
      maxCatchUp: 3,
      collar: '0.01',
    });
    await w.run(60_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('an amended maxCatchUp bounds how much a slice catches up', async () => {
    const w = await started();
    w.venue.isDown = true;
    const id = await submitted(w, form());
    await w.run(32_000);
    await amend(w, id, limits({ maxCatchUp: 1 }));
    w.venue.isDown = false;
    await w.run(27_000);
    const sizes = w.venue.kept.map(({ order }) => Number(order.quantity));
    expect(Math.max(...sizes.slice(-1))).toBeLessThanOrEqual(100);
  });

  test('an amended limit can be previewed; its event has author, time, and limits before and after', async () => {
    const w = await started();
    const id = await submitted(w, form({ execution: { bandBps: 50, endAction: 'market' } }));
    await w.run(2_000);
    const before = await w.operations.info(id);
    const asked = limits({ bandBps: 20, collar: ratio('0.002') });
    expect(await amend(w, id, asked, true)).toMatchObject({
      value: {
        isApplied: false,
        amendments: 0,
        limitsBefore: { bandBps: 50, collar: '0.01' },
        limits: { bandBps: 20, collar: '0.002' },
        slices: [{ slice: 1 }, { slice: 2 }, { slice: 3 }, { slice: 4 }, { slice: 5 }],
      },
    });
    expect(await w.operations.info(id)).toEqual(before);
    expect(await amend(w, id, asked)).toMatchObject({ value: { isApplied: true, amendments: 1 } });
    expect(amendedEvents(w)).toMatchObject([
      {
        by: '99',
        at: w.clock.now(),
        number: 1,
        before: { limits: { bandBps: 50 } },
        after: { limits: { bandBps: 20, collar: '0.002' } },
      },
    ]);
  });

  test('an amendment that missed another one is refused as a conflict; repeating one in force succeeds', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(2_000);
    await amend(w, id, limits({ bandBps: 20 }));
    expect(await amend(w, id, limits({ bandBps: 30 }))).toMatchObject({
      rejections: [
        {
          kind: 'conflict',
          field: 'amendmentsSeen',
          message: expect.stringMatching(/^is 0, but it was amended 1 times, the last time by 99/),
        },
      ],
    });
    expect(await amend(w, id, limits({ bandBps: 20 }))).toMatchObject({ kind: 'done' });
    expect(amendedEvents(w)).toHaveLength(1);
  });

  test('limits are refused out of range, where they have no effect, and without amendmentsSeen', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(2_000);
    expect(fieldsOf(await amend(w, id, { execution: { bandBps: 20 } }))).toEqual([
      'amendmentsSeen',
    ]);
    const wrong = { bandBps: -1, spreadMaxVol: 2, maxCatchUp: 0.5, collar: ratio('0.6') };
    expect(
      fieldsOf(await amend(w, id, limits({ ...wrong, lift: ['bandBps'] }))).toSorted(),
    ).toEqual([
      'execution.bandBps',
      'execution.collar',
      'execution.lift',
      'execution.maxCatchUp',
      'execution.spreadMaxVol',
    ]);
    expect(fieldsOf(await amend(w, id, limits({ participationMax: 0.1 })))).toEqual([
      'execution.participationMax',
    ]);
  });

  test('an amendment event without limits leaves the limits unchanged', async () => {
    const w = await started();
    const id = await submitted(w, form({ execution: { bandBps: 50, endAction: 'market' } }));
    await w.run(2_000);
    const { spec } = must(w.engine.turns.peek(id), 'it is at hand');
    const { limits: _, ...old } = {
      durationMs: 90_000,
      limits: undefined,
      legs: [{ quantity: '700', pricing: { type: 'market' as const } }],
    };
    expect(withTerms(spec, old).execution).toEqual(spec.execution);
  });
});

describe('amending a BALANCE portfolio', () => {
  const cut = { parts: 3, totalLimitMs: 0, totalEndAction: 'fill_by_market' } as const;
  const legs = () => [
    perpLeg({ quantity: quantity('300'), priceOptions: limit('99000') }),
    coinLeg({ quantity: quantity('0.03') }),
  ];

  test('a BALANCE portfolio can be given an end, where its original end action runs', async () => {
    const w = await started();
    const id = await submitted(w, balanceForm(legs(), cut));
    await w.run(5_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'active' });
    expect(await amend(w, id, { durationSec: 10 })).toMatchObject({ kind: 'done' });
    await w.run(30_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({
      status: 'filled',
      balance: { totalLimitMs: 10_000, partsDone: 3 },
    });
    expect(info?.legs.map(({ filled }) => filled)).toEqual(['300', '0.03']);
  });

  test('a BALANCE portfolio can change its prices, and its legs stay within their bound', async () => {
    const w = await started();
    const id = await submitted(w, balanceForm(legs(), { ...cut, eachLimitMs: 60_000 }));
    await w.run(5_000);
    const before = await w.operations.info(id);
    expect(before?.legs.map(({ filled }) => filled)).toEqual(['0', '0.01']);
    expect(await amend(w, id, { legs: [{ leg: 0, priceOptions: limit('100010') }] })).toMatchObject(
      { kind: 'done' },
    );
    await w.run(5_000);
    const after = await w.operations.info(id);
    expect(after).toMatchObject({ status: 'filled' });
    for (const leg of [...(before?.legs ?? []), ...(after?.legs ?? [])]) {
      expect(Number(leg.imbalance?.ahead)).toBeLessThanOrEqual(Number(leg.imbalance?.bound));
    }
  });

  test('a BALANCE portfolio cannot change its totals or limits that apply to schedules only', async () => {
    const w = await started();
    const id = await submitted(w, balanceForm(legs(), cut));
    await w.run(2_000);
    const asked = { leg: 0, quantity: quantity('600'), filledSeen: quantity('0') };
    expect(await amend(w, id, { legs: [asked] })).toMatchObject({
      rejections: [
        {
          field: 'legs[0].quantity',
          message: expect.stringMatching(/cancel the portfolio and submit/),
        },
      ],
    });
    expect(fieldsOf(await amend(w, id, limits({ maxCatchUp: 2 })))).toEqual([
      'execution.maxCatchUp',
    ]);
    expect(await amend(w, id, limits({ bandBps: 100 }))).toMatchObject({ kind: 'done' });
  });
});
