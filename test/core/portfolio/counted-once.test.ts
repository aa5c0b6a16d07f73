// Sums and counts of a leg over several fills, gaps and refusals: each is counted exactly once.
import { describe, expect, test } from 'vitest';
import { evolve } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const NARROW = quote(PERP, [99_999, 100_001]);
const asked = (execution: PortfolioForm['execution'] = {}): PortfolioForm =>
  form({
    legs: [legForm({ quantity: quantity('60') })],
    twapTrade: { durationSec: 60, frequencySec: 10 },
    execution,
  });

/** A child is in flight and nothing is known of it. */
function sent(execution: PortfolioForm['execution'] = {}) {
  const desk = new CoreDesk(asked(execution), [PERP]);
  desk.quotes.set(PERP.name, NARROW);
  desk.run({ kind: 'advance', now: NOON });
  const [label] = [...desk.state.children.keys()];
  return { desk, label: must(label, 'a child was intended') };
}

describe('fees', () => {
  test('fees are summed over all fills, by currency', () => {
    const { desk, label } = sent();
    let { state } = desk;
    for (const [index, [fee, feeCurrency]] of [
      ['0.1', 'BTC'],
      ['0.2', 'BTC'],
      ['-0.05', 'USDC'],
    ].entries()) {
      state = evolve(state, {
        kind: 'fill_booked',
        at: NOON,
        label,
        tradeId: `t${index}`,
        orderId: '1',
        quantity: '1',
        price: '100000',
        fee: must(fee, 'a fee'),
        feeCurrency: must(feeCurrency, 'a currency'),
        liquidity: 'taker',
        tradedAt: NOON,
      });
    }
    const { fees, filled } = must(state.legs[0], 'a leg');
    expect([...fees].map(([currency, amount]) => [currency, text(amount)])).toEqual([
      ['BTC', '0.3'],
      ['USDC', '-0.05'],
    ]);
    expect(text(filled)).toBe('3');
  });
});

describe('missed slices', () => {
  test('slices that were given up stay given up after another gap', () => {
    const made = new CoreWork(asked({ downtime: 'skip' }), [PERP]);
    made.show(NARROW);
    for (const ms of [0, 21_000, 52_000, 61_000]) made.at(ms);
    expect(made.events('slices_missed')).toMatchObject([
      { from: 1, to: 1, skipped: '10' },
      { from: 3, to: 4, skipped: '20' },
    ]);
    expect([made.filled(), made.isOver]).toEqual(['30', true]);
    expect(made.events('cancelled')[0]?.residual).toEqual(['30']);
  });

  test('missed slices are recorded once, however often the portfolio is checked meanwhile', () => {
    const { desk } = sent({ downtime: 'skip' });
    for (const ms of [60_000, 60_500, 61_000]) {
      desk.run({ kind: 'advance', now: later(NOON, ms) });
    }
    const missed = desk.events.filter(({ kind }) => kind === 'slices_missed');
    expect(missed).toMatchObject([{ from: 1, to: 5 }]);
  });
});

describe('a refusal of the venue', () => {
  test.each([
    [11_054, false, undefined],
    [10_009, true, undefined],
    [10_009, false, 1],
  ])(
    'a refusal with code %i and retry %s sets the consecutive refusals to %s',
    (code, retry, refusals) => {
      const { desk, label } = sent();
      desk.run({ kind: 'record_refusal', label, code, message: 'no', retry, now: NOON });
      expect(desk.state.legs[0]?.current?.refusals).toBe(refusals);
      expect(desk.state.children.size).toBe(0);
    },
  );
});

describe('the grace period of the end action', () => {
  test('the grace period starts at the end of the time, even if an outstanding child closes later', () => {
    const { desk, label } = sent({ endAction: 'market' });
    desk.run({ kind: 'advance', now: later(NOON, 60_000) });
    const refusal = { code: 10_009, message: 'no', retry: true };
    desk.run({ kind: 'record_refusal', label, ...refusal, now: later(NOON, 65_000) });
    const sweep = desk.events.findLast(({ kind }) => kind === 'slice_started');
    expect(sweep).toMatchObject({ slice: 6, dueAt: NOON + 65_000, endsAt: NOON + 70_000 });
  });
});
