// What many portfolios cost: statistics against worked examples, sums against a second reckoning, and what is left out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortfolioReport } from '../../../../src/core/report/report-shapes.ts';
import { CostSummaries } from '../../../../src/core/report/summary/cost-summary.ts';
import { distributionOf, trendOf } from '../../../../src/core/report/summary/distribution.ts';
import { costSummaryPage } from '../../../../src/gateway/report/cost-summary-page.ts';
import { must } from '../../../../src/values/assert.ts';
import { MINUTE_MS } from '../../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../../src/virtual/memory/memory-cost-record.ts';
import { form, legForm, submitted, world } from '../../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../../support/engine/markets.ts';
import { reported } from '../../../support/engine/reported.ts';

const NONE = { active: 0, mirrors: 0, older: 0 };

async function runReport(): Promise<PortfolioReport> {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  const portfolio = await submitted(one, form({ legs: [legForm()] }));
  await one.run(40 * MINUTE_MS);
  return reported(one, record, portfolio);
}

interface Figures {
  readonly strategy?: string;
  readonly start?: string;
  readonly execution?: number | null;
  readonly usd?: number | null;
  readonly side?: 'buy' | 'sell';
}

/** A report with other figures in its only leg. */
function withFigures(report: PortfolioReport, figures: Figures): PortfolioReport {
  const leg = must(report.legs[0], 'a leg');
  const { execution = 1, usd = 0, side = 'buy', start = report.start, strategy = null } = figures;
  const whole = must(leg.shortfall, 'a shortfall');
  const shortfall = { ...whole, executionBps: execution, usd };
  return { ...report, start, strategy, legs: [{ ...leg, side, shortfall }] };
}

describe('the statistics', () => {
  test('quartiles of 1, 2, 3 and 4 lie a quarter, a half and three quarters of the way', () => {
    expect(distributionOf([4, 1, 3, 2])).toEqual({
      count: 4,
      mean: 2.5,
      standardError: 0.6455,
      least: 1,
      lowerQuartile: 1.75,
      median: 2.5,
      upperQuartile: 3.25,
      greatest: 4,
    });
    expect(distributionOf([])).toMatchObject({ count: 0, mean: null, median: null });
    expect(distributionOf([7])).toMatchObject({ mean: 7, median: 7, standardError: null });
  });

  test('the trend of three points is the slope of least squares with its error', () => {
    expect(
      trendOf([
        [0, 1],
        [1, 3],
        [2, 4],
      ]),
    ).toEqual({ slope: 1.5, standardError: 0.2887 });
    const still = [[1, 2] as const, [1, 3] as const, [1, 4] as const];
    expect(trendOf(still)).toEqual({ slope: null, standardError: null });
  });

  test('a distribution shifts and mirrors with its values, in any order', () => {
    const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2 });
    fc.assert(
      fc.property(values, fc.integer({ min: -50, max: 50 }), (of, by) => {
        const [plain, shifted] = [of, of.map((value) => value + by)].map(distributionOf);
        const mirrored = distributionOf(of.toReversed().map((value) => -value));
        expect(shifted?.median).toBeCloseTo((plain?.median ?? 0) + by, 3);
        expect(shifted?.standardError).toBeCloseTo(plain?.standardError ?? 0, 3);
        expect(mirrored.lowerQuartile).toBeCloseTo(-(plain?.upperQuartile ?? 0), 3);
        expect(mirrored.mean).toBeCloseTo(-(plain?.mean ?? 0), 3);
      }),
    );
  });
});

