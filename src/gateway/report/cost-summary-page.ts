// What many portfolios cost as one HTML file: groups with their distributions and mean errors, the trend, and the worst legs.

import type {
  CostSummary,
  Distribution,
  GroupCosts,
} from '../../core/report/summary/cost-summary-shapes.ts';
import { counted } from '../../values/text/written-figures.ts';
import { short } from './figure-scales.ts';
import { factsText, figureText, gridText, notesText, pageText } from './html-page.ts';
import { summaryFigures } from './summary-figures.ts';
import type { Figure } from './svg-figure.ts';
import { whiskerFigure } from './whisker-figure.ts';

/** Groups of a chart, at most; the table has all. */
const GROUPS_DRAWN = 12;
/** With fewer legs an error says nothing. */
const LEGS_FOR_ERROR = 3;

export function costSummaryPage(summary: CostSummary): string {
  const { portfolios, all, groups, trend, worst, notes } = summary;
  return pageText('Execution costs of many portfolios', [
    factsText([
      ['portfolios', portfolios],
      ['legs', all.legs],
      ['shortfall in USD', all.usd],
      ['execution', meanText(all.execution)],
      ['shortfall', meanText(all.shortfall)],
      ['against arrival', meanText(all.arrival)],
    ]),
    ...summaryFigures(summary).map(figureText),
    ...groups.map(({ by, rows }) => groupsText(`By ${by}`, rows)),
    groupsText('By week', trend.weeks),
    factsText([
      [
        'change a week',
        trend.bpsPerWeek === null
          ? null
          : `${short(trend.bpsPerWeek)} ± ${short(trend.standardError ?? 0)} bp`,
      ],
    ]),
    '<h2>Worst legs</h2>',
    gridText({
      heads: ['portfolio', 'leg', 'strategy', 'instrument', 'side', 'start', 'USD', 'shortfall bp'],
      rows: worst.map((one) => [
        one.portfolio,
        String(one.leg + 1),
        one.strategy ?? '–',
        one.instrument,
        one.side,
        one.start,
        cell(one.usd),
        cell(one.shortfallBps),
      ]),
    }),
    notesText(notes),
  ]);
}

const cell = (value: number | null): string => (value === null ? '–' : short(value));

const meanText = ({ mean, standardError, count }: Distribution): string | null =>
  mean === null ? null : `${short(mean)} ± ${cell(standardError)} bp over ${counted(count, 'leg')}`;

function groupsText(title: string, rows: readonly GroupCosts[]): string {
  const figure = groupFigure(rows);
  return [
    `<h2>${title}</h2>`,
    figure === undefined ? '' : figureText(figure),
    gridText({
      heads: [
        '',
        'legs',
        'USD',
        'execution bp',
        '± error',
        'least',
        'lower quartile',
        'median',
        'upper quartile',
        'greatest',
        'shortfall bp',
        'arrival bp',
      ],
      rows: rows.map(({ name, legs, usd, execution, shortfall, arrival }) => [
        name,
        String(legs),
        short(usd),
        ...[execution.mean, execution.standardError, execution.least].map(cell),
        ...[execution.lowerQuartile, execution.median, execution.upperQuartile].map(cell),
        ...[execution.greatest, shortfall.mean, arrival.mean].map(cell),
      ]),
    }),
  ].join('');
}

function groupFigure(rows: readonly GroupCosts[]): Figure | undefined {
  const drawn = rows.slice(-GROUPS_DRAWN);
  return whiskerFigure(
    {
      title: 'Execution cost in basis points',
      legend: 'mean, with 1.96 standard errors each way',
    },
    drawn.flatMap(({ name, execution: { mean, standardError, count } }) =>
      mean === null
        ? []
        : [{ name, mean, error: count < LEGS_FOR_ERROR ? 0 : (standardError ?? 0) }],
    ),
  );
}
