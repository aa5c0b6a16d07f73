// Reports on runs of the engine, against a second reckoning with floats from fills and recorded rows, and against worked
// examples.
import { describe, expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later, MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote, spot } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';

const PERP = perpetual();

type Fill = PortfolioEvent & { readonly kind: 'fill_booked' };

const fillsOf = async ({ ledger }: World, portfolio: PortfolioId): Promise<readonly Fill[]> =>
  ((await ledger.load(portfolio))?.events ?? []).filter((event) => event.kind === 'fill_booked');

/** A market that rises by 25 USD every 10 s, half a second before each slice after the first. */
async function risingRun(change: Parameters<typeof form>[0] = {}) {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  const show = (step: number): void =>
    one.venue.show(
      quote(PERP, [99_990 + step * 25, 100_000 + step * 25], {
        traded: quantity(String(1_000 * step)),
      }),
    );
  show(0);
  await one.engine.start();
  await one.run(20);
  const portfolio = await submitted(one, form(change));
  for (let step = 1; step <= 7; step += 1) {
    await one.run(9_500);
    show(step);
    await one.run(500);
  }
  await one.run(35 * MINUTE_MS);
  return { record, one, portfolio };
}

describe('a buy of takers in a rising market', () => {
  test('its shortfall, slippage and markouts are those of a second reckoning', async () => {
    const { record, one, portfolio } = await risingRun();
    const report = await reported(one, record, portfolio);
    const leg = must(report.legs[0], 'one leg');
    const fills = await fillsOf(one, portfolio);
    const rows = await record.seconds({
      venue: one.venue.name,
      instrument: PERP.name,
      from: NOON,
      to: later(NOON, 40 * MINUTE_MS),
    });
    const mids = rows.map(({ at, market }) => ({
      at: at as number,
      mid:
        (toNumber(must(market.bid, 'a bid').price) + toNumber(must(market.ask, 'an ask').price)) /
        2,
    }));
    const midAt = (at: number): number | undefined =>
      mids.findLast((row) => row.at <= at && at - row.at <= 10_000)?.mid;
    expect(fills).toHaveLength(6);

    const coins = fills.reduce((sum, fill) => sum + Number(fill.quantity) / Number(fill.price), 0);
    const average = 600 / coins;
    expect(Number(leg.averagePrice)).toBeCloseTo(average, 5);
    expect(leg.slippage.arrivalBps).toBeCloseTo((average / 99_995 - 1) * 10_000, 3);
    expect(Number(leg.shortfall?.total)).toBeCloseTo(
      600 / 99_995 - coins + fills.reduce((sum, fill) => sum + Number(fill.fee), 0),
      12,
    );
    expect(leg.shortfall?.currency).toBe('BTC');

    // Every fill takes 5 USD above the mid, which the market had before it.
    expect(leg.spread.ratio).toBe(1);
    expect(leg.spread.fillsWithLateMid).toBe(0);
    for (const horizon of [1_000, 10_000, 60_000, 300_000]) {
      const name = { 1000: '1s', 10000: '10s', 60000: '1m', 300000: '5m' }[horizon];
      const costs = fills.map(
        (fill) => Number(fill.price) - must(midAt(fill.tradedAt + horizon), 'a mid'),
      );
      const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
      const found = leg.markouts.find((each) => each.horizon === name);
      expect(found?.perUnit).toBeCloseTo(mean, 6);
      expect([found?.fills, found?.missing]).toEqual([6, 0]);
      // Fills of one size: the standard deviation over √n, in basis points of the mid before each.
      const shares = costs.map((cost, index) => cost / (Number(fills[index]?.price) - 5));
      const middle = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      const squares = shares.reduce((sum, share) => sum + (share - middle) ** 2, 0);
      expect(found?.standardError).toBeCloseTo(Math.sqrt(squares / 5 / 6) * 10_000, 3);
    }
    expect(leg.liquidity).toMatchObject({ makerShare: 0, takerShare: 1 });
    expect(report.isProvisional).toBe(false);
    expect(report.slices.every(({ isSent }) => isSent)).toBe(true);
  });

  test('each slice has the average of its fills, and what that cost against the mid when it was decided', async () => {
    const { record, one, portfolio } = await risingRun();
    const { slices } = await reported(one, record, portfolio);
    const fills = await fillsOf(one, portfolio);
    expect(slices).toHaveLength(6);
    for (const [index, { average, costBps, mid }] of slices.entries()) {
      // Each slice has one fill.
      const paid = Number(fills[index]?.price);
      expect(Number(average)).toBe(paid);
      expect(Number(mid)).toBe(99_995 + index * 25);
      expect(costBps).toBeCloseTo((paid / (99_995 + index * 25) - 1) * 10_000, 3);
    }
  });

  test('the parts of its shortfall add up to the whole as they are written', async () => {
    const { record, one, portfolio } = await risingRun();
    const { shortfall } = must((await reported(one, record, portfolio)).legs[0], 'one leg');
    const { total, delay, market, schedule, spread, unsplit, residual, fees } = must(
      shortfall,
      'a shortfall',
    );
    // In units of 10^-30, so that no digit is lost.
    const units = (text: string): bigint => {
      const [whole = '', part = ''] = text.replace('-', '').split('.');
      const size = BigInt(whole + part.padEnd(30, '0'));
      return text.startsWith('-') ? -size : size;
    };
    const sum = [delay, market, schedule, spread, unsplit, residual, fees]
      .map(units)
      .reduce((a, b) => a + b);
    expect(sum).toBe(units(total));
    expect(Number(market)).toBeGreaterThan(0);
    expect(Number(spread)).toBeGreaterThan(0);
  });

  test('participation counts what everybody traded from the start to the end', async () => {
    const { record, one, portfolio } = await risingRun();
    const leg = must((await reported(one, record, portfolio)).legs[0], 'one leg');
    expect(leg.volume).toBe('5000');
    expect(leg.participation).toBeCloseTo(600 / 5_000, 9);
  });
});