describe('a summary', () => {
  test('groups legs by strategy, side, hour and day, each with its mean and its sum in USD', async () => {
    const report = await runReport();
    const summaries = new CostSummaries();
    for (const figures of [
      { strategy: 'a', start: '2026-11-16T09:59:59.000Z', execution: 1, usd: 10 },
      { strategy: 'a', start: '2026-11-16T10:00:00.000Z', execution: 3, usd: 20 },
      { strategy: 'b', start: '2026-11-17T10:30:00.000Z', execution: 8, usd: -5, side: 'sell' },
      { strategy: 'b', start: '2026-11-22T23:59:00.000Z', execution: null, usd: null },
    ] as const) {
      summaries.add(withFigures(report, figures));
    }
    const { all, groups, portfolios } = summaries.summary(NONE);
    expect([portfolios, all.legs, all.usd, all.legsWithoutUsd]).toEqual([4, 4, 25, 1]);
    expect(all.execution).toMatchObject({ count: 3, mean: 4, median: 3 });
    const of = (by: string) =>
      groups
        .find((group) => group.by === by)
        ?.rows.map(({ name, legs, usd, execution }) => [name, legs, usd, execution.mean]);
    expect(of('strategy')).toEqual([
      ['a', 2, 30, 2],
      ['b', 2, -5, 8],
    ]);
    expect(of('side')).toEqual([
      ['buy', 3, 30, 2],
      ['sell', 1, -5, 8],
    ]);
    expect(of('hour')?.map(([name, legs]) => [name, legs])).toEqual([
      ['09', 1],
      ['10', 2],
      ['23', 1],
    ]);
    expect(of('day')?.map(([name]) => name)).toEqual(['2026-11-16', '2026-11-17', '2026-11-22']);
    expect(of('instrument')).toEqual([['BTC-PERPETUAL', 4, 25, 4]]);
  });

  test('weeks begin on Monday, and the trend is the change from one to the next', async () => {
    const report = await runReport();
    const summaries = new CostSummaries();
    // A Sunday, the Monday after it, and the two Mondays that follow.
    for (const [start, execution] of [
      ['2026-11-15T23:59:59.000Z', 0],
      ['2026-11-16T00:00:00.000Z', 2],
      ['2026-11-23T00:00:00.000Z', 4],
      ['2026-11-30T00:00:00.000Z', 6],
    ] as const) {
      summaries.add(withFigures(report, { start, execution }));
    }
    const { trend } = summaries.summary(NONE);
    expect(trend.weeks.map(({ name, legs }) => [name, legs])).toEqual([
      ['2026-11-09', 1],
      ['2026-11-16', 1],
      ['2026-11-23', 1],
      ['2026-11-30', 1],
    ]);
    // Over 0, 0, 1 and 2 weeks the deviations multiply to 7 and square to 2.75.
    expect(trend.bpsPerWeek).toBeCloseTo(7 / 2.75, 3);
  });

  test('hours of the week have the mean of their legs, and cost is set against participation and size', async () => {
    const report = await runReport();
    const leg = must(report.legs[0], 'a leg');
    const whole = must(leg.shortfall, 'a shortfall');
    const summaries = new CostSummaries();
    // A Sunday and a Monday; ten times the size costs two basis points more.
    for (const [start, orderUsd, executionBps] of [
      ['2026-11-22T23:30:00.000Z', 1_000, 1],
      ['2026-11-23T09:00:00.000Z', 10_000, 3],
      ['2026-11-30T09:59:59.000Z', 100_000, 5],
      ['2026-11-30T10:00:00.000Z', 0, null],
    ] as const) {
      const shortfall = { ...whole, orderUsd, executionBps };
      summaries.add({ ...report, start, legs: [{ ...leg, shortfall, participation: 0.1 }] });
    }
    const summary = summaries.summary(NONE);
    expect(summary.hours).toEqual([
      { weekday: 1, hour: 9, legs: 2, mean: 4 },
      { weekday: 7, hour: 23, legs: 1, mean: 1 },
    ]);
    expect(summary.against).toMatchObject([
      { by: 'participation', bpsPerTenfold: null },
      { by: 'orderUsd', bpsPerTenfold: 2, standardError: 0 },
    ]);
    expect(summary.against[1]?.points).toHaveLength(3);
    const page = costSummaryPage(summary);
    expect(page).toContain('dearest at 09:00 UTC on Mon: 4 basis points over 2 legs');
    expect(page).toContain('2 ± 0 basis points for each tenfold, over 3 legs');
    expect(page.match(/class="bar cell/g)).toHaveLength(2);
  });

  test('the ten legs that cost most in USD are named, the worst first', async () => {
    const report = await runReport();
    const summaries = new CostSummaries();
    for (const usd of [5, null, 12, 3, 9, 1, 8, 2, 11, 4, 10, 7, 6]) {
      summaries.add(withFigures(report, { usd }));
    }
    expect(summaries.summary(NONE).worst.map(({ usd }) => usd)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
  });

  test('portfolios without a record are counted and say so, and no figure comes from them', async () => {
    const report = await runReport();
    const bare = world();
    await bare.engine.start();
    const portfolio = await submitted(bare, form());
    await bare.run(40 * MINUTE_MS);
    const summaries = new CostSummaries();
    summaries.add(report);
    summaries.add(await reported(bare, new MemoryCostRecord(), portfolio));
    const { portfolios, leftOut, all, notes } = summaries.summary({
      active: 2,
      mirrors: 1,
      older: 7,
    });
    expect(portfolios).toBe(1);
    expect(all.legs).toBe(1);
    expect(leftOut).toEqual({ active: 2, withoutRecord: 1, mirrors: 1, older: 7 });
    expect(notes.filter((note) => note.startsWith('left out'))).toHaveLength(4);
  });
});
