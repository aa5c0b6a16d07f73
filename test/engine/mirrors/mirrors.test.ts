// Mirrors in dummy accounts: each fills its own multiple of the portfolio, in whole lots and exact at the end, and
// has its own end; all are returned with the portfolio.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { price, quantity, ratio, text } from '../../../src/values/amounts.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { BY, form, legForm, settle, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const DUMMIES = ['20001', '20002', '20003'];

async function started(): Promise<World> {
  const w = world({ dummies: DUMMIES });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return w;
}

const mirrored = (
  scales: Readonly<Record<string, string>>,
  change: Partial<PortfolioForm> = {},
): PortfolioForm =>
  form({
    dummyAccounts: DUMMIES.map(accountId),
    mirrorScales: Object.entries(scales).map(([account, scale]) => ({
      account: accountId(account),
      scale: ratio(scale),
    })),
    ...change,
  });

async function submit(w: World, asked: PortfolioForm) {
  const outcome = await w.operations.submit(asked, BY);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.value;
}

describe('mirrors', () => {
  test('each mirror fills its own multiple and is returned with the portfolio', async () => {
    const w = await started();
    const { portfolio, mirrors } = await submit(w, mirrored({ 20001: '0.5', 20003: '2.35' }));
    await w.run(25_000);
    expect(await w.operations.info(portfolio)).toMatchObject({
      legs: [{ filled: '300' }],
      mirrored: [
        { account: '20001', scale: '0.5', legs: [{ quantity: '300', filled: '150' }] },
        { account: '20002', legs: [{ quantity: '600', filled: '300' }] },
        { account: '20003', scale: '2.35', legs: [{ quantity: '1410', filled: '710' }] },
      ],
    });
    await w.run(120_000);
    const info = await w.operations.info(portfolio);
    expect(info?.mirrored?.map(({ status }) => status)).toEqual(['filled', 'filled', 'filled']);
    expect(info?.mirrored?.map(({ legs }) => legs[0]?.filled)).toEqual(['300', '600', '1410']);
    expect(info?.mirrored?.map(({ legs }) => legs[0]?.averagePrice)).toEqual(
      Array(3).fill('100000'),
    );
    expect(text(w.venue.filled(PERP.name))).toBe('600');
    expect(info?.mirrored?.map(({ portfolio: id }) => id)).toEqual(mirrors);
    const alone = await w.operations.info(mirrors[0] ?? portfolio);
    expect(alone).toMatchObject({ mirrorOf: portfolio, scale: '0.5' });
    expect(w.observer.failures).toEqual([]);
  });

  test('each mirror ends on its own with its own residual', async () => {
    const w = await started();
    const { portfolio, mirrors } = await submit(
      w,
      mirrored({ 20001: '0.5' }, { execution: { endAction: 'cancel' } }),
    );
    await w.run(12_000);
    await w.operations.cancel(mirrors[1] ?? portfolioId('1'), BY);
    await w.run(10_000);
    w.venue.hide(PERP.name);
    await w.run(120_000);
    const info = await w.operations.info(portfolio);
    expect(info).toMatchObject({ status: 'cancelled', reason: 'time_limit' });
    expect(
      info?.mirrored?.map(({ reason, legs }) => [reason, legs[0]?.filled, legs[0]?.remaining]),
    ).toEqual([
      ['time_limit', '150', '150'],
      ['user_request', '200', '400'],
      ['time_limit', '300', '300'],
    ]);
  });

  test('mirrors adopt amended totals, even if they learn of them late', async () => {
    const w = await started();
    const { portfolio } = await submit(w, mirrored({ 20001: '0.5' }));
    await w.run(12_000);
    const legs = [{ leg: 0, quantity: quantity('1000'), filledSeen: quantity('200') }];
    const asked = { form: { legs, durationSec: 90 }, isPreview: false, by: BY };
    await w.operations.amend({ portfolio, ...asked });
    await settle();
    expect(await w.operations.info(portfolio)).toMatchObject({
      mirrored: [
        { durationMs: 90_000, legs: [{ quantity: '500', filled: '100' }] },
        { legs: [{ quantity: '1000' }] },
        { legs: [{ quantity: '1000' }] },
      ],
    });
    await w.run(120_000);
    const info = await w.operations.info(portfolio);
    expect(info?.mirrored?.map(({ legs: [leg] }) => leg?.filled)).toEqual(['500', '1000', '1000']);
    expect(w.observer.events.filter(({ kind }) => kind === 'assumption_broken')).toEqual([]);
  });

  test('mirrors continue correctly after a restart between fills', async () => {
    const first = await started();
    const { portfolio } = await submit(first, mirrored({ 20001: '0.35' }));
    await first.run(22_000);
    first.engine.stop();
    const { clock, ledger, venue } = first;
    const second = world({ clock, ledger, venue, dummies: DUMMIES });
    await second.engine.start();
    await second.run(120_000);
    const info = await second.operations.info(portfolio);
    expect(info?.mirrored?.[0]).toMatchObject({ status: 'filled', legs: [{ filled: '210' }] });
  });

  test.each([
    [{ 20009: '2' }, 'dummyAccountScales[0].accountId'],
    [{ 20001: '0' }, 'dummyAccountScales[0].scale'],
    [{ 20001: '1000.1' }, 'dummyAccountScales[0].scale'],
    [{ 20001: '0.001' }, 'dummyAccountScales[0].scale'],
  ])('mirrors with the scale %j are refused', async (scales, field) => {
    const w = await started();
    expect(await w.operations.submit(mirrored(scales), BY)).toMatchObject({
      rejections: [{ kind: 'invalid_parameter', field }],
    });
  });

  test('the fills of a mirror always equal the scaled fills rounded to the lot, for any scale', async () => {
    const lots = (value: string | undefined): number => Number(value) / 10;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4_000 }),
        fc.array(fc.integer({ min: 90, max: 110 }), { minLength: 6, maxLength: 14 }),
        async (thousandths, course) => {
          const w = await started();
          const pricing = { priceType: 'limit', price: price('100000'), priceIn: 'USD' } as const;
          const legs = [legForm({ quantity: quantity('6000'), priceOptions: pricing })];
          const scale = String(thousandths / 1_000);
          const asked = mirrored({ 20001: scale }, { legs, execution: { endAction: 'cancel' } });
          const { portfolio } = await submit(w, asked);
          for (const level of course) {
            w.venue.show(quote(PERP, [level * 1_000 - 1, level * 1_000]));
            await w.run(5_000);
            const info = await w.operations.info(portfolio);
            const mirror = info?.mirrored?.[0]?.legs[0];
            const exact = (lots(info?.legs[0]?.filled) * thousandths) / 1_000;
            expect(lots(mirror?.filled)).toBe(Math.floor(exact + 0.5));
          }
          expect(text(w.venue.filled(PERP.name))).toBe(
            (await w.operations.info(portfolio))?.legs[0]?.filled,
          );
        },
      ),
      { numRuns: 25 },
    );
  });
});
