// Tests the exact instant, amount or price at which the bounds of a portfolio's decisions start to apply.
import { describe, expect, test } from 'vitest';
import { admit } from '../../../src/core/portfolio/admission/admit.ts';
import type { CurrentSlice } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { specAfter } from '../../../src/core/portfolio/hedge-totals.ts';
import { judgeAmendment } from '../../../src/core/portfolio/judge-amendment.ts';
import { decidableAt } from '../../../src/core/portfolio/slices/reconcile-child.ts';
import { guardAt } from '../../../src/core/portfolio/slices/slice-times.ts';
import type { AmendTerms } from '../../../src/core/terms/amend-terms.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { scaledSpec } from '../../../src/core/terms/mirror-scale.ts';
import { price, quantity, ratio, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { BY, form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote, spot } from '../../support/engine/markets.ts';

const PERP = perpetual();
const CALL = option();
const NARROW = quote(PERP, [99_999, 100_001]);
const NARROWER = { limits: { spreadMaxBps: 50 }, lifted: [] };
const TWAP = { durationSec: 60, frequencySec: 10 };

function work(total: string, execution: PortfolioForm['execution'] = {}): CoreWork {
  const leg = legForm({ quantity: quantity(total) });
  const made = new CoreWork(form({ legs: [leg], twapTrade: TWAP, execution }), [PERP]);
  made.show(NARROW);
  return made;
}

describe('an amendment', () => {
  /** The first slice is filled, the second waits for a quote. */
  const underWay = (total: string): CoreWork => {
    const made = work(total);
    made.until(9_000);
    made.desk.quotes.delete(PERP.name);
    made.until(12_000);
    return made;
  };

  test('a total below what the current slice still has to place leaves that slice only the remainder', () => {
    const made = underWay('120');
    const change = { index: 0, quantity: quantity('30'), filledSeen: quantity('20') };
    made.apply({ kind: 'amend', by: '7', terms: { legs: [change] } });
    expect(made.events('amended')[0]?.replans).toEqual([
      { from: NOON + 20_000, slice: 2, done: '30' },
    ]);
  });

  test('an amendment that ends the current slice starts the new plan from the committed quantity', () => {
    const made = underWay('120');
    made.apply({ kind: 'amend', by: '7', terms: { durationMs: 17_000, legs: [] } });
    expect(made.events('amended')[0]?.replans).toEqual([
      { from: NOON + 12_000, slice: 2, done: '20' },
    ]);
  });

  const amended = (afterMs: number, durationMs: number) => {
    const desk = new CoreDesk(form({ legs: [legForm()], twapTrade: TWAP }), [PERP]);
    const terms = { durationMs, legs: [] };
    const now = later(NOON, afterMs);
    return desk.run({ kind: 'amend', by: '7', terms, now }).rejections.map(({ kind }) => kind);
  };

  test.each([
    [59_999, []],
    [60_000, ['not_active']],
  ])(
    'an amendment %i ms after the start of a one-minute portfolio is refused from its end on',
    (afterMs, expected) => {
      expect(amended(afterMs, 90_000)).toEqual(expected);
    },
  );

  test.each([
    [30_000, ['time_out_of_range']],
    [30_001, []],
  ])(
    'an amendment at 30000 ms to an end %i ms after the start must lie in the future',
    (durationMs, expected) => {
      expect(amended(30_000, durationMs)).toEqual(expected);
    },
  );

  test.each([
    [120, 'accepted'],
    [121, 'refused'],
  ])(
    'an amended end %i s after the start may not exceed an expiry at 120 s',
    (durationSec, expected) => {
      const expiring = { ...PERP, expiresAt: later(NOON, 120_000) };
      const { state, rules } = new CoreDesk(form({ legs: [legForm()], twapTrade: TWAP }), [
        expiring,
      ]);
      const context = rules(later(NOON, 30_000));
      const asked = {
        form: { durationSec, legs: [] },
        state,
        by: '7',
        context,
        settings: SETTINGS,
      };
      expect(judgeAmendment(asked).kind).toBe(expected);
    },
  );
});

describe('a second amendment', () => {
  const refused = ({ desk }: CoreWork, terms: AmendTerms) =>
    desk.peek({ kind: 'amend', by: '7', terms, now: later(NOON, 12_000) }).rejections;

  test('an amendment of a limit alone leaves the plan where the one before restarted it', () => {
    const made = work('120');
    made.until(12_000);
    const change = { index: 0, quantity: quantity('240'), filledSeen: quantity('40') };
    made.apply({ kind: 'amend', by: '7', terms: { legs: [change] } });
    made.until(23_000);
    made.apply({ kind: 'amend', by: '7', terms: { legs: [], limits: NARROWER } });
    const [first, second] = made.events('amended');
    expect(first?.replans).toEqual([{ from: NOON + 20_000, slice: 2, done: '40' }]);
    expect(second?.replans).toEqual(first?.replans);
    // Four slices of 50 for the 200 that were left.
    made.until(60_000);
    expect(made.placed.map(({ quantity: size }) => text(size))).toEqual([
      '20',
      '20',
      '50',
      '50',
      '50',
      '50',
    ]);
  });

  test('a share of the volume cannot be imposed once any leg has begun, though its hedge has not', () => {
    const hedge = legForm({ quantity: quantity('100'), hedge: true });
    const legs = [legForm({ quantity: quantity('600') }), hedge];
    const made = new CoreWork(form({ legs, twapTrade: TWAP }), [PERP]);
    const terms = { legs: [], limits: { limits: { participationMax: 0.1 }, lifted: [] } };
    expect(refused(made, terms)).toEqual([]);
    made.show(NARROW);
    made.fills = () => 0;
    made.at(0);
    expect(made.desk.state.legs.map(({ nextSlice }) => nextSlice)).toEqual([1, 0]);
    expect(refused(made, terms).map(({ field }) => field)).toEqual(['execution.participationMax']);
  });
});

describe('the total of a hedge of 100,000 USD per coin, of which 170 are filled', () => {
  const COIN = spot();
  const coin = (total: string) =>
    legForm({ instrument: COIN.name, instrumentType: 'spot', quantity: quantity(total) });
  test.each([
    ['0.0022', '220', '50 more can be ordered'],
    ['0.002', '170', '30 more are less than the smallest order'],
    ['0.001', '170', 'it is never less than what is filled'],
  ])('for %s coins it is %s: %s', (total, expected) => {
    const coarse = perpetual({ minAmount: quantity('50') });
    const hedge = legForm({ side: 'sell', quantity: quantity('1000'), hedge: true });
    const { state } = new CoreDesk(form({ legs: [coin('0.01'), hedge] }), [coarse, COIN]);
    const [other, own] = state.legs;
    const legs = [
      { ...must(other, 'a leg'), filled: quantity('0.0017') },
      { ...must(own, 'a hedge'), filled: quantity('170') },
    ];
    const terms = { legs: [{ index: 0, quantity: quantity(total) }] };
    const after = specAfter({ ...state, legs }, terms);
    expect(after?.legs.map((leg) => text(leg.quantity))).toEqual([total, expected]);
  });
});

test('an order of an extension is cancelled before its slice ends by the guard share, and not earlier', () => {
  const rests = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
  const leg = legForm({ quantity: quantity('60'), priceOptions: rests });
  const execution = { endAction: 'extend', extendMs: 60_000 } as const;
  const made = new CoreWork(form({ legs: [leg], twapTrade: TWAP, execution }), [PERP]);
  made.show(NARROW);
  made.fills = () => 0;
  const cancelled = () =>
    made.events('cancel_intended').filter(({ at }) => at > later(NOON, 60_000)).length;
  // Two percent of the ten seconds from the sixtieth on.
  made.until(69_799);
  expect([made.placed.at(-1)?.slice, cancelled()]).toEqual([6, 0]);
  made.until(69_800);
  expect(cancelled()).toBe(1);
});

describe('an instrument at its expiry', () => {
  const refusals = (leftMs: number): string[] => {
    const now = later(must(CALL.expiresAt, 'it expires'), -leftMs);
    const { rules } = new CoreDesk(form(), [PERP, CALL]);
    const leg = legForm({
      instrument: CALL.name,
      instrumentType: 'option',
      quantity: quantity('1'),
    });
    const outcome = admit(form({ legs: [leg] }), BY, rules(now));
    return outcome.kind === 'admitted' ? [] : outcome.rejections.map(({ message }) => message);
  };

  test("a leg is refused as expired at its expiry, and one millisecond before because of the portfolio's end", () => {
    expect(refusals(0)).toEqual([expect.stringContaining('expired')]);
    const [message] = refusals(1);
    expect(message).not.toContain('expired');
  });
});

describe('the final sweep', () => {
  test.each([
    { endCapBps: 3, bandBps: 10 },
    { endCapBps: 10, bandBps: 3 },
  ])('a sweep goes no further than the nearer of its cap and the band: %o', (caps) => {
    const made = work('60', { endAction: 'sweep', ...caps });
    made.fills = ({ atMs }) => (atMs < 60_000 ? 0 : 1);
    made.until(60_000);
    expect(text(must(made.placed.at(-1), 'it was swept').price)).toBe('100030');
  });
});

describe('a mirror', () => {
  test.each([
    ['with a share below the minimum gets the minimum amount', { minAmount: quantity('20') }, '20'],
    ['gets the minimum amount in whole lots', { minAmount: quantity('25') }, '30'],
    ['with a share above the minimum gets its share', { minAmount: quantity('10') }, '10'],
  ])('a mirror %s', (_what, change, expected) => {
    const { state } = new CoreDesk(form({ legs: [legForm()] }), [PERP]);
    const instruments = new Map([[PERP.name as string, perpetual(change)]]);
    const { legs } = scaledSpec(state.spec, ratio('0.015'), instruments);
    // 600 times 0.015 is 9, which is a lot of 10.
    expect(legs.map((leg) => text(leg.quantity))).toEqual([expected]);
  });
});

test('a late request is decidable after its deadline plus clock skew and read lag', () => {
  const settings = { ...SETTINGS, skewMs: 30, readLagMs: 700 };
  expect(decidableAt(NOON, settings)).toBe(later(NOON, 730));
});

test("resting children are cancelled before the slice's end by its guard share plus the arming time", () => {
  const slice = { dueAt: NOON, endsAt: later(NOON, 10_000) } as CurrentSlice;
  const settings = { ...SETTINGS, armMs: 40, guardShare: 0.02 };
  expect(guardAt({ ...settings, guardMaxMs: 1_000 }, slice)).toBe(later(NOON, 10_000 - 200 - 40));
  expect(guardAt({ ...settings, guardMaxMs: 150 }, slice)).toBe(later(NOON, 10_000 - 150 - 40));
});
