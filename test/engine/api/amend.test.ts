// A portfolio amended while it is active: protected against fills the caller has not seen, never below what is
// filled or may still be filled, and with the rest planned again from the next slice.
import { describe, expect, test } from 'vitest';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();
const COIN = spot();
const OPERATOR = { uid: '99', nickname: 'operator' };

const limit = (at: string) => ({ priceType: 'limit', price: price(at), priceIn: 'USD' }) as const;

async function started(parts: Parameters<typeof world>[0] = {}): Promise<World> {
  const w = world(parts);
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

const amend = (w: World, portfolio: PortfolioId, asked: Partial<AmendForm>, isPreview = false) =>
  w.operations.amend({ portfolio, form: { legs: [], ...asked }, isPreview, by: OPERATOR });

const total = (leg: number, to: string, seen: string) => ({
  legs: [{ leg, quantity: quantity(to), filledSeen: quantity(seen) }],
});

const sizes = (w: World): string[] => w.venue.kept.map(({ order }) => text(order.quantity));

describe('amending a total', () => {
  test('an amended total is filled exactly, with the rest spread evenly from the next slice on', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    const answer = await amend(w, id, total(0, '1000', '200'));
    expect(answer).toMatchObject({ kind: 'done', value: { isApplied: true } });
    const slices = answer.kind === 'done' ? answer.value.slices : [];
    expect(
      slices.map(({ slice, quantity: size, cumulative }) => [slice, size, cumulative]),
    ).toEqual([
      [2, '200', '400'],
      [3, '200', '600'],
      [4, '200', '800'],
      [5, '200', '1000'],
    ]);
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'filled',
      lastEditedUid: '99',
      legs: [{ quantity: '1000', filled: '1000' }],
    });
    expect(sizes(w)).toEqual(['100', '100', '200', '200', '200', '200']);
    const due = w.venue.kept.map(
      ({ order }) => order.createdAt - (w.venue.kept[0]?.order.createdAt ?? 0),
    );
    expect(due).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
  });

  test('a total amended down to the filled quantity ends the portfolio', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    await amend(w, id, total(0, '200', '200'));
    expect(await w.operations.info(id)).toMatchObject({
      status: 'filled',
      legs: [{ quantity: '200', filled: '200', remaining: '0' }],
    });
  });

  test('an amended total is refused if more is filled than the caller saw, naming both quantities', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    const before = await w.operations.info(id);
    expect(await amend(w, id, total(0, '1000', '100'))).toMatchObject({
      kind: 'refused',
      rejections: [
        {
          kind: 'conflict',
          field: 'legs[0].filledSeen',
          message: 'is 100, but 200 is filled; read the portfolio and retry',
        },
      ],
    });
    expect(await w.operations.info(id)).toEqual(before);
  });

  test('a total cannot be amended below what is filled or may still be filled', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: limit('99000') })] }));
    await w.run(2_000);
    expect(await amend(w, id, total(0, '90', '0'))).toMatchObject({
      rejections: [{ field: 'legs[0].quantity', message: expect.stringMatching(/at least 100/) }],
    });
    w.venue.isDown = true;
    await w.run(10_000);
    expect(await amend(w, id, total(0, '90', '0'))).toMatchObject({ kind: 'refused' });
  });

  test('an amended total that leaves less than the minimum amount is refused', async () => {
    const w = await started({ instruments: [{ ...PERP, minAmount: quantity('50') }] });
    const id = await submitted(w, form());
    await w.run(12_000);
    expect(await amend(w, id, total(0, '230', '200'))).toMatchObject({
      rejections: [{ kind: 'below_minimum', field: 'legs[0].quantity' }],
    });
  });

  test('an amended total requires filledSeen, a whole number of lots, and an existing leg', async () => {
    const w = await started();
    const id = await submitted(w, form());
    const asked = {
      legs: [
        { leg: 0, quantity: quantity('605') },
        { leg: 0, priceOptions: limit('99000.3') },
        { leg: 3, filledSeen: quantity('0') },
      ],
    };
    const answer = await amend(w, id, asked);
    const fields = answer.kind === 'refused' ? answer.rejections.map(({ field }) => field) : [];
    expect(fields).toEqual([
      'legs[0].filledSeen',
      'legs[0].quantity',
      'legs[1].leg',
      'legs[2].leg',
    ]);
  });

  test('repeating an amendment already in force succeeds and stores no event', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    await amend(w, id, total(0, '1000', '200'));
    await w.run(10_000);
    expect(await amend(w, id, total(0, '1000', '200'))).toMatchObject({ kind: 'done' });
    expect(w.observer.events.filter(({ kind }) => kind === 'amended')).toHaveLength(1);
  });
});

