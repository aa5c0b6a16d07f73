// A sweep as one HTML file: for each leg the means of every setting with their errors, and the differences from the base.
import type { Sweep, SweepMeasure, SweptLeg } from '../../core/report/sweep/sweep-shapes.ts';
import { short } from './figure-scales.ts';
import { factsText, figureText, gridText, notesText, pageText } from './html-page.ts';
import { escaped, type Figure } from './svg-figure.ts';
import { whiskerFigure } from './whisker-figure.ts';

/** Settings of a chart, at most; the table has all. */
const SETTINGS_DRAWN = 12;

const MEASURES: Readonly<Record<SweepMeasure, string>> = {
  arrival: 'against arrival, bp',
  twap: 'against TWAP, bp',
  vwap: 'against VWAP, bp',
  filled: 'filled share',
  maker: 'maker share',
};

export const sweepPage = (sweep: Sweep, title: string): string =>
  pageText(title, [
    factsText([
      ['settings', sweep.variants.length],
      ['windows', sweep.windows],
      ['base', sweep.base],
      ['runs', sweep.variants.reduce((sum, { runs }) => sum + runs, 0)],
      ['refused', sweep.variants.reduce((sum, { refused }) => sum + refused, 0)],
    ]),
    ...sweep.legs.map((leg) => legText(leg, sweep.base)),
    notesText(sweep.notes),
  ]);

const cell = (value: number | null): string => (value === null ? '–' : short(value));

function legText(leg: SweptLeg, base: string): string {
  const figures = [costFigure(leg), differenceFigure(leg, base)];
  return [
    `<h2>Leg ${leg.leg + 1}: ${escaped(leg.side)} ${escaped(leg.instrument)}</h2>`,
    ...figures.map((one) => (one === undefined ? '' : figureText(one))),
    gridText({
      heads: [
        ...['setting', 'figure', 'runs', 'mean', 'standard error'],
        ...['difference from base', 'standard error', 'pairs'],
      ],
      rows: leg.rows.map((row) => [
        ...[row.variant, MEASURES[row.measure], String(row.count)],
        ...[row.mean, row.standardError, row.difference, row.differenceError].map(cell),
        String(row.pairs),
      ]),
    }),
  ].join('');
}

const costFigure = ({ rows }: SweptLeg): Figure | undefined =>
  whiskerFigure(
    {
      title: 'Cost against arrival in basis points',
      legend: 'mean over the windows, with 1.96 standard errors each way',
    },
    rows
      .flatMap(({ variant, measure, mean, standardError }) =>
        measure === 'arrival' && mean !== null
          ? [{ name: variant, mean, error: standardError ?? 0 }]
          : [],
      )
      .slice(0, SETTINGS_DRAWN),
  );

const differenceFigure = ({ rows }: SweptLeg, base: string): Figure | undefined =>
  whiskerFigure(
    {
      title: `Cost against arrival, difference from ${base}, in basis points`,
      legend: 'mean over paired windows, with 1.96 standard errors each way',
    },
    rows
      .flatMap(({ variant, measure, difference, differenceError }) =>
        measure === 'arrival' && difference !== null
          ? [{ name: variant, mean: difference, error: differenceError ?? 0 }]
          : [],
      )
      .slice(0, SETTINGS_DRAWN),
  );