test('A portfolio that is filled within its first second has its own fill in the volume, and a share of it below one.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  const show = (traded: string): void =>
    one.venue.show(quote(PERP, [99_990, 100_000], { traded: quantity(traded) }));
  show('5000');
  await one.engine.start();
  await one.run(20);
  const portfolio = await submitted(
    one,
    form({
      legs: [legForm({ quantity: quantity('100') })],
      twapTrade: { durationSec: 60, frequencySec: 60 },
    }),
  );
  // The venue counts the fill, and what another client trades.
  await one.run(100);
  show('5125');
  await one.run(70_000);
  const report = await reported(one, record, portfolio);
  const leg = must(report.legs[0], 'one leg');
  expect(report.fills).toHaveLength(1);
  expect(leg.volume).toBe('125');
  expect(leg.participation).toBeCloseTo(0.8, 9);
});

test('Where less volume was counted than was filled the share is not known, and a note says so.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(PERP, [99_990, 100_000], { traded: quantity('5000') }));
  await one.engine.start();
  const portfolio = await submitted(one, form());
  await one.run(30_000);
  one.venue.show(quote(PERP, [99_990, 100_000], { traded: quantity('5050') }));
  await one.run(40_000);
  const report = await reported(one, record, portfolio);
  expect(report.legs[0]).toMatchObject({ volume: '50', participation: null, filled: '600' });
  expect(report.notes.join()).toContain('less volume of BTC-PERPETUAL was counted than was filled');
});

