// A portfolio that an operator pauses: it has no orders at the venue while its schedule keeps running, and the
// missed quantity is caught up once it is resumed.
import { describe, expect, test } from 'vitest';
import { isTerminal } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
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
const OPERATOR = { uid: '99', nickname: 'operator' };

const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
});

async function started(parts: Parameters<typeof world>[0] = {}): Promise<World> {
  const w = world(parts);
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

const open = (w: World) => w.venue.kept.filter(({ order }) => order.state === 'open');

describe('pausing and resuming', () => {
  test('a paused portfolio has no orders at the venue, places none, and catches up once resumed', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    expect(await w.operations.pause(id, OPERATOR)).toEqual({ kind: 'done', value: null });
    const paused = await w.operations.info(id);
    expect(paused).toMatchObject({ status: 'active', lastEditedUid: '99', paused: { by: '99' } });
    expect(paused?.paused?.at).toBe(w.clock.now());
    await w.run(23_000);
    expect(w.venue.kept).toHaveLength(2);
    expect(await w.operations.resume(id, OPERATOR)).toEqual({ kind: 'done', value: null });
    await w.run(120_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'filled' });
    expect(info).not.toHaveProperty('paused');
    // 200 were filled; at 35 s slice 3 starts with its 100 and a third of the missed 100.
    expect(w.venue.kept.map(({ order }) => text(order.quantity))).toEqual([
      '100',
      '100',
      '140',
      '130',
      '130',
    ]);
    const told = w.observer.events.map(({ kind }) => kind);
    expect(told.filter((kind) => kind === 'paused' || kind === 'resumed')).toHaveLength(2);
    expect(w.observer.events.find(({ kind }) => kind === 'paused')).toMatchObject({ by: '99' });
    expect(w.observer.failures).toEqual([]);
  });

  test('pausing cancels resting orders, including one that was in flight when it was paused', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING], execution: {} }));
    await w.run(1_000);
    expect(open(w)).toHaveLength(1);
    await w.operations.pause(id, BY);
    await w.run(100);
    expect(open(w)).toHaveLength(0);
    await w.operations.resume(id, BY);
    await w.run(2_000);
    expect(open(w)).toHaveLength(1);
    w.venue.mishaps.push('lose_reply');
    await w.run(10_000);
    await w.operations.pause(id, BY);
    await w.run(5_000);
    expect(open(w)).toHaveLength(0);
  });

  test('pausing twice changes nothing, and any user may resume what another one has paused', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.operations.pause(id, OPERATOR);
    const at = (await w.operations.info(id))?.paused?.at;
    await w.run(3_000);
    expect(await w.operations.pause(id, BY)).toMatchObject({ kind: 'done' });
    expect((await w.operations.info(id))?.paused).toEqual({ by: '99', at });
    await w.operations.resume(id, BY);
    expect(await w.operations.resume(id, OPERATOR)).toMatchObject({ kind: 'done' });
    const holds = w.observer.events.filter(({ kind }) => kind === 'paused' || kind === 'resumed');
    expect(holds.map(({ kind }) => kind)).toEqual(['paused', 'resumed']);
  });

  test.each(['cancel', 'market'] as const)(
    'a paused portfolio ends at its scheduled end without sending orders (end action %s)',
    async (endAction) => {
      const w = await started();
      const id = await submitted(w, form({ execution: { endAction } }));
      await w.run(12_000);
      await w.operations.pause(id, BY);
      await w.run(100_000);
      expect(await w.operations.info(id)).toMatchObject({
        status: 'cancelled',
        reason: 'time_limit',
        legs: [{ filled: '200', remaining: '400' }],
      });
      expect(w.venue.kept).toHaveLength(2);
    },
  );

  test('pausing stops the aggressive end action', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(59_000);
    w.venue.hide(PERP.name);
    await w.run(3_000);
    await w.operations.pause(id, BY);
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.run(20_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'cancelled' });
    expect(w.venue.kept.every(({ order }) => text(order.filledQuantity) === '0')).toBe(true);
  });

  test('a paused portfolio can be cancelled', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(1_000);
    await w.operations.pause(id, BY);
    await w.operations.cancel(id, BY);
    await w.run(1_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'cancelled',
      reason: 'user_request',
    });
    expect(await w.operations.resume(id, BY)).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'not_active' }],
    });
  });

  test('a paused portfolio stays paused over a restart', async () => {
    const first = await started();
    const id = await submitted(first, form());
    await first.run(12_000);
    await first.operations.pause(id, OPERATOR);
    first.engine.stop();
    const { clock, ledger, venue } = first;
    const second = world({ clock, ledger, venue });
    await second.engine.start();
    await second.run(10_000);
    expect(venue.kept).toHaveLength(2);
    expect(await second.operations.info(id)).toMatchObject({ paused: { by: '99' } });
    await second.operations.resume(id, BY);
    await second.run(120_000);
    expect(await second.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('pausing and resuming are published in the news with the user who did it', async () => {
    const w = await started();
    const told: unknown[] = [];
    w.bus.subscribe((news) => told.push([news.messageType, news.detail, news.record.paused?.by]));
    const id = await submitted(w, form());
    await w.operations.pause(id, OPERATOR);
    const at = w.clock.now();
    await w.operations.resume(id, BY);
    expect(told).toContainEqual(['PORTFOLIO_PAUSED', { kind: 'paused', by: '99', at }, '99']);
    expect(told).toContainEqual(['PORTFOLIO_RESUMED', { kind: 'resumed', by: '7', at }, undefined]);
  });
});

describe('pausing that is refused', () => {
  test('pausing a mirroring, unknown, ended or foreign portfolio is refused with the reason', async () => {
    const w = await started({ dummies: ['20001'] });
    const submit = await w.operations.submit(form({ dummyAccounts: [accountId('20001')] }), BY);
    const [shadow] = submit.kind === 'done' ? submit.value.mirrors : [];
    expect(await w.operations.pause(shadow ?? portfolioId('1'), BY)).toMatchObject({
      rejections: [{ kind: 'invalid_parameter', field: 'portfolioId' }],
    });
    expect(await w.operations.pause(portfolioId('1'), BY)).toMatchObject({
      rejections: [{ kind: 'not_found' }],
    });
    const id = submit.kind === 'done' ? submit.value.portfolio : portfolioId('1');
    expect(await w.operations.pause(id, BY, accountId('20001'))).toMatchObject({
      rejections: [{ kind: 'not_found' }],
    });
    await w.run(120_000);
    const over = w.engine.turns.peek(id);
    expect(over && isTerminal(over.status)).toBe(true);
    expect(await w.operations.pause(id, BY)).toMatchObject({
      rejections: [{ kind: 'not_active' }],
    });
  });
});
