// What the summary of many portfolios and the comparison of reports show, as text, as CSV and as pages, from figures of which no
// two are alike.
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Comparison } from '../../../src/core/report/comparison/comparison-shapes.ts';
import type {
  CostSummary,
  Distribution,
  GroupCosts,
} from '../../../src/core/report/summary/cost-summary-shapes.ts';
import { comparisonPage } from '../../../src/gateway/report/comparison-page.ts';
import { costSummaryPage } from '../../../src/gateway/report/cost-summary-page.ts';
import { comparisonCsv, comparisonText } from '../../../src/main/commands/report/compare-text.ts';
import { summaryCsv, summaryText } from '../../../src/main/commands/report/summary-text.ts';

/** 10.1, 10.2, … of ten. */
const distribution = (tens: number): Distribution => ({
  count: tens + 9,
  mean: tens + 0.1,
  standardError: tens + 0.2,
  least: -tens - 0.3,
  lowerQuartile: tens + 0.4,
  median: tens + 0.5,
  upperQuartile: tens + 0.6,
  greatest: tens + 0.7,
});

const group = (name: string, from: number): GroupCosts => ({
  name,
  legs: from + 1,
  usd: from + 2.25,
  legsWithoutUsd: from + 3,
  execution: distribution(from + 10),
  shortfall: distribution(from + 20),
  arrival: distribution(from + 30),
});

const SUMMARY: CostSummary = {
  schema: 'twapd.tca-summary/1',
  portfolios: 9,
  leftOut: { active: 0, withoutRecord: 0, mirrors: 0, older: 0 },
  all: group('all', 100),
  groups: [{ by: 'strategy', rows: [group('basis', 200)] }],
  trend: { weeks: [group('2026-11-23', 300)], bpsPerWeek: -1.25, standardError: 0.75 },
  hours: [],
  against: [],
  worst: [
    {
      portfolio: '41',
      leg: 1,
      strategy: 'basis',
      account: '10001',
      instrument: 'BTC-PERPETUAL',
      side: 'sell',
      start: '2026-11-30T12:00:00.000Z',
      executionBps: 42.1,
      shortfallBps: 43.2,
      arrivalBps: 44.3,
      usd: 45.4,
      participation: 0.46,
      orderUsd: 47,
    },
  ],
  notes: [],
};

/** Legs, dollars, then mean, error, least, quartile, median, quartile, greatest; means of the shortfall and against the arrival. */
const rowOf = (name: string, from: number, fixed: (value: number) => string): string[] => [
  name,
  String(from + 1),
  fixed(from + 2.25),
  ...[0.1, 0.2].map((part) => fixed(from + 10 + part)),
  fixed(-from - 10.3),
  ...[0.4, 0.5, 0.6, 0.7].map((part) => fixed(from + 10 + part)),
  fixed(from + 20.1),
  fixed(from + 30.1),
];

const lines = (text: string): readonly string[][] =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

const cellsIn = (html: string): readonly string[][] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell),
  );

const plain = (value: number): string => String(Number(value.toPrecision(6)));

test('a summary has the figures of each group, the trend and the worst legs at their names', () => {
  const shown = lines(summaryText(SUMMARY, 300));
  for (const [name, from] of [
    ['all', 100],
    ['basis', 200],
    ['2026-11-23', 300],
  ] as const) {
    expect(shown).toContainEqual(rowOf(name, from, (value) => value.toFixed(2)));
    expect(cellsIn(costSummaryPage(SUMMARY)).filter(([first]) => first === name)).toEqual(
      name === 'all' ? [] : [rowOf(name, from, plain)],
    );
  }
  expect(shown).toContainEqual([
    'legs',
    'USD',
    'mean',
    '± error',
    'least',
    'quartile',
    'median',
    'quartile',
    'greatest',
    'shortfall',
    'arrival',
  ]);
  expect(shown).toContainEqual(['change a week: -1.25 ± 0.75 bp']);
  const worst = ['41', '2', 'basis', 'sell', 'BTC-PERPETUAL', '2026-11-30T12:00', '45.40', '43.20'];
  expect(shown).toContainEqual(worst);
});

test('the page of a summary has the figures of all portfolios, the trend and the worst legs at their names', () => {
  expect(cellsIn(costSummaryPage(SUMMARY))).toEqual(
    expect.arrayContaining([
      ['portfolios', '9'],
      ['legs', '101'],
      ['shortfall in USD', '102.25'],
      ['execution', '110.1 ± 110.2 bp over 119 legs'],
      ['shortfall', '120.1 ± 120.2 bp over 129 legs'],
      ['against arrival', '130.1 ± 130.2 bp over 139 legs'],
      ['change a week', '-1.25 ± 0.75 bp'],
      ['41', '2', 'basis', 'BTC-PERPETUAL', 'sell', '2026-11-30T12:00:00.000Z', '45.4', '43.2'],
    ]),
  );
});