test.each([
  ['buy', 0.000_4],
  ['sell', 0.000_4],
  ['buy', -0.000_1],
] as const)(
  'A perpetual that was built by a %s pays the recorded rate of %d on the mark of each moment, as a second reckoning does.',
  async (side, fundingRate) => {
    const record = new MemoryCostRecord();
    const one = world({ costRecord: record });
    const show = (step: number): void => {
      const mark = quote(PERP, [100_000 + step * 40, 100_000 + step * 40]).bid?.price;
      const index = quote(PERP, [100_000, 100_000]).bid?.price;
      const at: [number, number] = [99_990 + step * 40, 100_000 + step * 40];
      // For a while no rate is known.
      one.venue.show(quote(PERP, at, { mark, index, ...(step !== 3 && { fundingRate }) }));
    };
    show(0);
    await one.engine.start();
    const portfolio = await submitted(one, form({ legs: [legForm({ side })] }));
    for (let step = 1; step <= 7; step += 1) {
      await one.run(10_000);
      show(step);
    }
    await one.run(35 * MINUTE_MS);
    const report = await reported(one, record, portfolio);
    const leg = must(report.legs[0], 'one leg');
    const fills = await fillsOf(one, portfolio);
    const end = Date.parse(must(report.over, 'an end'));
    const seconds = await record.seconds({
      venue: one.venue.name,
      instrument: PERP.name,
      from: NOON,
      to: later(NOON, 40 * MINUTE_MS),
    });
    const moments = await record.moments(portfolio);
    const rows = [...seconds, ...moments].sort((a, b) => a.at - b.at);
    // Millisecond by millisecond, in coin.
    const traded = fills.toSorted((a, b) => a.tradedAt - b.tradedAt);
    let market: (typeof rows)[number]['market'] | undefined;
    let [paid, held, known, contracts] = [0, 0, 0, 0];
    for (let at = Number(must(traded[0], 'a fill').tradedAt); at < end; at += 1) {
      while ((traded[0]?.tradedAt ?? end) <= at) contracts += Number(traded.shift()?.quantity);
      while ((rows[0]?.at ?? end) <= at) market = rows.shift()?.market;
      held += 1;
      if (market?.fundingRate === undefined) continue;
      known += 1;
      paid += ((contracts / Number(market.mark)) * market.fundingRate) / (8 * 3_600_000);
    }
    const funding = must(leg.funding, 'funding');
    expect(funding.currency).toBe('BTC');
    expect(funding.coverage).toBeCloseTo(known / held, 3);
    expect(funding.coverage).toBeLessThan(1);
    expect(Math.sign(funding.paid)).toBe(Math.sign(fundingRate) * (side === 'buy' ? 1 : -1));
    expect(Math.abs(funding.paid)).toBeCloseTo(Math.abs(paid), 11);
    expect(funding.usd).toBeCloseTo(funding.paid * 100_000, 5);
  },
);

test('Without a recorded rate funding is not attributed, and the report says so.', async () => {
  const { record, one, portfolio } = await risingRun();
  const report = await reported(one, record, portfolio);
  expect(report.legs[0]?.funding).toBeNull();
  expect(report.notes).toContain('funding is not attributed where no rate was recorded');
});

test('what was filled after a group of market-maker protection had reached its limit is in the notes, as a number', async () => {
  const { record, one, portfolio } = await risingRun();
  const events = (await one.ledger.load(portfolio))?.events ?? [];
  const orders = new Map(
    events.flatMap((event) =>
      event.kind === 'child_live' ? [[event.label, event.orderId] as const] : [],
    ),
  );
  const fills = events.filter((event) => event.kind === 'fill_booked');
  const nameOf = (nth: number): string => {
    const fill = must(fills[nth], 'a fill');
    return `BTC/${fill.tradeId}/${orders.get(fill.label)}`;
  };
  const exceeded = [
    { tradeId: nameOf(1), quantity: '0.001' },
    { tradeId: nameOf(3), quantity: '0.00025' },
    { tradeId: 'BTC/of another portfolio/7', quantity: '5' },
  ];
  const noted = 'market-maker protection: 0.00125 coins of BTC-PERPETUAL were filled in 2 trades';
  expect((await reported(one, record, portfolio, exceeded)).notes.join('\n')).toContain(noted);
  const others = exceeded.slice(2);
  const notes = (await reported(one, record, portfolio, others)).notes.join('\n');
  expect(notes).not.toContain('market-maker protection');
});

test('A report made before the last markout is over says that it is provisional, and counts what is missing.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(PERP, [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form());
  await one.run(2 * MINUTE_MS);
  const report = await reported(one, record, portfolio);
  expect(report.isProvisional).toBe(true);
  const leg = must(report.legs[0], 'one leg');
  expect(leg.markouts.map(({ horizon }) => horizon)).not.toContain('30m');
  expect(leg.markouts.find(({ horizon }) => horizon === '10s')?.missing).toBe(0);
});

test('While a portfolio is at work its fills are compared with the line as far as it has come.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(PERP, [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form());
  // Three of the six slices, each filled at once and so ahead of the line by its share.
  await one.run(29_000);
  const leg = must((await reported(one, record, portfolio)).legs[0], 'one leg');
  expect(leg.filled).toBe('300');
  expect(leg.schedule?.greatest).toBeGreaterThan(0);
  expect(leg.schedule?.greatest).toBeLessThan(0.18);
  expect(leg.schedule?.mean).toBeLessThan(0.1);
});

