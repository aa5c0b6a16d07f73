// Amendments of portfolios that are at work: what is accepted ends filled at a market that takes everything, in orders of at
// most the cap; what is refused would need an order above it, or no slice would be left.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import { judgeAmendment } from '../../../src/core/portfolio/judge-amendment.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { money, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const SHOWN = quote(PERP, [99_990, 100_010]);
const CAP: Settings = { ...SETTINGS, orderUsdMax: money('1000000') };
const LOT = 10;
const FREQUENCY_SEC = 60;

const cases = fc.record({
  lots: fc.integer({ min: 100, max: 900_000 }),
  slices: fc.integer({ min: 2, max: 20 }),
  atSec: fc.integer({ min: 1, max: 1_300 }),
  /** Share of each order that fills. */
  fills: fc.constantFrom(0, 0.5, 1),
  pausesFirst: fc.boolean(),
  toLots: fc.option(fc.integer({ min: 1, max: 1_800_000 }), { nil: undefined }),
  toSec: fc.option(fc.constantFrom(60, 90, 240, 600, 1_199, 1_800, 3_600), { nil: undefined }),
});

test('an amendment of a running portfolio is accepted if what is left fits into the orders that are left', () => {
  const counts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(cases, ({ lots, slices, atSec, fills, pausesFirst, toLots, toSec }) => {
      fc.pre(lots / slices <= 100_000 && atSec < slices * FREQUENCY_SEC);
      const made = new CoreWork(
        form({
          twapTrade: { durationSec: slices * FREQUENCY_SEC, frequencySec: FREQUENCY_SEC },
          legs: [legForm({ quantity: quantity(String(LOT * lots)) })],
          execution: { endAction: 'market', maxCatchUp: 50 },
        }),
        [PERP],
        CAP,
        { orderUsdMax: CAP.orderUsdMax, quote: () => SHOWN },
      );
      made.show(SHOWN);
      made.fills = () => fills;
      made.at(0);
      if (pausesFirst) made.apply({ kind: 'pause', by: '7' });
      made.until(1_000 * atSec);
      if (pausesFirst) made.apply({ kind: 'resume', by: '7' });
      fc.pre(!made.isOver);
      const { state, settings, rules } = made.desk;
      const filled = state.legs[0]?.filled ?? quantity('0');
      const total = LOT * (toLots ?? lots);
      const asked: AmendForm = {
        durationSec: toSec,
        amendmentsSeen: 0,
        legs:
          toLots === undefined
            ? []
            : [{ leg: 0, quantity: quantity(String(total)), filledSeen: filled }],
      };
      fc.pre(toLots !== undefined || toSec !== undefined);
      const context = rules(later(NOON, 1_000 * atSec));
      const judged = judgeAmendment({ form: asked, state, by: '7', context, settings });
      const durationSec = toSec ?? slices * FREQUENCY_SEC;
      const rest = total - toNumber(filled);
      if (judged.kind === 'refused') {
        counts.refused += 1;
        // Slices a minute apart from now to the end; the one under way takes part of it or nothing.
        const left = Math.floor((durationSec - atSec) / FREQUENCY_SEC);
        const isTooMuch = rest / Math.max(1, left) > 1_000_000 - LOT;
        const isTooShort = durationSec <= atSec || durationSec < FREQUENCY_SEC;
        const isBelow = rest < LOT || total < 100;
        expect(isTooMuch || isTooShort || isBelow, JSON.stringify(judged.rejections)).toBe(true);
        return;
      }
      counts.accepted += 1;
      made.apply({ kind: 'amend', by: '7', terms: judged.terms });
      const before = made.placed.length;
      made.fills = () => 1;
      made.until(1_000 * Math.max(durationSec, atSec) + 120_000);
      for (const order of made.placed.slice(before)) {
        expect(toNumber(order.quantity)).toBeLessThanOrEqual(1_000_000);
      }
      expect(made.waits()).not.toContain('risk_limit');
      expect(made.desk.state.status).toBe('filled');
      expect(text(made.desk.state.legs[0]?.filled ?? filled)).toBe(
        String(Math.max(total, toNumber(filled))),
      );
    }),
    { numRuns: 200 },
  );
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20);
});
