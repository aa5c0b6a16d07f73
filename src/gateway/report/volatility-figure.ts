// The figure of volatilities of an option: those that the touch implies with that of the mark, and the fills at theirs.

import { scaleLinear } from 'd3-scale';
import type { FillShown, LegCosts, PortfolioReport } from '../../core/report/report-shapes.ts';
import { counted } from '../../values/text/written-figures.ts';
import { msOf, short, timeOf } from './figure-scales.ts';
import {
  type Figure,
  marksOf,
  type Point,
  ribbonOf,
  stepsOf,
  svgText,
  timeAxis,
  UPWARDS,
  upAxis,
} from './svg-figure.ts';

/** Fractions as volatility points. */
const POINTS = 100;

/** `undefined` for other instruments, and where no volatility is known. */
export function volatilityFigure(
  { until }: Pick<PortfolioReport, 'until'>,
  { volatility }: LegCosts,
  fills: readonly FillShown[],
): Figure | undefined {
  const [first] = volatility;
  const values = [
    ...volatility.flatMap(({ bid, ask, mark }) => [bid, ask, mark]),
    ...fills.map(({ iv }) => iv),
  ].flatMap((one) => (one === null ? [] : [one * POINTS]));
  if (first === undefined || values.length === 0) return undefined;
  const [low, high] = [least(values), -least(values.map((one) => -one))];
  const room = Math.max((high - low) * 0.05, 0.05);
  const x = timeOf(msOf(first.at), Math.max(msOf(until), msOf(volatility.at(-1)?.at ?? until)));
  const y = scaleLinear()
    .domain([low - room, high + room])
    .nice()
    .range(UPWARDS);
  const heightOf = (of: number | null): number | undefined =>
    of === null ? undefined : y(of * POINTS);
  const course = (of: 'bid' | 'ask' | 'mark'): readonly Point[] =>
    volatility.map((one) => [x(msOf(one.at)), heightOf(one[of])]);
  const marks = (liquidity: 'maker' | 'taker'): readonly Point[] =>
    fills
      .filter((one) => one.liquidity === liquidity)
      .map((one) => [x(msOf(one.at)), heightOf(one.iv)]);
  const known = fills.filter(({ iv }) => iv !== null).length;
  const words = {
    title: 'Volatility in points',
    says: `touch between ${short(round(low))} and ${short(round(high))}; ${known} of ${counted(fills.length, 'fill')} with an implied volatility`,
  };
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, short),
      timeAxis(x),
      ribbonOf(
        'market',
        volatility.map(({ at, bid, ask }) => [x(msOf(at)), heightOf(bid), heightOf(ask)] as const),
      ),
      stepsOf('market', course('bid')),
      stepsOf('market', course('ask')),
      stepsOf('mark', course('mark')),
      marksOf('maker', 'round', marks('maker')),
      marksOf('taker', 'cross', marks('taker')),
    ]),
    legend: [
      ['market', 'implied by best bid and ask'],
      ['mark', 'of the mark (dots)'],
      ['maker', 'maker fill (dot)'],
      ['taker', 'taker fill (cross)'],
    ],
  };
}

const round = (value: number): number => Number(value.toFixed(2));

/** Not over an argument list: there may be as many values as fills. */
const least = (values: readonly number[]): number =>
  values.reduce((sofar, one) => Math.min(sofar, one), Number.POSITIVE_INFINITY);