test('Without a record of the market a report has fills, fees and slices, and says what is missing.', async () => {
  const { one, portfolio } = await risingRun();
  const report = await reported(one, new MemoryCostRecord(), portfolio);
  const leg = must(report.legs[0], 'one leg');
  expect(leg).toMatchObject({ filled: '600', shortfall: null, participation: null, markouts: [] });
  expect(leg.shortfallMissing).toContain('no mid was recorded');
  expect(leg.spread.fillsWithoutMid).toBe(6);
  expect(report.notes).toContain('nothing was recorded of the market of BTC-PERPETUAL');
});

test('Slices that could not be sent are listed with their reason, and what was left costs its distance to the last mid.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(PERP, [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form({ execution: { endAction: 'cancel' } }));
  await one.run(5_000);
  one.venue.show(quote(PERP, [100_990, undefined]));
  await one.run(50_000);
  one.venue.show(quote(PERP, [100_990, 101_000]));
  await one.run(4_500);
  one.venue.show(quote(PERP, [100_990, undefined]));
  await one.run(2_000);
  const report = await reported(one, record, portfolio);
  const unsent = report.slices.filter(({ isSent }) => !isSent);
  expect(unsent.length).toBeGreaterThan(2);
  for (const { reasons } of unsent) expect(reasons.length).toBeGreaterThan(0);
  expect(unsent.flatMap(({ reasons }) => reasons)).toContain('no_reference');
});

test('An option is measured in USD, basis points of its underlying and volatility points.', async () => {
  const record = new MemoryCostRecord();
  const call = option({
    tickSize: perpetual().tickSize.div(5_000) as typeof PERP.tickSize,
    tickSteps: [],
  });
  const one = world({ costRecord: record, instruments: [call] });
  const greeks = { delta: 0.5, gamma: 0.000_01, vega: 85, theta: -30, rho: 0 };
  one.venue.show(
    quote(call, [0.0135, 0.0145], { greeks, underlying: quote(PERP, [90_500, 90_500]).mark }),
  );
  await one.engine.start();
  const legs = [
    legForm({ instrument: call.name, instrumentType: 'option', quantity: quantity('6') }),
  ];
  const portfolio = await submitted(one, form({ legs }));
  await one.run(2 * MINUTE_MS);
  const leg = must((await reported(one, record, portfolio)).legs[0], 'one leg');
  expect(leg.averagePrice).toBe('0.0145');
  const against = must(
    leg.option.find(({ reference }) => reference === 'mid'),
    'the mid',
  );
  expect(against.bpsOfPremium).toBeCloseTo(357.142_857, 4);
  expect(against.bpsOfUnderlying).toBeCloseTo(5, 9);
  expect(against.usd / 6).toBeCloseTo(45.25, 9);
  expect(against.volPoints).toBeCloseTo(45.25 / 85, 9);
  // The whole of it besides the fees, as the market did not move: half a spread of 0.001 on each coin.
  const whole = must(leg.shortfall, 'a shortfall');
  expect(whole.rate).toBe('90500');
  expect(whole.underlyingBps).toBeCloseTo(5 + (Number(whole.fees) / 6) * 10_000, 3);
  for (const { bps, standardError } of leg.markouts) {
    expect(bps).toBeCloseTo(5, 9);
    expect(standardError).toBeCloseTo(0, 9);
  }
});

test('The volatilities of an option are those at which Black-76 gives its prices.', async () => {
  const record = new MemoryCostRecord();
  const call = option();
  const one = world({ costRecord: record, instruments: [call] });
  const [forward, strike] = [90_500, 100_000];
  const years = (Number(call.expiresAt) - NOON) / (365 * 86_400_000);
  const sd = 0.6 * Math.sqrt(years);
  const d1 = Math.log(forward / strike) / sd + sd / 2;
  // Premium in coin at 60 % by the textbook formula, rounded to the tick above, as the ask.
  const fair = cumulative(d1) - (strike / forward) * cumulative(d1 - sd);
  const ask = Math.ceil(fair / 0.0005) * 0.0005;
  const greeks = { delta: 0.3, gamma: 0.000_01, vega: 85, theta: -30, rho: 0 };
  const underlying = quote(PERP, [forward, forward]).mark;
  one.venue.show(quote(call, [ask - 0.001, ask], { greeks, underlying, markIv: 0.6 }));
  await one.engine.start();
  const legs = [
    legForm({ instrument: call.name, instrumentType: 'option', quantity: quantity('6') }),
  ];
  const portfolio = await submitted(one, form({ legs }));
  await one.run(2 * MINUTE_MS);
  const report = await reported(one, record, portfolio);
  const [seen] = must(report.legs[0], 'one leg').volatility;
  expect(seen?.mark).toBe(0.6);
  // By vega, which is USD for a point of volatility of one coin.
  const vega = (forward * Math.sqrt(years) * Math.exp(-(d1 ** 2) / 2)) / Math.sqrt(2 * Math.PI);
  const expected = 0.6 + ((ask - fair) * forward) / vega;
  expect(seen?.ask).toBeCloseTo(expected, 3);
  expect(seen?.bid).toBeLessThan(seen?.ask ?? 0);
  for (const { iv } of report.fills) expect(iv).toBeCloseTo(seen?.ask ?? 0, 4);
});

