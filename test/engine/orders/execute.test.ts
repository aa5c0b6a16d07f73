import { describe, expect, test } from 'vitest';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { option, perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();

describe('a TWAP in virtual time', () => {
  test('a market leg is filled slice by slice, exactly and on time', async () => {
    const w = world();
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    const id = await submitted(w, form());
    const start = w.clock.now();
    await w.run(120_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'filled', reason: 'filled' });
    expect(info?.legs[0]).toMatchObject({ filled: '600', remaining: '0', averagePrice: '100000' });
    expect(w.venue.kept.map((kept) => text(kept.order.quantity))).toEqual(Array(6).fill('100'));
    expect(w.venue.kept.map((kept) => kept.order.createdAt - start)).toEqual([
      0, 10_000, 20_000, 30_000, 40_000, 50_000,
    ]);
    expect(w.observer.failures).toEqual([]);
  });

  test('a dynamic leg follows the mid through edit_by_label, and only if it has moved', async () => {
    const w = world();
    w.venue.show(quote(PERP, [99_990, 100_010]));
    await w.engine.start();
    const pricing = {
      priceType: 'dynamic',
      price: price('100000'),
      priceIn: 'USD',
      dynamicPriceStrategy: 'mid',
      dynamicPriceOffset: price('-5'),
      dynamicMs: 1_000,
    } as const;
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: pricing })] }));
    await w.run(3_500);
    expect(w.venue.kept[0]?.order).toMatchObject({ state: 'open', price: price('99995') });
    expect(w.venue.requests).toBe(1);
    w.venue.show(quote(PERP, [99_992, 100_012]));
    await w.run(1_000);
    expect(w.venue.requests).toBe(2);
    expect(w.venue.kept[0]?.order.price).toEqual(price('99997'));
    w.venue.show(quote(PERP, [99_992, undefined]));
    await w.run(1_100);
    expect(w.venue.kept[0]?.order.state).toBe('cancelled');
    const state = await w.operations.info(id);
    expect(state?.legs[0]?.waiting).toBe('no_reference');
    w.venue.show(quote(PERP, [99_996, 99_996.5]));
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('missed slices are caught up within the cap once there is a market again', async () => {
    const w = world();
    await w.engine.start();
    const id = await submitted(w, form({ execution: { maxCatchUp: 2 } }));
    await w.run(25_000);
    expect(w.venue.kept).toEqual([]);
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.run(120_000);
    // The third of six slices finds two missed; the remaining slices may each place at most 200.
    expect(w.venue.kept.map((kept) => text(kept.order.quantity))).toEqual([
      '150',
      '150',
      '150',
      '150',
    ]);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('a portfolio without a market ends with a residual and a reason', async () => {
    const w = world();
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    const id = await submitted(w, form({ execution: {} }));
    await w.run(25_000);
    w.venue.hide(PERP.name);
    await w.run(120_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    expect(info?.legs[0]).toMatchObject({ filled: '300', remaining: '300' });
    expect(info?.legs[0]?.slices).toMatchObject({ planned: 6, placed: 3, missed: 3 });
    expect(w.observer.events.at(-1)).toMatchObject({ kind: 'cancelled', residual: ['300'] });
  });

  test('legs of several kinds run together, and a hedge follows their fills', async () => {
    const call = option();
    const coin = spot();
    const w = world({ instruments: [PERP, call, coin] });
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    w.venue.show(quote(call, [0.051, 0.0515], { markIv: 0.6 }));
    w.venue.show(quote(coin, [99_999, 100_000]));
    await w.engine.start();
    const option1 = legForm({
      instrument: call.name,
      instrumentType: 'option',
      quantity: quantity('1.2'),
      priceOptions: { priceType: 'limit', price: price('0.8'), priceIn: 'IV' },
    });
    const hedge = legForm({ side: 'sell', quantity: quantity('6000'), hedge: true });
    const id = await submitted(w, form({ legs: [option1, hedge] }));
    await w.run(5_000);
    const early = await w.operations.info(id);
    expect(early?.legs.map((leg) => leg.filled)).toEqual(['0.2', '1000']);
    await w.run(120_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'filled' });
    expect(info?.legs.map((leg) => leg.filled)).toEqual(['1.2', '6000']);
  });

  test('a cancel cancels the resting orders, and the portfolio ends once', async () => {
    const w = world();
    w.venue.show(quote(PERP, [99_990, 100_010]));
    await w.engine.start();
    const news: string[] = [];
    w.bus.subscribe((one) => news.push(one.messageType));
    const limit = { priceType: 'limit', price: price('99900'), priceIn: 'USD' } as const;
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: limit })] }));
    await w.run(15_000);
    expect(await w.operations.cancel(id, { uid: '8', nickname: 'other' })).toMatchObject({
      kind: 'done',
    });
    expect(await w.operations.cancel(id, { uid: '8', nickname: 'other' })).toBeDefined();
    await w.run(10_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'cancelled', reason: 'user_request', lastEditedUid: '8' });
    expect(w.venue.kept.every((kept) => kept.order.state === 'cancelled')).toBe(true);
    expect(news.filter((type) => type === 'PORTFOLIO_CANCELLING')).toHaveLength(1);
    expect(news.filter((type) => type === 'PORTFOLIO_CANCELLED')).toHaveLength(1);
    const again = await w.operations.cancel(id, { uid: '8', nickname: 'other' });
    expect(again).toMatchObject({ kind: 'refused', rejections: [{ kind: 'not_active' }] });
    const requests = w.venue.requests;
    await w.run(120_000);
    expect(w.venue.requests).toBe(requests);
  });

  test('a lost reply is resolved by a query, and a lost request by proving the order absent', async () => {
    for (const mishap of ['lose_reply', 'lose_request'] as const) {
      const w = world();
      w.venue.show(quote(PERP, [99_999.5, 100_000]));
      await w.engine.start();
      w.venue.mishaps.push(mishap);
      const id = await submitted(w, form());
      await w.run(120_000);
      expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
      expect(text(w.venue.filled(PERP.name))).toBe('600');
      const labels = w.venue.kept.map((kept) => kept.order.label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  test('a refusal returns the quantity, the slice tries again, and the portfolio still completes', async () => {
    const w = world();
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    w.venue.mishaps.push({ code: 10041, later: true }, { code: 10009, later: false });
    const id = await submitted(w, form());
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(w.observer.events.filter((event) => event.kind === 'child_rejected')).toHaveLength(2);
  });

  test.each([
    { class: 'for good', code: 10009, later: false, attempts: 5 },
    { class: 'for good because of its price', code: 11054, later: false, attempts: 20 },
    { class: 'for now', code: 10041, later: true, attempts: 20 },
    { class: 'while its account is liquidated', code: 11098, later: true, attempts: 20 },
  ])('a slice whose orders are refused $class tries $attempts times in a minute', async (given) => {
    const { code, later, attempts } = given;
    const w = world();
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    w.venue.mishap = () => ({ code, later });
    await submitted(w, form({ twapTrade: { durationSec: 120, frequencySec: 60 } }));
    await w.run(59_999);
    expect(w.venue.requests).toBe(attempts);
    await w.run(1);
    expect(w.venue.requests).toBe(attempts + 1);
  });

  test('a submit that is repeated by its key names the same portfolio and shadows, at once and after their end', async () => {
    const w = world({ dummies: ['20001'] });
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    const submit = () =>
      w.operations.submit(
        form({ dummyAccounts: ['20001' as never] }),
        { uid: '7', nickname: 't' },
        'k',
      );
    const answers = await Promise.all([submit(), submit()]);
    await w.run(120_000);
    const values = [...answers, await submit()].map((answer) =>
      must(answer.kind === 'done' ? answer.value : undefined, 'each is answered'),
    );
    expect(values.map(({ created }) => created)).toEqual([true, false, false]);
    expect(new Set(values.map(({ portfolio }) => portfolio)).size).toBe(1);
    const [first] = values;
    expect(first?.mirrors).toHaveLength(1);
    for (const { mirrors } of values) expect(mirrors).toEqual(first?.mirrors);
    const shadow = await w.operations.info(must(first?.mirrors[0], 'one shadow'));
    expect(shadow).toMatchObject({ mirrorOf: first?.portfolio, account: '20001' });
    expect(text(w.venue.filled(PERP.name))).toBe('600');
  });
});
