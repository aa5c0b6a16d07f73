// Details that totals do not show: where a plan restarts, for which slice a fill counts, when the end action ends,
// and who edited last.
import { describe, expect, test } from 'vitest';
import { begin, evolve } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const NARROW = quote(PERP, [99_999, 100_001]);

function work(total: string, execution: PortfolioForm['execution'] = {}): CoreWork {
  const leg = legForm({ quantity: quantity(total) });
  const twapTrade = { durationSec: 60, frequencySec: 10 };
  const made = new CoreWork(form({ legs: [leg], twapTrade, execution }), [PERP]);
  made.show(NARROW);
  return made;
}

describe('an amendment', () => {
  test('an amendment plans the remainder without what the current slice still has to place', () => {
    const made = work('60');
    made.until(9_000);
    made.desk.quotes.delete(PERP.name);
    made.until(12_000);
    // Ten are filled, the second slice waits with ten: eighty are left for four slices.
    const change = { index: 0, quantity: quantity('100'), filledSeen: quantity('10') };
    made.apply({ kind: 'amend', by: '7', terms: { legs: [change] } });
    expect(made.events('amended')[0]?.replans).toEqual([
      { from: NOON + 20_000, slice: 2, done: '20' },
    ]);
    made.show(NARROW);
    made.until(70_000);
    const planned = made.events('slice_started').map((one) => one.planned);
    expect(planned).toEqual(['10', '10', '20', '20', '20', '20']);
    expect(made.filled()).toBe('100');
  });
});

describe('a fill', () => {
  test('a fill of an earlier slice counts for the leg and not for the current slice', () => {
    const desk = new CoreDesk(
      form({
        legs: [legForm({ quantity: quantity('60') })],
        twapTrade: { durationSec: 60, frequencySec: 10 },
      }),
      [PERP],
    );
    desk.quotes.set(PERP.name, NARROW);
    desk.run({ kind: 'advance', now: NOON });
    const [label] = [...desk.state.children.keys()];
    desk.run({ kind: 'record_unknown', label: must(label, 'a child'), reason: 'lost', now: NOON });
    desk.run({ kind: 'advance', now: later(NOON, 10_000) });
    expect(desk.state.legs[0]?.current).toMatchObject({ slice: 1 });
    const after = evolve(desk.state, {
      kind: 'fill_booked',
      at: NOON + 10_500,
      label: must(label, 'a child'),
      tradeId: 't1',
      orderId: '1',
      quantity: '10',
      price: '100000',
      fee: '0',
      feeCurrency: 'BTC',
      liquidity: 'taker',
      tradedAt: NOON,
    });
    expect(text(must(after.legs[0], 'a leg').filled)).toBe('10');
    expect(text(must(after.legs[0]?.current, 'a slice').filled)).toBe('0');
  });
});

describe('the end action', () => {
  test('the end action ends one grace period after the time, however often it is checked meanwhile', () => {
    const made = work('60', { endAction: 'market' });
    made.fills = () => 0;
    const { endGraceMs } = SETTINGS;
    for (let ms = 0; ms <= 60_000 + endGraceMs; ms += 500) if (!made.isOver) made.at(ms);
    expect(made.isOver).toBe(true);
    const sweeps = made.events('slice_started').filter(({ slice }) => slice >= 6);
    expect(sweeps).toMatchObject([{ dueAt: NOON + 60_000, endsAt: NOON + 60_000 + endGraceMs }]);
    expect(made.events('cancelled')).toMatchObject([
      { reason: 'time_limit', at: NOON + 60_000 + endGraceMs },
    ]);
  });

  test('the end action runs if the end was noticed just in time, and not if it was noticed too late', () => {
    for (const [lateMs, sweeps] of [
      [SETTINGS.endLateMaxMs + 1, 0],
      [SETTINGS.endLateMaxMs, 1],
    ] as const) {
      const made = work('60', { endAction: 'market' });
      made.at(60_000 + lateMs);
      expect(made.placed.length, `noticed ${lateMs} ms late`).toBe(sweeps);
      expect(made.isOver).toBe(true);
    }
  });

  test('the end action keeps its own deadline if the end of the time was noticed late', () => {
    const made = work('60', { endAction: 'market' });
    made.fills = () => 0;
    made.at(60_000 + SETTINGS.endLateMaxMs);
    made.at(60_000 + SETTINGS.endLateMaxMs + 5_000);
    expect([made.isOver, made.placed.length]).toEqual([false, 2]);
    const late = work('60', { endAction: 'extend', extendMs: 15_000 });
    late.fills = () => 0;
    late.at(63_000);
    late.until(200_000);
    const ends = late.events('slice_started').map(({ endsAt }) => endsAt - NOON);
    expect(Math.max(...ends)).toBe(75_000);
  });

  test('extend runs slices at the interval until extendMs after the end', () => {
    const made = work('60', { endAction: 'extend', extendMs: 15_000 });
    made.fills = ({ slice }) => (slice < 6 ? 0 : 1);
    made.until(200_000);
    const extra = made.events('slice_started').filter(({ slice }) => slice >= 6);
    expect(extra.map(({ dueAt, endsAt }) => [dueAt - NOON, endsAt - NOON])).toEqual([
      [60_000, 70_000],
      [70_000, 75_000],
    ]);
    // None is larger than three even slices of ten.
    expect(extra.map((one) => one.quantity)).toEqual(['30', '30']);
  });
});

describe('the last editor', () => {
  test('the last editor is whichever user paused, resumed, amended or cancelled last', () => {
    const { events, state } = work('60').desk;
    const first = must(events[0], 'a submit');
    if (first.kind !== 'submitted') throw new Error(first.kind);
    let now = begin(state.id, first);
    const at = NOON;
    expect(now.lastEditedBy).toBe(state.spec.by.uid);
    now = evolve(now, { kind: 'paused', at, by: '11' });
    expect(now.lastEditedBy).toBe('11');
    expect(now.paused).toEqual({ by: '11', at });
    now = evolve(now, { kind: 'resumed', at, by: '12' });
    expect([now.lastEditedBy, now.paused]).toEqual(['12', undefined]);
    now = evolve(now, { kind: 'cancelling', at, by: '13', reason: 'user_request' });
    expect(now.lastEditedBy).toBe('13');
  });
});
