import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { Slippage } from '../../../src/adapters/telemetry/observer/slippage.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { money, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { readScrape, sampleOf } from './scrape.ts';

async function stateOf(side: 'buy' | 'sell'): Promise<PortfolioState> {
  const w = world();
  const id = await submitted(w, form({ legs: [legForm({ side })] }));
  return must(fold(id, w.observer.events), 'submitted');
}

function following(middles: { at: number | undefined }) {
  const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
  // A second passes between any two readings.
  let nowMs = 0;
  const later = (): number => {
    nowMs += 1_000;
    return nowMs;
  };
  const slippage = new Slippage(metrics, () => middles.at, later);
  const bps = async (benchmark: string) => {
    const seen = readScrape(await metrics.registry.metrics());
    const of = (what: string) => sampleOf(seen, `twapd_slippage_bps_${what}`, { benchmark }) ?? 0;
    return { sum: of('sum'), count: of('count') };
  };
  return { slippage, bps };
}

/** Starts a slice of the first leg in the current market. */
const begin = (slippage: Slippage, state: PortfolioState, slice: number): void =>
  slippage.sliceStarted(state, { leg: 0, slice }, slippage.middle(state, 0));

describe('the cost of a slice', () => {
  it.each([
    ['buy', 10],
    ['sell', -10],
  ] as const)(
    'the cost is positive if a %s fills at a worse price than the arrival mid',
    async (side, cost) => {
      const state = await stateOf(side);
      const { slippage, bps } = following({ at: 100_000 });
      begin(slippage, state, 0);
      slippage.filled(state.id, { leg: 0, slice: 0, price: 100_100, quantity: 100 });
      slippage.sliceEnded(state.id, 0, 0);
      const { sum, count } = await bps('arrival');
      expect(count).toBe(1);
      expect(sum).toBeCloseTo(cost, 6);
    },
  );

  it('the cost is also measured against the mean mid price of the slice', async () => {
    const state = await stateOf('buy');
    const market = { at: 100_000 };
    const { slippage, bps } = following(market);
    begin(slippage, state, 0);
    market.at = 100_200;
    slippage.sample();
    slippage.filled(state.id, { leg: 0, slice: 0, price: 100_100, quantity: 100 });
    slippage.sliceEnded(state.id, 0, 0);
    expect((await bps('interval_twap')).sum).toBeCloseTo(0, 6);
    expect((await bps('arrival')).sum).toBeCloseTo(10, 6);
  });

  it('the arrival price of the portfolio is kept for later slices', async () => {
    const state = await stateOf('buy');
    const market = { at: 100_000 };
    const { slippage, bps } = following(market);
    begin(slippage, state, 0);
    slippage.sliceEnded(state.id, 0, 0);
    market.at = 101_000;
    begin(slippage, state, 1);
    slippage.filled(state.id, { leg: 0, slice: 1, price: 101_000, quantity: 100 });
    slippage.sliceEnded(state.id, 0, 1);
    expect((await bps('arrival')).sum).toBeCloseTo(100, 6);
    expect((await bps('interval_twap')).sum).toBeCloseTo(0, 6);
  });

  it('the cost is unknown for slices that started before, without a market, or without fills', async () => {
    const state = await stateOf('buy');
    const market: { at: number | undefined } = { at: 100_000 };
    const { slippage, bps } = following(market);
    begin(slippage, state, 3);
    slippage.filled(state.id, { leg: 0, slice: 3, price: 5, quantity: 100 });
    slippage.sliceEnded(state.id, 0, 3);
    market.at = undefined;
    begin(slippage, state, 0);
    slippage.filled(state.id, { leg: 0, slice: 0, price: 5, quantity: 100 });
    slippage.sliceEnded(state.id, 0, 0);
    market.at = 100_000;
    begin(slippage, state, 0);
    slippage.sliceEnded(state.id, 0, 0);
    expect((await bps('arrival')).count).toBe(0);
    expect(slippage.ofPortfolio(state)).toBeUndefined();
  });

  it('contracts sized in USD are averaged by their value in coin', async () => {
    const state = await stateOf('buy');
    const price = fc.integer({ min: 90_000, max: 110_000 });
    const fill = fc.record({ price, quantity: fc.integer({ min: 10, max: 1_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fill, { minLength: 1, maxLength: 5 }), async (fills) => {
        const { slippage, bps } = following({ at: 100_000 });
        begin(slippage, state, 0);
        for (const one of fills) slippage.filled(state.id, { leg: 0, slice: 0, ...one });
        slippage.sliceEnded(state.id, 0, 0);
        const usd = fills.reduce((sum, one) => sum + one.quantity, 0);
        const coin = fills.reduce((sum, one) => sum + one.quantity / one.price, 0);
        expect((await bps('arrival')).sum).toBeCloseTo((usd / coin / 100_000 - 1) * 10_000, 6);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the cost of a portfolio', () => {
  it('the cost of a portfolio covers all its fills, and is forgotten with it', async () => {
    const state = await stateOf('buy');
    const { slippage } = following({ at: 100_000 });
    begin(slippage, state, 0);
    const [leg] = state.legs;
    const filled = {
      ...state,
      legs: [{ ...must(leg, 'leg'), filled: quantity('1001'), value: money('0.01') }],
    };
    expect(slippage.ofPortfolio(filled)).toBeCloseTo(10, 6);
    slippage.forget(state.id);
    expect(slippage.ofPortfolio(filled)).toBeUndefined();
  });
});
