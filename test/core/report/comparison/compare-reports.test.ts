// Reports compared slice by slice, against worked examples and a second reckoning from fills and recorded rows.
import { describe, expect, test } from 'vitest';
import { compareReports } from '../../../../src/core/report/comparison/compare-reports.ts';
import type {
  Comparison,
  PairedMeasure,
} from '../../../../src/core/report/comparison/comparison-shapes.ts';
import type { PortfolioReport, SliceShown } from '../../../../src/core/report/report-shapes.ts';
import { quantity, toNumber } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instant, MINUTE_MS } from '../../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../../src/virtual/memory/memory-cost-record.ts';
import { form, submitted, world } from '../../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../../support/engine/markets.ts';
import { reported } from '../../../support/engine/reported.ts';

const PERP = perpetual();

/** Six slices of 100 USD, each taking `spread` above the bid; the market rises by `step` USD before each. */
async function run(spread: number, step: number) {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  const show = (count: number): void => {
    const bid = 99_990 + count * step;
    one.venue.show(quote(PERP, [bid, bid + spread], { traded: quantity('1') }));
  };
  show(0);
  await one.engine.start();
  await one.run(20);
  const portfolio = await submitted(one, form());
  for (let count = 1; count <= 7; count += 1) {
    await one.run(9_500);
    show(count);
    await one.run(500);
  }
  await one.run(35 * MINUTE_MS);
  const report = await reported(one, record, portfolio);
  const rows = await record.seconds({
    venue: one.venue.name,
    instrument: PERP.name,
    from: NOON,
    to: instant(NOON + 40 * MINUTE_MS),
  });
  const { events } = must(await one.ledger.load(portfolio), 'it is stored');
  return { report, rows, events };
}

const compared = (...reports: readonly PortfolioReport[]): Comparison =>
  compareReports(reports.map((report, index) => ({ source: `file-${index}`, report })));

const figuresOf = ({ legs }: Comparison, measure: PairedMeasure, report = 0) =>
  must(
    legs[0]?.paired[report]?.figures.find((one) => one.measure === measure),
    `the measure ${measure}`,
  );

/** A report with the given slices instead of its own. */
const withSlices = (
  report: PortfolioReport,
  slices: readonly Partial<SliceShown>[],
): PortfolioReport => ({
  ...report,
  slices: slices.map((change) => ({ ...must(report.slices[0], 'a slice'), ...change })),
});

const due = (report: PortfolioReport, seconds: number): string =>
  new Date(Date.parse(report.start) + seconds * 1_000).toISOString();

describe('two runs', () => {
  test('their paired cost, price and error are those of a second reckoning from fills and recorded rows', async () => {
    const [first, other] = [await run(10, 25), await run(30, 35)];
    const comparison = compared(first.report, other.report);
    const slicesOf = ({ events, rows }: typeof first) =>
      events.flatMap((event) => {
        if (event.kind !== 'slice_started') return [];
        // The first slice comes before the first second is over.
        const row = must(rows.findLast(({ at }) => at <= event.at) ?? rows[0], 'a row');
        const bid = toNumber(must(row.market.bid, 'a bid').price);
        const mid = (bid + toNumber(must(row.market.ask, 'an ask').price)) / 2;
        const fill = events.find(
          (each) =>
            each.kind === 'fill_booked' && each.at >= event.at && each.at < event.at + 9_000,
        );
        const paid = fill?.kind === 'fill_booked' ? Number(fill.price) : Number.NaN;
        return [{ paid, cost: (paid / mid - 1) * 10_000 }];
      });
    const [a, b] = [slicesOf(first), slicesOf(other)];
    expect([a.length, b.length]).toEqual([6, 6]);
    const differences = a.map(({ cost }, index) => must(b[index], 'a slice').cost - cost);
    const mean = differences.reduce((sum, one) => sum + one, 0) / 6;
    const deviation = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 5);
    const cost = figuresOf(comparison, 'cost');
    expect(cost.pairs).toBe(6);
    expect(cost.difference).toBeCloseTo(mean, 3);
    expect(cost.standardError).toBeCloseTo(deviation / Math.sqrt(6), 3);
    expect(cost.first).toBeCloseTo(a.reduce((sum, one) => sum + one.cost, 0) / 6, 3);
    const dearer = a.map(({ paid }, index) => (must(b[index], 'a slice').paid / paid - 1) * 10_000);
    expect(figuresOf(comparison, 'price').difference).toBeCloseTo(
      dearer.reduce((sum, one) => sum + one, 0) / 6,
      4,
    );
    expect(figuresOf(comparison, 'maker')).toMatchObject({ first: 0, mean: 0, difference: 0 });
    expect(figuresOf(comparison, 'filled')).toMatchObject({ first: 1, mean: 1 });
  });

  test('a run does not differ from itself, and its own figures stand unchanged beside those of the other', async () => {
    const [first, other] = [await run(10, 25), await run(30, 35)];
    const comparison = compared(first.report, first.report, other.report);
    for (const { difference } of comparison.legs[0]?.paired[0]?.figures ?? []) {
      expect(difference).toBe(0);
    }
    const [a, b, c] = must(comparison.legs[0], 'a leg').whole;
    expect([a?.report, b?.report, c?.report]).toEqual(['A', 'B', 'C']);
    expect(a?.arrivalBps).toBe(first.report.legs[0]?.slippage.arrivalBps);
    expect(c?.arrivalBps).toBe(other.report.legs[0]?.slippage.arrivalBps);
    expect(figuresOf(comparison, 'cost', 1).difference).toBeGreaterThan(0);
  });
});

