// The report as text at narrow and wide terminals, and as CSV.
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { compareReports } from '../../../src/core/report/comparison/compare-reports.ts';
import { CostSummaries } from '../../../src/core/report/summary/cost-summary.ts';
import { comparisonPage } from '../../../src/gateway/report/comparison-page.ts';
import { costSummaryPage } from '../../../src/gateway/report/cost-summary-page.ts';
import { comparisonText } from '../../../src/main/commands/report/compare-text.ts';
import { reportCsv } from '../../../src/main/commands/report/report-csv.ts';
import { reportText } from '../../../src/main/commands/report/report-text.ts';
import { summaryCsv, summaryText } from '../../../src/main/commands/report/summary-text.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, legForm, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote, spot } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';

async function twoLegs() {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record, instruments: [perpetual(), spot()] });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  one.venue.show(quote(spot(), [99_990, 100_000]));
  await one.engine.start();
  const legs = [
    legForm(),
    legForm({
      instrument: spot().name,
      instrumentType: 'spot',
      side: 'sell',
      quantity: quantity('0.6'),
    }),
  ];
  const portfolio = await submitted(one, form({ legs, strategy: '=cmd()' }));
  await one.run(3 * MINUTE_MS);
  return reported(one, record, portfolio);
}

test.each([44, 80, 140])(
  'No line of the report is wider than %i columns, and every figure is there.',
  async (columns) => {
    const text = stripVTControlCharacters(reportText(await twoLegs(), columns));
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    for (const word of [
      'arrival',
      'shortfall',
      'residual',
      'effective',
      'fill rate',
      'markouts of leg 2',
      'imbalance',
      'positive is a cost',
    ]) {
      expect(text).toContain(word);
    }
    const isSideBySide = lines.some(
      (line) => line.includes('BTC-PERPETUAL') && line.includes('BTC_USDC'),
    );
    expect(isSideBySide).toBe(columns >= 80);
  },
);

test.each([80, 140])(
  'No line of a comparison is wider than %i columns, and the difference with its error is there.',
  async (columns) => {
    const report = await twoLegs();
    const comparison = compareReports([
      { source: '1795255591545000', report },
      { source: 'a-rather-long-folder-of-backtests/from-the-same-hours/costs.json', report },
      { source: 'again.json', report },
    ]);
    const text = stripVTControlCharacters(comparisonText(comparison, columns));
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    for (const word of ['arrival bp', 'shortfall bp', 'difference', '± error', 'leg 2: sell']) {
      expect(text).toContain(word);
    }
    expect(lines.filter((line) => /^C .*cost, bp/.test(line))).toHaveLength(2);
  },
);

test.each([80, 140])(
  'No line of what many portfolios cost is wider than %i columns, and groups, trend and worst legs are there.',
  async (columns) => {
    const summaries = new CostSummaries();
    const report = await twoLegs();
    summaries.add(report);
    summaries.add({ ...report, start: '2026-12-01T00:00:00.000Z', strategy: 'another' });
    const summary = summaries.summary({ active: 1, mirrors: 0, older: 3 });
    const text = stripVTControlCharacters(summaryText(summary, columns));
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    for (const word of [
      'by strategy',
      'by hour',
      'by week',
      'change a week',
      'worst legs',
      'older',
    ]) {
      expect(text).toContain(word);
    }
    const [head, ...rows] = summaryCsv(summary).trim().split('\n');
    expect(head).toContain('execution_bps_lower_quartile');
    // All; two strategies, instruments, sides, hours and days; one account; two weeks.
    expect(rows).toHaveLength(1 + 5 * 2 + 1 + 2);
    const page = costSummaryPage(summary);
    expect(page).not.toMatch(/<script|https?:|url\(|<link|<img|\sstyle=/i);
    expect(page).toContain('Worst legs');
  },
);

test('A comparison as a page loads and runs nothing, and names of files never become markup.', async () => {
  const report = await twoLegs();
  const hostile = `</style><script>alert(1)</script><svg onload="alert(1)">`;
  const page = comparisonPage(
    compareReports([
      { source: hostile, report: { ...report, strategy: hostile, status: hostile } },
      { source: 'b.json', report },
    ]),
  );
  expect(page).not.toMatch(/<script|<svg onload|https?:|url\(|<link|<img|\sstyle=/i);
  expect(page.match(/&lt;\/style&gt;&lt;script&gt;/g)?.length).toBeGreaterThan(2);
  expect(page.match(/<svg /g)).toHaveLength(2);
});

test('A table as CSV has one row for each thing, all with the same columns, and unknown figures are empty.', async () => {
  const report = await twoLegs();
  const legs = reportCsv(report, 'legs').split('\n');
  expect(legs).toHaveLength(3);
  const [head = '', first = ''] = legs;
  expect(first.split(',')).toHaveLength(head.split(',').length);
  const cell = (name: string): string | undefined =>
    first.split(',')[head.split(',').indexOf(name)];
  expect([cell('instrument'), cell('filled'), cell('participation')]).toEqual([
    'BTC-PERPETUAL',
    '600',
    '',
  ]);
  expect(reportCsv(report, 'fills').split('\n')).toHaveLength(1 + report.fills.length);
  expect(reportCsv(report, 'slices').split('\n')).toHaveLength(1 + report.slices.length);
});

test('Text that a spreadsheet would take for a formula is disarmed, and separators are quoted.', async () => {
  const report = await twoLegs();
  const [slice] = report.slices;
  const hostile = {
    ...report,
    slices: slice === undefined ? [] : [{ ...slice, reasons: ['=1+1', 'a,"b"'] }],
  };
  expect(reportCsv(hostile, 'slices').split('\n')[1]).toContain(`"'=1+1 a,""b"""`);
});
