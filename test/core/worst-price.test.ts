// `priceOptions.worst`: no order of the leg buys above it or sells below it, whatever prices the order.
import { describe, expect, test } from 'vitest';
import { admitAmend } from '../../src/core/portfolio/admission/admit-amend.ts';
import type { LegForm, PortfolioForm, PricingForm } from '../../src/core/terms/form.ts';
import { specFromRecord, specToRecord } from '../../src/core/terms/spec-record.ts';
import { price, quantity, text } from '../../src/values/amounts.ts';
import { later } from '../../src/values/instant.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { CoreWork } from '../support/engine/core-work.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const DYNAMIC: PricingForm = {
  priceType: 'dynamic',
  price: price('100'),
  priceIn: 'USD',
  dynamicPriceStrategy: 'ask',
  dynamicMs: 1_000,
};
const MARKET: PricingForm = { priceType: 'market' };
const WORST = price('100000');

function work(
  pricing: PricingForm,
  execution: PortfolioForm['execution'] = {},
  change: Partial<LegForm> = {},
): CoreWork {
  const leg = legForm({ quantity: quantity('60'), priceOptions: pricing, ...change });
  const twapTrade = { durationSec: 60, frequencySec: 10 };
  return new CoreWork(form({ legs: [leg], twapTrade, execution }), [PERP]);
}

const pricesOf = (made: CoreWork): string[] => made.placed.map((one) => text(one.price));

describe('a leg with a worst price', () => {
  test('a DYNAMIC leg buys above its submitted price, which caps nothing, and never above worst', () => {
    const free = work(DYNAMIC);
    free.show(quote(PERP, [100_049, 100_050]));
    free.until(5_000);
    expect(pricesOf(free)).toEqual(['100050']);
    const capped = work({ ...DYNAMIC, worst: WORST });
    capped.show(quote(PERP, [100_049, 100_050]));
    capped.until(5_000);
    expect([pricesOf(capped), capped.waits()]).toEqual([[], ['worst_price']]);
    capped.show(quote(PERP, [99_989, 99_990]));
    capped.until(7_000);
    expect(pricesOf(capped)).toEqual(['99990']);
  });

  test('a child rests at worst, and does not take, if the reference is beyond it', () => {
    const made = work({ ...DYNAMIC, dynamicPriceStrategy: 'bid', worst: WORST });
    made.fills = () => 0;
    made.show(quote(PERP, [100_030, 100_050]));
    made.at(0);
    expect(pricesOf(made)).toEqual(['100000']);
  });

  test('a resting child is repriced to worst and no further, and the bound is recorded as the reason', () => {
    const made = work({ ...DYNAMIC, dynamicPriceStrategy: 'bid', worst: WORST });
    made.fills = () => 0;
    made.show(quote(PERP, [99_990, 100_050]));
    made.until(1_500);
    made.show(quote(PERP, [100_030, 100_050]));
    made.until(4_500);
    expect(made.edited.map((one) => one.price)).toEqual(['100000']);
    expect(made.repricedFor()).toEqual(['bound']);
  });

  test('a MARKET child is sent at worst if the collar reaches further, and not at all if nothing is within', () => {
    const made = work({ ...MARKET, worst: WORST });
    made.show(quote(PERP, [99_989, 99_990]));
    made.at(0);
    expect(pricesOf(made)).toEqual(['100000']);
    made.show(quote(PERP, [100_000, 100_000.5]));
    made.until(15_000);
    expect([pricesOf(made).length, made.waits()]).toEqual([1, ['worst_price']]);
  });

  test('a sell leg never sells below worst', () => {
    const made = work({ ...MARKET, worst: WORST }, {}, { side: 'sell' });
    made.show(quote(PERP, [100_010, 100_011]));
    made.at(0);
    made.show(quote(PERP, [99_999, 100_001]));
    made.until(15_000);
    expect([pricesOf(made), made.waits()]).toEqual([['100000'], ['worst_price']]);
  });

  test('every step of an escalation respects worst', () => {
    const escalation = [
      { from: 0, manner: 'rejoin' as const },
      { from: 0.3, manner: 'mid' as const },
      { from: 0.6, manner: 'cross' as const },
    ];
    const made = work({ ...MARKET, worst: WORST }, { escalation });
    made.fills = () => 0;
    made.show(quote(PERP, [100_030, 100_050]));
    made.until(9_000);
    expect(pricesOf(made)).toEqual(['100000']);
    expect(made.edited).toEqual([]);
    expect(made.waits()).toContain('worst_price');
  });

  test('a would price respects worst', () => {
    const would = [{ leg: 0, price: price('100050'), share: 1 }];
    const made = work({ ...MARKET, worst: WORST }, { would });
    made.show(quote(PERP, [99_989, 99_990]));
    made.at(0);
    expect(pricesOf(made)).toEqual(['100000']);
  });

  test.each(['market', 'sweep', 'extend'] as const)(
    'the end action %s respects worst',
    (endAction) => {
      const limit: PricingForm = { priceType: 'limit', price: price('99000'), priceIn: 'USD' };
      const extendMs = endAction === 'extend' ? { extendMs: 30_000 } : {};
      const asked = { endAction, ...extendMs };
      const made = work({ ...limit, worst: WORST }, asked);
      made.fills = () => 0;
      made.show(quote(PERP, [100_049, 100_050]));
      made.until(200_000);
      expect(made.isOver).toBe(true);
      expect([...new Set(pricesOf(made))]).toEqual(['99000']);
    },
  );
});