test('the table of a summary has every figure of a group in its column', () => {
  const of = (name: string, tens: number) => ({
    [`${name}_count`]: String(tens + 9),
    [`${name}_mean`]: String(tens + 0.1),
    [`${name}_standard_error`]: String(tens + 0.2),
    [`${name}_least`]: String(-tens - 0.3),
    [`${name}_lower_quartile`]: String(tens + 0.4),
    [`${name}_median`]: String(tens + 0.5),
    [`${name}_upper_quartile`]: String(tens + 0.6),
    [`${name}_greatest`]: String(tens + 0.7),
  });
  const row = (by: string, name: string, from: number) => ({
    by,
    name,
    legs: String(from + 1),
    usd: String(from + 2.25),
    legs_without_usd: String(from + 3),
    ...of('execution_bps', from + 10),
    ...of('shortfall_bps', from + 20),
    ...of('arrival_bps', from + 30),
  });
  expect(parse(summaryCsv(SUMMARY), { columns: true })).toEqual([
    row('all', 'all', 100),
    row('strategy', 'basis', 200),
    row('week', '2026-11-23', 300),
  ]);
});

const WHOLE = {
  report: 'B',
  instrument: 'BTC-PERPETUAL',
  filled: '51',
  asked: '52',
  averagePrice: '53.12344',
  arrivalBps: 54.1,
  twapBps: -55.2,
  vwapBps: 56.3,
  executionBps: 57.4,
  shortfallBps: -58.5,
  shortfallUsd: 59.6,
  makerShare: 0.6125,
  slices: 62,
};
const REPORT = {
  name: 'B',
  source: 'b.json',
  portfolio: '61',
  account: '10001',
  strategy: null,
  status: 'filled',
  start: '2026-11-30T12:00:00.000Z',
  end: '2026-11-30T13:00:00.000Z',
  isProvisional: false,
};
const MEASURES = ['cost', 'price', 'lateness', 'filled', 'maker'] as const;
const COMPARISON: Comparison = {
  schema: 'twapd.compare/1',
  reports: [{ ...REPORT, name: 'A', source: 'a.json' }, REPORT],
  legs: [
    {
      leg: 2,
      side: 'sell',
      whole: [WHOLE],
      paired: [
        {
          report: 'B',
          pairedBy: 'slice number',
          pairs: 3,
          unpairedFirst: 4,
          unpaired: 5,
          figures: MEASURES.map((measure, at) => ({
            measure,
            pairs: 70 + at,
            first: at + 0.11,
            mean: at + 0.22,
            difference: at - 0.33,
            standardError: at + 0.44,
          })),
        },
      ],
    },
  ],
  notes: [],
};

test('a comparison has the figures of each report and of paired slices at their names', () => {
  const shown = lines(comparisonText(COMPARISON, 300));
  expect(shown).toContainEqual([
    'B',
    '51',
    '52',
    '53.1234',
    '54.10',
    '-55.20',
    '56.30',
    '57.40',
    '-58.50',
    '59.60',
    '61.25 %',
    '62',
  ]);
  for (const row of [
    ['B', 'cost, bp', '0.110', '0.220', '-0.330', '0.440', '70'],
    ['B', 'price, bp', '1.110', '1.220', '0.670', '1.440', '71'],
    ['B', 'lateness, ms', '2.1', '2.2', '1.7', '2.4', '72'],
    ['B', 'filled of plan', '311.00 %', '322.00 %', '267.00 %', '344.00 %', '73'],
    ['B', 'maker share', '411.00 %', '422.00 %', '367.00 %', '444.00 %', '74'],
  ]) {
    expect(shown).toContainEqual(row);
  }
});

test('the page and the table of a comparison have the same figures', () => {
  const page = comparisonPage(COMPARISON);
  const cells = cellsIn(page);
  const { start, end } = REPORT;
  expect(cells).toContainEqual(['B', 'b.json', '61', '–', 'filled', start, end]);
  expect(cells).toContainEqual([
    'B',
    'BTC-PERPETUAL',
    '51',
    '52',
    '53.12344',
    '54.1',
    '-55.2',
    '56.3',
    '57.4',
    '-58.5',
    '59.6',
    '0.6125',
    '62',
  ]);
  expect(cells).toContainEqual(['B', 'cost', '0.11', '0.22', '-0.33', '0.44', '70']);
  // 1.96 standard errors of 0.44.
  expect(page).toContain('<p>B: -0.33 ± 0.8624</p>');
  const [row] = parse(comparisonCsv(COMPARISON), { columns: true });
  expect(row).toEqual({
    leg: '2',
    side: 'sell',
    report: 'B',
    source: 'b.json',
    measure: 'cost',
    first: '0.11',
    mean: '0.22',
    difference: '-0.33',
    standard_error: '0.44',
    pairs: '70',
    paired_by: 'slice number',
    unpaired_first: '4',
    unpaired: '5',
  });
});
