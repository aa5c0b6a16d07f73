// The slice counts in a portfolio's record: planned, placed and missed, while it is active and after its end.
import { expect, test } from 'vitest';
import { evolve } from '../../../src/core/portfolio/aggregate/evolve.ts';
import { summarize } from '../../../src/core/portfolio/summary/summarize.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';
import { expectNewsOrder, newsOfAll } from '../../support/engine/news-order.ts';
import { expectSliceSums } from '../../support/engine/slice-sums.ts';

const PERP = perpetual();
const COIN = spot();
const LEG = legForm({ quantity: quantity('60') });
/** Six slices, ten seconds apart. */
const SIX = { durationSec: 60, frequencySec: 10 };

function work(change: Partial<PortfolioForm> = {}): CoreWork {
  const made = new CoreWork(form({ legs: [LEG], twapTrade: SIX, ...change }), [PERP, COIN]);
  made.show(quote(PERP, [99_999, 100_001]));
  made.show(quote(COIN, [99_999, 100_001]));
  return made;
}

const slicesOf = ({ desk }: CoreWork, leg = 0) => {
  expectSliceSums(desk.state, desk.events);
  expectNewsOrder(newsOfAll(desk));
  return summarize(desk.state).legs[leg]?.slices;
};

test('a slice that waited to its end without an order counts as missed once it has ended', () => {
  const made = work();
  made.at(0);
  made.desk.quotes.delete(PERP.name);
  made.until(15_000);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 1, missed: 0, next: 2 });
  made.until(25_000);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 1, missed: 1, next: 3 });
  made.show(quote(PERP, [99_999, 100_001]));
  made.until(70_000);
  expect(made.isOver).toBe(true);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 5, missed: 1, next: 6 });
});

test('a slice that sent an order which did not fill counts as placed', () => {
  const made = work({ execution: { maxCatchUp: 100 } });
  made.fills = ({ slice }) => (slice === 2 ? 0 : 1);
  made.until(70_000);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 6, missed: 0, next: 6 });
});

test('slices missed during downtime count as missed', () => {
  const made = work();
  made.at(0);
  made.at(45_000);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 2, missed: 3, next: 5 });
});

test('slices that a cancel kept from starting count as missed', () => {
  const made = work();
  made.until(15_000);
  made.desk.run({ kind: 'cancel', reason: 'user_request', by: '7', now: later(NOON, 16_000) });
  expect(made.isOver).toBe(true);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 2, missed: 4, next: 2 });
});

test('slices of a leg that filled ahead of time count as missed', () => {
  const would = [{ leg: 0, price: price('100001'), share: 1 }];
  const made = work({ execution: { would } });
  made.until(5_000);
  expect(made.isOver).toBe(true);
  expect(slicesOf(made)).toEqual({ planned: 6, placed: 1, missed: 5, next: 1 });
});

test('the slice of the end action does not count as planned', () => {
  const made = work({ execution: { endAction: 'market' } });
  made.fills = ({ slice }) => (slice < 6 ? 0 : 1);
  made.until(80_000);
  expect(made.filled()).toBe('60');
  expect(made.placed.at(-1)?.slice).toBe(6);
  expect(slicesOf(made)).toMatchObject({ planned: 6, placed: 6, missed: 0 });
});

test('an amendment that lengthens or shortens the plan preserves the sum', () => {
  for (const durationSec of [25, 120]) {
    const made = work();
    made.until(12_000);
    const terms = { durationMs: durationSec * 1_000, legs: [] };
    made.desk.run({ kind: 'amend', by: '7', terms, now: later(NOON, 12_000) });
    made.until(200_000);
    expect(made.isOver).toBe(true);
    expect(slicesOf(made)?.missed).toBe(0);
  }
});

test('a hedge leg, which has no plan, counts the slices that the other fills required', () => {
  const hedge = legForm({
    instrument: COIN.name,
    instrumentType: 'spot' as const,
    side: 'sell' as const,
    quantity: quantity('0.06'),
    hedge: true,
  });
  const made = work({ legs: [LEG, hedge] });
  made.until(15_000);
  expect(slicesOf(made, 1)).toMatchObject({ planned: 2, placed: 2, missed: 0 });
  made.until(70_000);
  expect(slicesOf(made, 1)).toMatchObject({ planned: 6, placed: 6, missed: 0 });
});

test('a mirror runs no slices of its own', () => {
  const made = work();
  const { state } = made.desk;
  const mirrorOf = portfolioId('1795176000000001');
  const mirror = { ...state, spec: { ...state.spec, mirrorOf } };
  const over = evolve(mirror, { kind: 'filled', at: NOON });
  expect(summarize(over).legs[0]?.slices).toEqual({ planned: 0, placed: 0, missed: 0, next: 0 });
});

test('a portfolio has started when its first slice starts, even if that slice cannot place yet', () => {
  const made = work();
  made.desk.quotes.delete(PERP.name);
  made.at(0);
  expect(made.desk.events.map(({ kind }) => kind)).toEqual([
    'submitted',
    'started',
    'slice_started',
    'slice_waiting',
  ]);
  expect(made.desk.state.status).toBe('active');
});

test('a portfolio stored as pending in its first slice by an older version starts with its next event', () => {
  const made = work();
  made.desk.quotes.delete(PERP.name);
  made.at(0);
  const old = made.desk.events.filter(({ kind }) => kind !== 'started');
  made.desk.events.splice(0, Infinity, ...old);
  made.desk.state = made.desk.replayed();
  expect(made.desk.state.status).toBe('pending');
  made.show(quote(PERP, [99_999, 100_001]));
  made.at(2_000);
  const kinds = made.desk.events.map(({ kind }) => kind);
  expect(kinds.slice(3, 5)).toEqual(['started', 'child_intended']);
});
