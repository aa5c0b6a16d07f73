// A sweep as one HTML file: for each leg the means of every setting with their errors, and the differences from the base.
// Settings are numbered, as for `--base`: their words are too long for an axis.
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
      ['windows', sweep.windows],
      ['base', `setting ${numberOf(sweep, sweep.base)}`],
      ['runs', sweep.variants.reduce((sum, { runs }) => sum + runs, 0)],
      ['refused', sweep.variants.reduce((sum, { refused }) => sum + refused, 0)],
      ['version', sweep.origin.version],
      ['digest of the inputs', sweep.origin.inputs],
      ['digest of the traces', sweep.origin.trace],
    ]),
    '<h2>Settings</h2>',
    gridText({
      heads: ['number', 'setting', 'runs', 'refused'],
      rows: sweep.variants.map(({ name, runs, refused }) => [
        numberOf(sweep, name),
        name,
        String(runs),
        String(refused),
      ]),
    }),
    ...sweep.legs.map((leg) => legText(leg, sweep)),
    notesText(sweep.notes),
  ]);

const numberOf = ({ variants }: Sweep, setting: string): string =>
  String(variants.findIndex(({ name }) => name === setting) + 1);

const cell = (value: number | null): string => (value === null ? '–' : short(value));

function legText(leg: SweptLeg, sweep: Sweep): string {
  const figures = [costFigure(leg, sweep), differenceFigure(leg, sweep)];
  return [
    `<h2>Leg ${leg.leg + 1}: ${escaped(leg.side)} ${escaped(leg.instrument)}</h2>`,
    ...figures.map((one) => (one === undefined ? '' : figureText(one))),
    gridText({
      heads: [
        'setting',
        'figure',
        'runs',
        'mean',
        'standard error',
        'difference from base',
        'standard error',
        'pairs',
      ],
      rows: leg.rows.map((row) => [
        numberOf(sweep, row.variant),
        MEASURES[row.measure],
        String(row.count),
        ...[row.mean, row.standardError, row.difference, row.differenceError].map(cell),
        String(row.pairs),
      ]),
    }),
  ].join('');
}

const costFigure = ({ rows }: SweptLeg, sweep: Sweep): Figure | undefined =>
  whiskerFigure(
    {
      title: 'Cost against arrival in basis points',
      legend: 'mean of each setting over the windows, with 1.96 standard errors each way',
    },
    rows
      .flatMap(({ variant, measure, mean, standardError }) =>
        measure === 'arrival' && mean !== null
          ? [{ name: numberOf(sweep, variant), mean, error: standardError ?? 0 }]
          : [],
      )
      .slice(0, SETTINGS_DRAWN),
  );

const differenceFigure = ({ rows }: SweptLeg, sweep: Sweep): Figure | undefined =>
  whiskerFigure(
    {
      title: `Cost against arrival, difference from setting ${numberOf(sweep, sweep.base)}, in basis points`,
      legend: 'mean of each setting over paired windows, with 1.96 standard errors each way',
    },
    rows
      .flatMap(({ variant, measure, difference, differenceError }) =>
        measure === 'arrival' && difference !== null
          ? [
              {
                name: numberOf(sweep, variant),
                mean: difference,
                error: differenceError ?? 0,
              },
            ]
          : [],
      )
      .slice(0, SETTINGS_DRAWN),
  );