describe('the worst price as a field', () => {
  test('worst is refused at zero or below, and together with a Block RFQ', () => {
    expect(() => work({ ...MARKET, worst: price('0') })).toThrow(
      /priceOptions\.worst.*0 is not positive; accepted: a price above 0 in USD/,
    );
    const rfq = { endAction: 'rfq' as const, rfq: { limitBps: 10 } };
    const legs = [legForm({ priceOptions: { ...MARKET, worst: WORST } })];
    const asked = form({ legs, execution: rfq });
    expect(() => new CoreDesk(asked, [PERP], undefined, { hasBlockRfqs: true })).toThrow(
      /priceOptions\.worst.*rfq\.limitPrice or rfq\.limitBps/,
    );
  });

  test('worst survives storage, and a record without it has none', () => {
    const { spec } = work({ ...DYNAMIC, worst: WORST }).desk.state;
    const stored = JSON.parse(JSON.stringify(specToRecord(spec)));
    expect(stored.legs[0].pricing.worst).toBe('100000');
    expect(specFromRecord(stored)).toEqual(spec);
    const { worst: _, ...before } = stored.legs[0].pricing;
    const old = { ...stored, legs: [{ ...stored.legs[0], pricing: before }] };
    expect(specFromRecord(old).legs[0]?.pricing.worst).toBeUndefined();
  });

  test('an amendment of the price options changes worst, and children resting beyond it are cancelled', () => {
    const made = work({ ...DYNAMIC, dynamicPriceStrategy: 'bid' });
    made.fills = () => 0;
    made.show(quote(PERP, [100_030, 100_050]));
    made.until(2_000);
    expect(pricesOf(made)).toEqual(['100030']);
    const { state, settings } = made.desk;
    const context = made.desk.rules(later(NOON, 2_000));
    const priceOptions = { ...DYNAMIC, dynamicPriceStrategy: 'bid' as const, worst: WORST };
    const asked = admitAmend({ legs: [{ leg: 0, priceOptions }] }, state, context);
    if (asked.kind === 'refused') throw new Error(JSON.stringify(asked.rejections));
    made.apply({ kind: 'amend', by: '7', terms: asked.terms });
    made.until(2_000 + 3 * settings.retryMs);
    expect(pricesOf(made)).toEqual(['100030', '100000']);
    const kept = admitAmend(
      { legs: [{ leg: 0, quantity: quantity('70'), filledSeen: quantity('0') }] },
      made.desk.state,
      context,
    );
    expect(kept).toMatchObject({ kind: 'admitted' });
  });
});
