// What a plan says of a leg that is a combo: its cost as an amount, fee and margin as far as the venue says them.
import { describe, expect, test } from 'vitest';
import type { LegQuestion } from '../../../src/core/plan/leg-estimate.ts';
import { type Verdict, verdictOf } from '../../../src/core/plan/verdict.ts';
import { comboInstrument } from '../../../src/exchange/combos/combo-terms.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const future = perpetual({ name: instrumentName('BTC-27MAR26'), kind: 'future' });
const spread = comboInstrument('BTC-FS-27MAR26_PERP', [
  { of: future, ratio: 1 },
  { of: perpetual(), ratio: -1 },
]);
const NEEDS = { margin: money('0.03'), takerFee: money('0.0008'), makerFee: money('-0.0001') };
const TOTAL = quantity('1000');

/** Of a leg of one child, with half of its size offered at −40 and −20 each around a mid of −50. */
function verdict(change: Partial<LegQuestion>, limit?: string): Verdict {
  const pricing =
    limit === undefined
      ? ({ priceType: 'market' } as const)
      : ({ priceType: 'limit', price: price(limit), priceIn: 'USD' } as const);
  const leg = legForm({
    instrument: spread.name,
    instrumentType: 'future_combo',
    quantity: TOTAL,
    priceOptions: pricing,
  });
  const { spec } = new CoreDesk(form({ legs: [leg] }), [spread]).state;
  const half = quantity('500');
  const seen = quote(spread, [-60, -40]);
  return verdictOf({
    spec,
    startAt: spec.startAt,
    endAt: later(NOON, 60_000),
    dueAts: [NOON],
    available: new Map([[currency('BTC'), money('0.02')]]),
    legs: [
      {
        spec: must(spec.legs[0], 'a leg'),
        instrument: spread,
        sizes: [TOTAL],
        quote: { ...seen, seenAt: NOON },
        now: NOON,
        quoteAgeMaxMs: 10_000,
        levels: [
          { price: price('-40'), quantity: half },
          { price: price('-20'), quantity: half },
        ],
        ...change,
      },
    ],
  });
}

const estimateOf = ({ legs }: Verdict) => must(legs[0], 'an estimate');

describe('the estimate of a combo', () => {
  test('the cost against a negative mid is an amount in coin at the index, without basis points', () => {
    const { average, cost, costBps } = estimateOf(verdict({}));
    // 20 USD worse on average than −50, for 1 000 USD of each leg at 100 000.
    expect([average, cost].map((one) => one && text(one as never))).toEqual(['-30', '0.000002']);
    expect(costBps).toBeUndefined();
  });

  test('a resting part is charged as a maker and a taken one as a taker, by the share of each', () => {
    expect(text(estimateOf(verdict({ needs: NEEDS })).fee)).toBe('0.0008');
    const half = estimateOf(verdict({ needs: NEEDS }, '-40'));
    expect([text(half.resting), text(half.fee)]).toEqual(['500', '0.00035']);
  });

  test('the margin that the venue says is compared with what is available', () => {
    const { margin, findings } = verdict({ needs: NEEDS });
    expect(margin).toMatchObject([{ currency: 'BTC', needed: NEEDS.margin }]);
    expect(findings.filter(({ about }) => about === 'margin')).toMatchObject([{ kind: 'fault' }]);
  });

  test('a venue that does not say it gets a note, and neither fee nor margin is estimated', () => {
    const { margin, findings, legs } = verdict({});
    expect(margin).toEqual([]);
    expect(text(must(legs[0], 'an estimate').fee)).toBe('0');
    expect(findings.filter(({ about }) => about === 'margin')).toMatchObject([
      { kind: 'note', leg: 0, message: expect.stringContaining('the venue does not say them') },
    ]);
  });
});
