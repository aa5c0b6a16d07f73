// The figures of a package: how far its legs were apart, and the delta of what was filled.
import type { PortfolioReport } from '../../core/report/report-shapes.ts';
import { clockText, heightOf, msOf, percent, short, timeOf } from './figure-scales.ts';
import { costFigure } from './report-figures.ts';
import {
  type Figure,
  type Point,
  ruleAt,
  stepsOf,
  svgText,
  timeAxis,
  upAxis,
} from './svg-figure.ts';

export const packageFigures = (report: PortfolioReport): readonly Figure[] =>
  [
    report.package.shortfall === null ? undefined : costFigure(report.package.shortfall),
    imbalanceFigure(report),
    deltaFigure(report),
  ].filter((figure) => figure !== undefined);

function imbalanceFigure(report: PortfolioReport): Figure | undefined {
  const { imbalance } = report.package;
  if (imbalance === null) return undefined;
  const { points, greatest, mean } = imbalance;
  return courseFigure(report, {
    title: 'Leg imbalance',
    says: `filled shares of two legs are ${percent(greatest)} apart at most, ${percent(mean)} on average`,
    legend: 'difference between the legs that are farthest apart',
    format: percent,
    points: points.map(({ at, apart }) => [at, apart]),
  });
}

function deltaFigure(report: PortfolioReport): Figure | undefined {
  const { delta } = report.package;
  if (delta === null) return undefined;
  return courseFigure(report, {
    title: 'Net delta of what was filled, in coins',
    says: `farthest from zero at ${short(delta.greatest)}, ${short(delta.mean)} away on average, ${short(delta.final)} at the end`,
    legend: 'delta, hedges included',
    format: short,
    points: delta.points.map(({ at, coins }) => [at, coins]),
  });
}

interface Course {
  readonly title: string;
  readonly says: string;
  readonly legend: string;
  readonly format: (value: number) => string;
  readonly points: readonly (readonly [at: string, value: number])[];
}

/** Zero from the start until the first fill; each value holds until the next fill, the last as far as the figures go. */
function courseFigure(
  { start, until }: PortfolioReport,
  { title, says, legend, format, points }: Course,
): Figure | undefined {
  const last = points.at(-1);
  if (last === undefined) return undefined;
  const to = Math.max(msOf(until), msOf(last[0]));
  const [x, y] = [timeOf(msOf(start), to), heightOf(points.map(([, value]) => value))];
  const steps: Point[] = [
    [x(msOf(start)), y(0)],
    ...points.map(([at, value]): Point => [x(msOf(at)), y(value)]),
    [x(to), y(last[1])],
  ];
  const words = { title, says };
  return {
    ...words,
    svg: svgText(words, [upAxis(y, format), timeAxis(x), ruleAt(y(0)), stepsOf('own', steps)]),
    legend: [['own', legend]],
    table: {
      heads: ['at', title],
      rows: points.map(([at, value]) => [clockText(at), format(value)]),
    },
  };
}
