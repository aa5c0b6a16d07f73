// Portfolios share their subscriptions to a market.
import { expect, test } from 'vitest';
import type { PortfolioState } from '../../src/core/portfolio/aggregate/portfolio-state.ts';
import { MarketSubscriptions } from '../../src/engine/market-subscriptions.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { type InstrumentName, portfolioId } from '../../src/values/ids.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form, legForm, world } from '../support/engine/engine-world.ts';
import { perpetual, spot } from '../support/engine/markets.ts';

const PERP = perpetual().name;
const SPOT = spot().name;

/** Subscriptions that are open, counted for quotes and for price moves. */
function stage() {
  const open = new Map<string, number>();
  const count = (what: string) => {
    open.set(what, (open.get(what) ?? 0) + 1);
    return () => void open.set(what, (open.get(what) ?? 0) - 1);
  };
  const watch = (instrument: InstrumentName) => count(`quotes of ${instrument}`);
  const venue: Venue = Object.create(world().venue, { watch: { value: watch } });
  const markets = new MarketSubscriptions({
    venues: { forAccount: () => venue, all: () => [venue] },
    follow: (_venue, instrument) => count(`moves of ${instrument}`),
  });
  const of = (instrument: InstrumentName) => [
    open.get(`quotes of ${instrument}`) ?? 0,
    open.get(`moves of ${instrument}`) ?? 0,
  ];
  return { markets, of };
}

const { state } = new CoreDesk(form({ legs: [legForm(), legForm()] }), [perpetual()]);

function portfolio(id: string, instruments: readonly InstrumentName[]): PortfolioState {
  const [leg] = state.spec.legs;
  const legs = instruments.flatMap((instrument) =>
    leg === undefined ? [] : { ...leg, instrument },
  );
  return { ...state, id: portfolioId(id), spec: { ...state.spec, legs } };
}

const over = (one: PortfolioState): PortfolioState => ({ ...one, status: 'filled' });

test('Any number of portfolios on a market share one subscription, which ends with the last of them.', () => {
  const { markets, of } = stage();
  const all = Array.from({ length: 100 }, (_, id) => portfolio(`${id}`, [PERP]));
  for (const one of all) markets.need(one);
  expect(of(PERP)).toEqual([1, 1]);
  expect(markets.size).toBe(100);
  for (const one of all.slice(1)) markets.decided(over(one));
  expect(of(PERP)).toEqual([1, 1]);
  markets.decided(over(portfolio('0', [PERP])));
  expect(of(PERP)).toEqual([0, 0]);
  expect(markets.size).toBe(0);
});

test('A market is subscribed again after its last portfolio has ended.', () => {
  const { markets, of } = stage();
  for (const id of ['1', '2']) {
    markets.decided(portfolio(id, [PERP]));
    expect(of(PERP)).toEqual([1, 1]);
    markets.decided(over(portfolio(id, [PERP])));
    expect(of(PERP)).toEqual([0, 0]);
  }
});

test('The legs of a portfolio count one by one, and a repeated evaluation counts nothing.', () => {
  const { markets, of } = stage();
  const both = portfolio('1', [PERP, SPOT, PERP]);
  for (let times = 0; times < 3; times += 1) markets.decided(both);
  markets.decided(portfolio('2', [SPOT]));
  markets.decided(over(both));
  expect([of(PERP), of(SPOT)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  markets.stop();
  expect(of(SPOT)).toEqual([0, 0]);
});
