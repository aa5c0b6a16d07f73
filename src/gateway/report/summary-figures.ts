// The figures of what many portfolios cost: by hour and day of the week, and against participation and size.

import { type ScaleLogarithmic, scaleBand, scaleLog } from 'd3-scale';
import type { CostAgainst, CostSummary } from '../../core/report/summary/cost-summary-shapes.ts';
import { counted } from '../../values/text/written-figures.ts';
import { heightOf, short } from './figure-scales.ts';
import {
  ACROSS,
  barOf,
  type Figure,
  labelAxis,
  lineOf,
  marksOf,
  type Point,
  ruleAt,
  svgText,
  UPWARDS,
  upAxis,
  valueAxis,
  wordAt,
} from './svg-figure.ts';

export const summaryFigures = ({ hours, against }: CostSummary): readonly Figure[] =>
  [hoursFigure(hours), ...against.map(againstFigure)].filter((figure) => figure !== undefined);

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** Steps of a colour on each side of zero. */
const SHADES = 5;

/** Every cell also shows its figure, for readers who see no difference of colour. */
function hoursFigure(hours: CostSummary['hours']): Figure | undefined {
  if (hours.length === 0) return undefined;
  const limit = Math.max(...hours.map(({ mean }) => Math.abs(mean)));
  const x = scaleBand<number>().domain(HOURS).range(ACROSS).padding(0.04);
  const y = scaleBand<number>()
    .domain(DAYS.map((_, index) => index + 1))
    .range([UPWARDS[1], UPWARDS[0]])
    .padding(0.06);
  const shadeOf = (mean: number): number =>
    limit === 0 ? 0 : Math.round((Math.abs(mean) / limit) * SHADES);
  const cells = hours.map(({ weekday, hour, mean }) => {
    const [left, top] = [x(hour) ?? 0, y(weekday) ?? 0];
    const kind = `cell ${mean > 0 ? 'cost' : 'gain'} shade${shadeOf(mean)}`;
    const middle = top + y.bandwidth() / 2 + 3;
    return (
      barOf(kind, left, x.bandwidth(), [top, top + y.bandwidth()]) +
      wordAt('cell', left + x.bandwidth() / 2, middle, brief(mean))
    );
  });
  const [dearest] = hours.toSorted((a, b) => b.mean - a.mean);
  const words = {
    title: 'Execution cost by hour and day, in basis points',
    says:
      dearest === undefined
        ? ''
        : `dearest at ${String(dearest.hour).padStart(2, '0')}:00 UTC on ${DAYS[dearest.weekday - 1]}: ${short(dearest.mean)} basis points over ${counted(dearest.legs, 'leg')}`,
  };
  const names = DAYS.map((day, index) =>
    wordAt('y', ACROSS[0] - 6, (y(index + 1) ?? 0) + y.bandwidth() / 2 + 4, day),
  );
  return {
    ...words,
    svg: svgText(words, [
      ...names,
      ...cells,
      labelAxis(
        HOURS.map((hour) => String(hour).padStart(2, '0')),
        (index) => (x(index) ?? 0) + x.bandwidth() / 2,
      ),
    ]),
    legend: [
      ['cost', `cost, darkest at ${short(limit)}`],
      ['gain', `gain, darkest at ${short(-limit)}`],
    ],
    table: {
      heads: ['day', 'hour (UTC)', 'legs', 'basis points'],
      rows: hours.map(({ weekday, hour, legs, mean }) => [
        DAYS[weekday - 1] ?? '',
        String(hour).padStart(2, '0'),
        String(legs),
        short(mean),
      ]),
    },
  };
}

/** Three characters and a sign: what a cell holds. */
const brief = (value: number): string =>
  Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0);

const NAMES = {
  participation: { title: 'participation', format: (of: number) => `${short(of * 100)} %` },
  orderUsd: { title: 'size of the order in USD', format: (of: number) => brokenDown(of) },
} as const;

const brokenDown = (usd: number): string => {
  if (usd >= 1e6) return `${short(usd / 1e6)} M`;
  return usd >= 1e3 ? `${short(usd / 1e3)} k` : short(usd);
};

function againstFigure({ by, points, bpsPerTenfold, standardError }: CostAgainst) {
  const [first] = points;
  if (first === undefined) return undefined;
  let [low, high] = [first.of, first.of];
  for (const { of } of points) [low, high] = [Math.min(low, of), Math.max(high, of)];
  const { title, format } = NAMES[by];
  const x = scaleLog()
    .domain(low === high ? [low / 2, high * 2] : [low, high])
    .nice()
    .range(ACROSS);
  const y = heightOf(points.map(({ bps }) => bps));
  const dots = points.map(({ of, bps }): Point => [x(of), y(bps)]);
  const line = bpsPerTenfold === null ? undefined : lineThrough(points, bpsPerTenfold, [low, high]);
  const words = {
    title: `Execution cost in basis points against ${title}`,
    says:
      bpsPerTenfold === null
        ? counted(points.length, 'leg')
        : `${short(bpsPerTenfold)} ± ${short(standardError ?? 0)} basis points for each tenfold, over ${counted(points.length, 'leg')}`,
  };
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, short),
      valueAxis(powersOf(x), format),
      ruleAt(y(0)),
      line === undefined
        ? ''
        : lineOf(
            'plan',
            line.map(([of, bps]): Point => [x(of), y(bps)]),
          ),
      marksOf('leg', 'round', dots),
    ]),
    legend: [
      ['own', 'leg (dot)'],
      ...(line === undefined ? [] : [['plan', 'least squares'] as const]),
    ],
  } satisfies Figure;
}

/** One tick for each power of ten; a domain within one power has its usual ticks. */
function powersOf(scale: ScaleLogarithmic<number, number>) {
  const ticks = (count: number): number[] => {
    const all = scale.ticks(count);
    const powers = all.filter((tick) => Number.isInteger(Math.log10(tick)));
    return powers.length > 1 ? powers : all;
  };
  return Object.assign((value: number): number => scale(value), { ticks });
}

/** The line of least squares goes through the means. */
function lineThrough(
  points: CostAgainst['points'],
  slope: number,
  ends: readonly [number, number],
): readonly (readonly [of: number, bps: number])[] {
  const mean = (value: (point: CostAgainst['points'][number]) => number): number =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [logs, costs] = [mean(({ of }) => Math.log10(of)), mean(({ bps }) => bps)];
  return ends.map((of) => [of, costs + slope * (Math.log10(of) - logs)] as const);
}
