// Reports on costs side by side as one HTML file: what each cost as a whole, and the differences of paired slices.
import type {
  ComparedLeg,
  ComparedReport,
  Comparison,
  PairedLeg,
} from '../../core/report/comparison/comparison-shapes.ts';
import { short } from './figure-scales.ts';
import { figureText, gridText, notesText, pageText } from './html-page.ts';
import { escaped, type Figure } from './svg-figure.ts';
import { whiskerFigure } from './whisker-figure.ts';

export const comparisonPage = (comparison: Comparison): string =>
  pageText('Execution costs compared', [
    gridText({
      heads: ['report', 'read from', 'portfolio', 'strategy', 'status', 'start', 'end'],
      rows: comparison.reports.map(headRow),
    }),
    ...comparison.legs.map(legText),
    notesText(comparison.notes),
  ]);

const headRow = (one: ComparedReport): readonly string[] => [
  one.name,
  one.source,
  one.portfolio,
  one.strategy ?? '–',
  one.status,
  one.start,
  one.end,
];

const cell = (value: number | null): string => (value === null ? '–' : short(value));

function legText({ leg, side, whole, paired }: ComparedLeg): string {
  const figure = differenceFigure(paired);
  return [
    `<h2>Leg ${leg + 1}: ${side} ${escaped(whole[0]?.instrument ?? '')}</h2>`,
    gridText({
      heads: [
        'report',
        'instrument',
        'filled',
        'of',
        'average',
        'arrival bp',
        'TWAP bp',
        'VWAP bp',
        'execution bp',
        'shortfall bp',
        'shortfall USD',
        'maker share',
        'slices',
      ],
      rows: whole.map((one) => [
        one.report,
        one.instrument,
        one.filled,
        one.asked,
        one.averagePrice ?? '–',
        ...[one.arrivalBps, one.twapBps, one.vwapBps, one.executionBps].map(cell),
        ...[one.shortfallBps, one.shortfallUsd, one.makerShare, one.slices].map(cell),
      ]),
    }),
    paired.length === 0 ? '' : `<h3>Paired slices</h3>${pairedText(paired)}`,
    figure === undefined ? '' : figureText(figure),
  ].join('');
}

const pairedText = (paired: readonly PairedLeg[]): string =>
  gridText({
    heads: ['report', 'figure', 'of A', 'of it', 'difference', 'standard error', 'pairs'],
    rows: paired.flatMap(({ report, figures }) =>
      figures.map((one) => [
        report,
        one.measure,
        cell(one.first),
        cell(one.mean),
        cell(one.difference),
        cell(one.standardError),
        String(one.pairs),
      ]),
    ),
  });

const differenceFigure = (paired: readonly PairedLeg[]): Figure | undefined =>
  whiskerFigure(
    {
      title: 'Cost of paired slices against A in basis points',
      legend: 'mean difference, with 1.96 standard errors each way',
    },
    paired.flatMap(({ report, figures }) => {
      const cost = figures.find(({ measure }) => measure === 'cost');
      if (cost === undefined || cost.difference === null) return [];
      return [{ name: report, mean: cost.difference, error: cost.standardError ?? 0 }];
    }),
  );