describe('amending the end', () => {
  test('a later end spreads the rest over the longer time at the original slice interval', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(32_000);
    await amend(w, id, { durationSec: 80 });
    await w.run(120_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'filled', durationMs: 80_000 });
    expect(sizes(w)).toEqual([...Array(4).fill('100'), '50', '50', '50', '50']);
  });

  test('an earlier end fits the rest into less time; an end in the past is refused', async () => {
    const w = await started();
    const id = await submitted(w, form());
    const start = w.clock.now();
    await w.run(12_000);
    expect(await amend(w, id, { durationSec: 12 })).toMatchObject({
      rejections: [{ kind: 'time_out_of_range', field: 'durationSec' }],
    });
    await amend(w, id, { endAt: later(start, 40_000) });
    await w.run(30_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(sizes(w)).toEqual(['100', '100', '200', '200']);
  });

  test('an end given as an instant is kept to the millisecond, also within a second', async () => {
    const w = await started();
    const id = await submitted(w, form());
    const start = w.clock.now();
    await w.run(12_000);
    const endAt = later(start, 39_999);
    expect(await amend(w, id, { endAt })).toMatchObject({ kind: 'done', value: { endAt } });
    expect(await w.operations.info(id)).toMatchObject({ endAt, durationMs: 39_999 });
    await w.run(30_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(sizes(w)).toEqual(['100', '100', '200', '200']);
  });

  test('an end a millisecond outside the range in force is refused in seconds', async () => {
    const w = await started();
    const id = await submitted(w, form());
    const start = w.clock.now();
    expect(await amend(w, id, { endAt: later(start, 86_400_001) })).toMatchObject({
      rejections: [
        {
          field: 'endTimestamp',
          message:
            'makes a duration of 86400.001 is out of range; accepted: seconds from 1 to 86400',
        },
      ],
    });
    expect(await amend(w, id, { endAt: later(start, 86_400_000) })).toMatchObject({ kind: 'done' });
  });

  test('an end within the running slice makes it the last one, with the entire rest', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    await amend(w, id, { durationSec: 17 });
    await w.run(10_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(sizes(w)).toEqual(['100', '100', '400']);
  });

  test('an amended end must keep the limits of a submit and the expiry', async () => {
    const w = world({ instruments: [{ ...PERP, expiresAt: instant(1_795_176_120_000) }] });
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    const id = await submitted(w, form());
    expect(await amend(w, id, { durationSec: 100_000 })).toMatchObject({
      rejections: [{ kind: 'time_out_of_range', message: expect.stringMatching(/86400/) }],
    });
    expect(await amend(w, id, { durationSec: 600 })).toMatchObject({
      rejections: [{ kind: 'ends_after_expiry' }],
    });
    expect(await amend(w, id, { durationSec: 60, endAt: w.clock.now() })).toMatchObject({
      kind: 'refused',
    });
  });

  test('a portfolio amended before its start is planned from the start', async () => {
    const w = await started();
    const startAt = later(w.clock.now(), 30_000);
    const id = await submitted(w, form({ startAt }));
    await amend(w, id, { durationSec: 120, ...total(0, '1200', '0') });
    await w.run(200_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    expect(sizes(w)).toEqual(Array(12).fill('100'));
  });
});

describe('amending prices', () => {
  test('an amended price cancels the order at the old price and places one at the new price', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: limit('99000') })] }));
    await w.run(2_000);
    await amend(w, id, { legs: [{ leg: 0, priceOptions: limit('99500') }] });
    await w.run(3_000);
    const orders = w.venue.kept.map(({ order }) => [order.state, order.price && text(order.price)]);
    expect(orders).toEqual([
      ['cancelled', '99000'],
      ['open', '99500'],
    ]);
    const event = w.observer.events.find(({ kind }) => kind === 'amended');
    expect(event).toMatchObject({
      by: '99',
      number: 1,
      before: { legs: [{ pricing: { price: '99000' } }] },
      after: { legs: [{ pricing: { price: '99500' } }] },
    });
  });

  test('an amended price does not change the planned slices', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [legForm({ priceOptions: limit('99000') })] }));
    await w.run(12_000);
    await amend(w, id, { legs: [{ leg: 0, priceOptions: { priceType: 'market' } }] });
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
    const filled = w.venue.kept.map(({ order }) => text(order.filledQuantity));
    expect(filled.filter((size) => size !== '0')).toEqual(['120', '120', '120', '120', '120']);
  });
});

