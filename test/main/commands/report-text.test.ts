// The report as text at narrow and wide terminals, and as CSV.
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { compareReports } from '../../../src/core/report/comparison/compare-reports.ts';
import { CostSummaries } from '../../../src/core/report/summary/cost-summary.ts';
import { comparisonPage } from '../../../src/gateway/report/comparison-page.ts';
import { costSummaryPage } from '../../../src/gateway/report/cost-summary-page.ts';
import { comparisonText } from '../../../src/main/commands/report/compare-text.ts';
import { REPORT_TABLES, reportCsv } from '../../../src/main/commands/report/report-csv.ts';
import { reportText } from '../../../src/main/commands/report/report-text.ts';
import { summaryCsv, summaryText } from '../../../src/main/commands/report/summary-text.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { DISTINCT_REPORT } from '../../support/distinct-report.ts';
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

test('Every line of the report has its own figure, of each leg and of the package.', () => {
  const text = stripVTControlCharacters(reportText(DISTINCT_REPORT, 200));
  const cells = text.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(cells).toEqual([
    ['portfolio', '1795255591545000'],
    ['status', 'cancelled (user_request)'],
    ['strategy', 'hedged-sale'],
    ['account', '10001'],
    ['start (UTC)', '2026-11-30 12:00:00'],
    ['end of schedule', '2026-11-30 12:01:00'],
    ['over', '2026-11-30 12:00:50'],
    ['figures', 'provisional'],
    [''],
    ['leg 1', 'sell BTC-25DEC26-100000-P', 'buy BTC-PERPETUAL hedge'],
    ['filled', '12.5 of 17.5 BTC', '2100 of 2500 USD'],
    ['average', '0.0511', '0.0511'],
    ['benchmarks'],
    ['at submit', '0.0521 11.11 bp', '0.0521 11.11 bp'],
    ['arrival', '0.0522 -12.12 bp', '0.0522 -12.12 bp'],
    ['TWAP', '0.0523 13.13 bp', '0.0523 13.13 bp'],
    ['VWAP', '0.0525 -14.14 bp', '0.0525 -14.14 bp'],
    ['covered', '91.50 %', '91.50 %'],
    ['participation', '8.25 %', '8.25 %'],
    ['shortfall'],
    ['delay', '0.01', '–'],
    ['market', '-0.02', '–'],
    ['schedule', '0.03', '–'],
    ['spread', '0.04', '–'],
    ['unsplit', '0.05', '–'],
    ['residual', '0.19', '–'],
    ['fees', '0.06', '–'],
    ['total', '0.36 BTC', '– no mid at the arrival'],
    ['total in bp', '21.01 bp', '–'],
    ['execution in bp', '22.02 bp', '–'],
    ['total in USD', '36001.5', '–'],
    ['expected', '15.15 bp', '–'],
    ['spread'],
    ['effective', '31.31 bp', '31.31 bp'],
    ['quoted', '32.32 bp', '32.32 bp'],
    ['effective/quoted', '0.9688', '0.9688'],
    ['realised, 1 m', '-33.33 bp', '-33.33 bp'],
    ['improvement (+)', '34.34 bp', '–'],
    ['liquidity'],
    ['maker', '71.25 %', '71.25 %'],
    ['taker', '28.75 %', '28.75 %'],
    ['fees', '0.00375 BTC, -1.25 USDC', '0.00375 BTC, -1.25 USDC'],
    ['funding paid', '-0.00027 BTC', '-0.00027 BTC'],
    ['resting children'],
    ['fill rate', '54.54 % of 19', '54.54 % of 19'],
    ['adverse, 10 s', '51.51 bp, 52.52 % of fills', '51.51 bp, 52.52 % of fills'],
    ['unfilled', '-53.53 bp', '-53.53 bp'],
    ['schedule'],
    ['farthest', '-17.17 %', '–'],
    ['mean', '1.81 %', '–'],
    ['late p50/p99/max', '71/72/73 ms', '–'],
    ['answered p99', '75 ms', '–'],
    ['option'],
    ['shortfall', '23.03 bp of the underlying'],
    ['premium over mid', '-0.0123'],
    ['against mid', '-61.31 USD, 62.32 bp, 1.234 vol of 646 USD'],
    ['against mark', '67.37 USD, -68.38 bp, – vol of – USD'],
    [''],
    ['markouts of leg 1'],
    ['after', 'bp', '± error', 'maker', 'taker', 'fills'],
    ['-10s', '41.41', '1.42', '-44.44', '45.45', '9'],
    ['1m', '-46.46', '–', '–', '48.48', '8'],
    [''],
    ['package'],
    ['shortfall in USD', '81.5'],
    ['delay', '1.81'],
    ['market', '-2.82'],
    ['schedule', '3.83'],
    ['spread', '4.84'],
    ['unsplit', '5.86'],
    ['residual', '61.11'],
    ['fees', '6.87'],
    ['slippage in USD'],
    ['at submit', '91.1'],
    ['arrival', '-92.2'],
    ['TWAP', '93.3'],
    ['VWAP', '-94.4'],
    ['participation', '9.51 % at most'],
    ['options to mid', '-61.31 USD, 62.32 bp, 1.234 vol of 646 USD'],
    ['imbalance', '29.61 %, mean 9.71 %'],
    ['delta in coins', '-0.981 at most, 0.0983 at the end'],
    ['hedge, leg 2', '-99.49 bp, lag 995 ms, open -0.0992, 0.0993 too much'],
    [''],
    ['slices that sent nothing: 1'],
    ['leg', 'slice', 'due', 'why'],
    ['1', '5', '12:00:05', 'no_price, spread'],
  ]);
});