test('Two legs are compared by their filled shares, and their delta is that of what is held.', async () => {
  const record = new MemoryCostRecord();
  const coin = spot();
  const one = world({ costRecord: record, instruments: [PERP, coin] });
  one.venue.show(quote(PERP, [100_000, 100_000]));
  one.venue.show(quote(coin, [100_000, 100_000]));
  await one.engine.start();
  const legs = [
    legForm({ side: 'sell', quantity: quantity('60000') }),
    legForm({ instrument: coin.name, instrumentType: 'spot', quantity: quantity('0.6') }),
  ];
  const portfolio = await submitted(one, form({ legs }));
  await one.run(2 * MINUTE_MS);
  const { package: together } = await reported(one, record, portfolio);
  expect(together.imbalance?.greatest).toBeLessThanOrEqual(1 / 6 + 1e-6);
  expect(together.delta?.final).toBeCloseTo(0, 6);
  expect(Math.abs(together.delta?.greatest ?? 0)).toBeCloseTo(0.1, 6);
});

test('The shortfall of a package is that of its legs in USD, part by part, and its parts add up to it.', async () => {
  const record = new MemoryCostRecord();
  const coin = spot();
  const one = world({ costRecord: record, instruments: [PERP, coin] });
  const show = (step: number): void => {
    const at = 100_000 + 20 * step;
    one.venue.show(quote(PERP, [at - 5, at + 5], { index: quote(PERP, [at, at]).mark }));
    one.venue.show(quote(coin, [at - 10, at + 10]));
  };
  show(0);
  await one.engine.start();
  const legs = [
    legForm({ side: 'sell', quantity: quantity('60000') }),
    legForm({ instrument: coin.name, instrumentType: 'spot', quantity: quantity('0.6') }),
  ];
  const portfolio = await submitted(one, form({ legs }));
  for (let step = 1; step <= 8; step += 1) {
    await one.run(10_000);
    show(step);
  }
  const { legs: costs, package: together } = await reported(one, record, portfolio);
  const whole = must(together.shortfall, 'a shortfall');
  expect(Number(whole.total)).toBeCloseTo(together.usd ?? 0, 1);
  const parts = [whole.delay, whole.market, whole.schedule, whole.spread];
  const sum = [...parts, whole.unsplit, whole.residual, whole.fees].reduce(
    (total, part) => total + Number(part),
    0,
  );
  expect(sum).toBeCloseTo(Number(whole.total), 9);
  // Against arrival: the sale of USD contracts by what it was paid in coin, and the purchase of coins.
  const [sold, bought] = costs.map(({ averagePrice, benchmarks, filled }) => ({
    average: Number(averagePrice),
    arrival: Number(benchmarks.arrival),
    filled: Number(filled),
  }));
  const [a, b] = [must(sold, 'a sale'), must(bought, 'a purchase')];
  const inCoin = -a.filled * (1 / a.arrival - 1 / a.average);
  const expected = inCoin * a.arrival + b.filled * (b.average - b.arrival);
  expect(together.slippage.arrivalUsd).toBeCloseTo(expected, 1);
});

/** Of the standard normal distribution: Simpson's rule over its density. */
function cumulative(x: number): number {
  const steps = 2_000;
  const width = (x + 10) / steps;
  const density = (at: number): number => Math.exp(-(at ** 2) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(-10) + density(x);
  for (let n = 1; n < steps; n += 1) sum += (n % 2 === 0 ? 2 : 4) * density(-10 + n * width);
  return (sum * width) / 3;
}