describe('previewing an amendment', () => {
  test('a preview shows the amended portfolio and changes nothing', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    const before = await w.operations.info(id);
    const shown = await amend(w, id, total(0, '1000', '200'), true);
    expect(shown).toMatchObject({
      value: {
        isApplied: false,
        legs: [{ quantityBefore: '600', quantity: '1000', filled: '200' }],
      },
    });
    expect(await w.operations.info(id)).toEqual(before);
    const now = await amend(w, id, {}, true);
    const slices = now.kind === 'done' ? now.value.slices : [];
    expect(slices.map(({ quantity: size }) => size)).toEqual(['100', '100', '100', '100']);
    expect(await amend(w, id, total(0, '1000', '100'), true)).toMatchObject({ kind: 'refused' });
  });
});

describe('amending a portfolio', () => {
  test('an amendment survives a restart, and takes effect if another process applied it', async () => {
    const first = await started();
    const id = await submitted(first, form());
    await first.run(12_000);
    const { clock, ledger, venue } = first;
    const other = world({ clock, ledger, venue });
    const answer = await other.operations.amend({
      portfolio: id,
      form: total(0, '1000', '200'),
      isPreview: false,
      by: OPERATOR,
    });
    expect(answer).toMatchObject({ kind: 'done' });
    first.engine.stop();
    const next = world({ clock, ledger, venue });
    await next.engine.start();
    await next.run(120_000);
    expect(await next.operations.info(id)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '1000' }],
    });
  });

  test('several amendments within one interval do not speed up the schedule', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(10_500);
    for (let i = 1; i <= 8; i += 1) {
      await amend(w, id, total(0, String(600 + 40 * i), '200'));
      await w.run(1_000);
    }
    expect(w.venue.kept).toHaveLength(2);
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({ legs: [{ filled: '920' }] });
    expect(w.venue.kept).toHaveLength(6);
  });

  test('an amendment of a paused portfolio takes effect once it is resumed', async () => {
    const w = await started();
    const id = await submitted(w, form());
    await w.run(12_000);
    await w.operations.pause(id, BY);
    await amend(w, id, { durationSec: 120, ...total(0, '1000', '200') });
    await w.run(30_000);
    expect(w.venue.kept).toHaveLength(2);
    await w.operations.resume(id, BY);
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '1000' }],
    });
  });

  test('after an amendment the hedge follows the new proportion', async () => {
    const w = world({ instruments: [PERP, COIN] });
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    w.venue.show(quote(COIN, [99_999, 100_000]));
    await w.engine.start();
    const hedge = legForm({
      instrument: COIN.name,
      instrumentType: 'spot',
      side: 'sell',
      quantity: quantity('0.006'),
      hedge: true,
    });
    const id = await submitted(w, form({ legs: [legForm(), hedge] }));
    await w.run(12_000);
    const seen = (await w.operations.info(id))?.legs[1]?.filled ?? '';
    const both = [...total(0, '1200', '200').legs, ...total(1, '0.012', seen).legs];
    expect(await amend(w, id, { legs: both })).toMatchObject({ kind: 'done' });
    await w.run(120_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '1200' }, { filled: '0.012' }],
    });
  });

  test('an amendment of an ended, mirroring or unknown portfolio is refused', async () => {
    const w = await started({ dummies: ['20001'] });
    const made = await w.operations.submit(form({ dummyAccounts: [accountId('20001')] }), BY);
    const [shadow] = made.kind === 'done' ? made.value.mirrors : [];
    expect(await amend(w, shadow ?? portfolioId('1'), { durationSec: 90 })).toMatchObject({
      rejections: [{ kind: 'invalid_parameter' }],
    });
    expect(await amend(w, portfolioId('1'), { durationSec: 90 })).toMatchObject({
      rejections: [{ kind: 'not_found' }],
    });
    const id = made.kind === 'done' ? made.value.portfolio : portfolioId('1');
    await w.run(120_000);
    expect(await amend(w, id, { durationSec: 300 })).toMatchObject({
      rejections: [{ kind: 'not_active' }],
    });
  });
});