const PORTFOLIO = { portfolio: '1795255591545000' };
/** By table: the first row; of fills what no horizon has is empty. */
const FIRST_ROWS = {
  legs: {
    ...PORTFOLIO,
    leg: '0',
    instrument: 'BTC-25DEC26-100000-P',
    kind: 'option',
    side: 'sell',
    unit: 'BTC',
    hedge: 'false',
    asked: '17.5',
    filled: '12.5',
    residual: '5',
    average: '0.0511',
    decision: '0.0521',
    arrival: '0.0522',
    twap: '0.0523',
    vwap: '0.0525',
    final: '0.0526',
    twap_coverage: '0.915',
    decision_bps: '11.11',
    arrival_bps: '-12.12',
    twap_bps: '13.13',
    vwap_bps: '-14.14',
    participation: '0.0825',
    volume: '151.5',
    shortfall_currency: 'BTC',
    total: '0.36',
    delay: '0.01',
    market: '-0.02',
    schedule: '0.03',
    spread: '0.04',
    unsplit: '0.05',
    opportunity: '0.19',
    fees: '0.06',
    total_bps: '21.01',
    total_usd: '36001.5',
    execution_bps: '22.02',
    expected_bps: '15.15',
    effective_bps: '31.31',
    quoted_bps: '32.32',
    realised_bps: '-33.33',
    improvement_bps: '34.34',
    maker_share: '0.7125',
    taker_share: '0.2875',
    fill_rate: '0.5454',
    adverse_bps: '51.51',
    funding_paid: '-0.00027',
    funding_currency: 'BTC',
    deviation_greatest: '-0.1717',
    deviation_mean: '0.0181',
    late_p50_ms: '71',
    late_p99_ms: '72',
    usd_rate: '100004.5',
    underlying_bps: '23.03',
    over_mid_premium: '-0.0123',
    over_mid_usd: '-61.31',
    over_mid_underlying_bps: '62.32',
    over_mid_vol_points: '1.234',
    over_mid_vega_usd: '645.5',
    over_mark_premium: '0.0456',
    over_mark_usd: '67.37',
    over_mark_underlying_bps: '-68.38',
    over_mark_vol_points: '',
    over_mark_vega_usd: '',
  },
  slices: {
    ...PORTFOLIO,
    leg: '0',
    slice: '4',
    due: '2026-11-30T12:00:05.000Z',
    planned: '1.02',
    asked: '1.03',
    filled: '1.04',
    children: '105',
    mid: '0.106',
    average: '0.107',
    late_ms: '101',
    is_sent: 'false',
    reasons: 'no_price spread',
    cost_bps: '10.8',
  },
  children: {
    ...PORTFOLIO,
    leg: '1',
    slice: '6',
    label: 'tw-a',
    attempt: '3',
    quantity: '1.11',
    filled: '1.12',
    decided: '2026-11-30T12:00:06.000Z',
    live: '2026-11-30T12:00:07.000Z',
    closed: '2026-11-30T12:00:08.000Z',
    outcome: 'cancelled',
    time_in_force: 'good_til_cancelled',
    is_block: 'false',
    // The last of three, of which two were edits.
    price: '115',
    edits: '2',
  },
  fills: {
    ...PORTFOLIO,
    trade_id: 'BTC-12',
    traded_at: '2026-11-30T12:00:09.000Z',
    leg: '1',
    slice: '7',
    label: 'tw-b',
    quantity: '1.21',
    price: '122',
    liquidity: 'maker',
    fee: '-0.123',
    bid: '124',
    ask: '125',
    mid: '126',
    mark: '127',
    underlying: '130',
    delta: '0.131',
    vega: '132',
    effective: '-0.133',
    improvement: '0.134',
    fee_currency: 'BTC',
    mark_iv: '0.128',
    is_block: 'true',
    markout_before_10s: '0.135',
    markout_before_1s: '',
    markout_0s: '',
    markout_1s: '',
    markout_10s: '',
    markout_1m: '-0.136',
    markout_5m: '',
    markout_30m: '',
    iv: '0.129',
  },
  markouts: {
    ...PORTFOLIO,
    leg: '0',
    // Disarmed, as everything that a spreadsheet would take for a formula.
    horizon: "'-10s",
    fills: '9',
    missing: '4',
    bps: '41.41',
    per_unit: '0.0043',
    maker_bps: '-44.44',
    taker_bps: '45.45',
    standard_error: '1.42',
  },
} as const;

test.each(REPORT_TABLES)('Every column of the table of %s has its own figure.', (name) => {
  const [first] = parse(reportCsv(DISTINCT_REPORT, name), { columns: true });
  expect(first).toEqual(FIRST_ROWS[name]);
});