describe('known costs of slices', () => {
  test('differences of 1, 2 and 3 basis points have a mean of 2 and an error of the root of a third', async () => {
    const { report } = await run(10, 25);
    const costs = (values: readonly (number | null)[]) =>
      withSlices(
        report,
        values.map((costBps, slice) => ({ slice, due: due(report, slice * 10), costBps })),
      );
    const comparison = compared(costs([5, 5, 5, null]), costs([6, 7, 8, 9]));
    const cost = figuresOf(comparison, 'cost');
    expect(cost).toMatchObject({ pairs: 3, first: 5, mean: 7, difference: 2 });
    expect(cost.standardError).toBeCloseTo(Math.sqrt(1 / 3), 6);
    const single = figuresOf(compared(costs([5]), costs([6])), 'cost');
    expect(single).toMatchObject({ pairs: 1, difference: 1, standardError: null });
  });

  test('for a seller a lower price is dearer', async () => {
    const { report } = await run(10, 25);
    const selling = (average: string): PortfolioReport => ({
      ...withSlices(report, [{ slice: 0, due: due(report, 0), average }]),
      legs: report.legs.map((leg) => ({ ...leg, side: 'sell' as const })),
    });
    const price = figuresOf(compared(selling('100000'), selling('99990')), 'price');
    expect(price.difference).toBeCloseTo(1, 6);
  });
});

describe('pairing', () => {
  const planned = (report: PortfolioReport, everySec: number, count: number, shiftSec = 0) =>
    withSlices(
      report,
      Array.from({ length: count }, (_, slice) => ({
        slice,
        due: due(report, slice * everySec + shiftSec),
        costBps: slice * everySec + shiftSec,
      })),
    );

  test('slices of the same plan pair by number, however late the schedule began and however its instants vary', async () => {
    const { report } = await run(10, 25);
    const later = planned(report, 10, 6, 3);
    const dayLater = (iso: string): string => new Date(Date.parse(iso) + 86_400_000).toISOString();
    const tomorrow = {
      ...later,
      start: dayLater(later.start),
      slices: later.slices.map((one) => ({ ...one, due: dayLater(must(one.due, 'due')) })),
    };
    const paired = compared(planned(report, 10, 6), tomorrow).legs[0]?.paired[0];
    expect(paired).toMatchObject({ pairedBy: 'slice number', pairs: 6, unpaired: 0 });
  });

  test('slices of another interval pair where they are planned for the same instant, and the rest are counted', async () => {
    const { report } = await run(10, 25);
    const comparison = compared(planned(report, 10, 6), planned(report, 20, 3));
    expect(comparison.legs[0]?.paired[0]).toMatchObject({
      pairedBy: 'planned instant',
      pairs: 3,
      unpairedFirst: 3,
      unpaired: 0,
    });
    expect(figuresOf(comparison, 'cost').difference).toBe(0);
    expect(comparison.notes.join('\n')).toContain('3 of A and 0 of B have no partner');
  });

  test('a leg on the other side, or on another instrument, is named', async () => {
    const { report } = await run(10, 25);
    const [leg] = report.legs;
    const change = (of: Partial<typeof leg>): PortfolioReport => ({
      ...report,
      legs: [{ ...must(leg, 'a leg'), ...of }],
    });
    const opposite = compared(report, change({ side: 'sell' }));
    expect(opposite.legs[0]?.paired).toEqual([]);
    expect(opposite.notes.join('\n')).toContain('B (file-1) has no leg 1 on the same side');
    const elsewhere = compared(report, change({ instrument: 'ETH-PERPETUAL' }));
    expect(elsewhere.notes).toContain('leg 1 of B is ETH-PERPETUAL, that of A BTC-PERPETUAL');
    expect(elsewhere.legs[0]?.paired[0]?.pairs).toBe(6);
  });

  test('of options it says what the basis points are of', async () => {
    const { report } = await run(10, 25);
    const [leg] = report.legs;
    const options = { ...report, legs: [{ ...must(leg, 'a leg'), kind: 'option' as const }] };
    const of = (one: Comparison): string => one.notes.join('\n');
    expect(of(compared(options, options))).toMatch(/leg 1 is of options: .* points of the premium/);
    expect(of(compared(report, report))).not.toContain('premium');
  });
});
