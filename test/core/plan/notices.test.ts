// Notices of an accepted submit: a different pace than requested, and fields without effect.
import { expect, test } from 'vitest';
import { type NoticeQuestion, noticesOf } from '../../../src/core/plan/plan-notices.ts';
import { admit } from '../../../src/core/portfolio/admission/admit.ts';
import type { PortfolioForm, PricingForm } from '../../../src/core/terms/form.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { BY, form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const PERP = perpetual();
const RULES = new CoreDesk(form({ legs: [legForm()] }), [PERP]).rules(NOON);
const DYNAMIC: PricingForm = {
  priceType: 'dynamic',
  price: price('100'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'ask',
  dynamicMs: 1_000,
};

function noticed(asked: PortfolioForm): string[] {
  const admission = admit(asked, BY, RULES);
  if (admission.kind === 'refused') throw new Error(JSON.stringify(admission.rejections));
  const question: NoticeQuestion = { form: asked, ...admission };
  return noticesOf(question).map(({ kind, leg, about, message }) =>
    [kind, leg, about, message].join(' '),
  );
}

const twap = (durationSec: number, frequencySec: number, lots: number): PortfolioForm =>
  form({
    legs: [legForm({ quantity: quantity(String(10 * lots)) })],
    twapTrade: { durationSec, frequencySec },
  });
const priced = (priceOptions: PricingForm): PortfolioForm =>
  form({ legs: [legForm({ quantity: quantity('100'), priceOptions })] });

test('too few lots for the slices give a notice with the resulting number of slices and interval', () => {
  expect(noticed(twap(600, 60, 10))).toEqual([]);
  expect(noticed(twap(600, 60, 6))).toEqual([
    'warning 0 schedule frequencySec 60 is not possible: 60 of BTC-PERPETUAL (lots of 10, at least 10 an order) makes 6 slices, one every 100 s, instead of 10',
  ]);
  expect(noticed(twap(600, 60, 1))[0]).toContain('makes a single slice, instead of 10');
});

test('a last slice too small to trade gives a notice', () => {
  expect(noticed(twap(61, 10, 6))[0]).toContain('makes 6 slices, one every 10.2 s, instead of 7');
});

test('the price of a DYNAMIC leg gives a placeholder notice, unless worst caps the leg', () => {
  const [told] = noticed(priced(DYNAMIC));
  expect(told).toMatch(
    /^note 0 price priceOptions\.price 100 .* placeholder .* priceOptions\.worst/,
  );
  expect(noticed(priced({ ...DYNAMIC, worst: price('3000') }))).toEqual([]);
});

test('fields without effect are named in notices', () => {
  const unused = { dynamicPriceStrategy: 'mid' as const, dynamicMs: 1_000 };
  const limit = { priceType: 'limit' as const, price: price('100000'), priceIn: 'USD' };
  expect(noticed(priced({ ...limit, ...unused, dynamicPriceOffset: price('5') }))).toEqual([
    'warning 0 price no effect with priceType LIMIT: priceOptions.dynamicPriceStrategy, priceOptions.dynamicPriceOffset',
  ]);
  expect(noticed(priced({ priceType: 'market', price: price('7') }))).toEqual([
    'warning 0 price no effect with priceType MARKET: priceOptions.price',
  ]);
  expect(noticed(priced({ ...limit, dynamicPriceOffset: price('0') }))).toEqual([]);
});

test.each(['market', 'limit'] as const)(
  'dynamicPriceStrategy on a %s leg requires dynamicMs, as on a DYNAMIC leg',
  (priceType) => {
    const limit = { price: price('100000'), priceIn: 'USD' };
    const asked = priced({ priceType, ...limit, dynamicPriceStrategy: 'mid' });
    const admission = admit(asked, BY, RULES);
    const message =
      'is required with dynamicPriceStrategy; accepted: whole milliseconds from 100 to 3600000';
    expect(admission).toMatchObject({
      kind: 'refused',
      rejections: [{ field: 'legs[0].priceOptions.dynamicMs', message }],
    });
  },
);
