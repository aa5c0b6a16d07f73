// The venue moves an instrument to another grid of prices while a portfolio trades it: the first attempt afterwards is not
// sent, and every later order is on the new grid.
import { expect, test } from 'vitest';
import { price, text } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const COARSER: Instrument = { ...PERP, tickSize: price('2.5') };
/** 2.5 up to 50,000 and 5 above it. */
const STEPPED: Instrument = {
  ...COARSER,
  tickSteps: [{ above: price('50000'), tickSize: price('5') }],
};
const FOLLOWING = legForm({
  priceOptions: {
    priceType: 'dynamic',
    price: price('1'),
    priceIn: 'USD',
    dynamicPriceStrategy: 'bid',
    dynamicMs: 1_000,
  },
});
const TWAP = { durationSec: 60, frequencySec: 10 };

test.each([
  // The bid is 99,993.5: buys are rounded down to the grid, sells up.
  ['a coarser tick', COARSER, 'buy', '99992.5'],
  ['a coarser tick', COARSER, 'sell', '99995'],
  ['a step between two ticks', STEPPED, 'buy', '99990'],
  ['a step between two ticks', STEPPED, 'sell', '99995'],
] as const)('after %s orders are priced on it', async (_what, moved, side, expected) => {
  const w = world({});
  w.venue.show(quote(PERP, [99_993.5, 99_996]));
  await w.engine.start();
  const legs = [{ ...FOLLOWING, side }];
  await submitted(w, form({ twapTrade: TWAP, legs, execution: {} }));
  await w.run(500);
  w.venue.relist(moved);
  await w.run(40_000);
  const changes = w.observer.events.filter(({ kind }) => kind === 'ticks_changed');
  expect(changes).toMatchObject([{ instrument: PERP.name, tickSize: '2.5' }]);
  const prices = w.observer.events.flatMap((event) =>
    event.kind === 'child_live' ? [event.price] : [],
  );
  const after = prices.slice(1);
  expect(after.length).toBeGreaterThan(0);
  expect(new Set(after)).toEqual(new Set([expected]));
});

test('a portfolio whose instrument is listed as before records nothing', async () => {
  const w = world({});
  w.venue.show(quote(PERP, [99_993.5, 99_996]));
  await w.engine.start();
  await submitted(w, form({ twapTrade: TWAP, legs: [FOLLOWING], execution: {} }));
  w.venue.relist({ ...PERP, tickSize: price(text(PERP.tickSize)) });
  await w.run(70_000);
  expect(w.observer.events.some(({ kind }) => kind === 'ticks_changed')).toBe(false);
});
