// The figures of the report on costs, one after the other for each leg.

import { SHORTFALL_PARTS as PARTS } from '../../core/report/package-sums.ts';
import type {
  FillShown,
  LegCosts,
  PortfolioReport,
  ShortfallShown,
} from '../../core/report/report-shapes.ts';
import { counted, grouped } from '../../values/text/written-figures.ts';
import { heightOf, money, msOf, percent, short, timeOf } from './figure-scales.ts';
import { priceFigure } from './price-figure.ts';
import {
  ACROSS,
  barOf,
  errorsOf,
  type Figure,
  labelAxis,
  lineOf,
  marksOf,
  type Point,
  ruleAt,
  stepsOf,
  svgText,
  timeAxis,
  upAxis,
} from './svg-figure.ts';
import { volatilityFigure } from './volatility-figure.ts';

export function legFigures(report: PortfolioReport, leg: LegCosts): readonly Figure[] {
  const fills = report.fills.filter((fill) => fill.leg === leg.leg);
  return [
    scheduleFigure(report, leg, fills),
    priceFigure(report, leg, fills),
    volatilityFigure(report, leg, fills),
    leg.shortfall === null ? undefined : costFigure(leg.shortfall),
    markoutFigure(leg),
    latenessFigure(report, leg),
  ].filter((figure) => figure !== undefined);
}

function scheduleFigure(
  { start, end, over, until, slices }: PortfolioReport,
  leg: LegCosts,
  fills: readonly FillShown[],
): Figure | undefined {
  const [first] = fills;
  if (first === undefined || Number(leg.asked) === 0) return undefined;
  const to = Math.max(...[over ?? end, end, fills.at(-1)?.at ?? end].map(msOf));
  const unsent = slices
    .flatMap(({ leg: of, isSent, due }) =>
      of === leg.leg && !isSent && due !== null ? [msOf(due)] : [],
    )
    .filter(Number.isFinite);
  const [x, y] = [timeOf(msOf(start), to), heightOf([1])];
  let done = 0;
  const points: Point[] = [[x(msOf(start)), y(0)]];
  for (const fill of fills) {
    done += Number(fill.quantity) / Number(leg.asked);
    points.push([x(msOf(fill.at)), y(done)]);
  }
  points.push([x(over === null ? Math.min(to, msOf(until)) : to), y(done)]);
  const plan =
    leg.schedule === null
      ? ''
      : lineOf('plan', [
          [x(msOf(start)), y(0)],
          [x(msOf(end)), y(1)],
        ]);
  const said = leg.schedule === null ? '' : `, ${fromLine(leg.schedule.greatest)}`;
  const words = {
    title: 'Filled over time',
    says: `${percent(done)} filled ${over === null ? 'so far' : 'by the end'}${said}`,
  };
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, percent),
      timeAxis(x),
      plan,
      stepsOf('own', points),
      marksOf(
        'unsent',
        'cross',
        unsent.map((due): Point => [x(due), y(0)]),
      ),
    ]),
    legend: [
      ['own', 'filled'],
      ...(plan === '' ? [] : [['plan', 'schedule'] as const]),
      ...(unsent.length === 0 ? [] : [['unsent', 'slice that sent nothing (cross)'] as const]),
    ],
  };
}

const fromLine = (greatest: number): string =>
  `at most ${percent(Math.abs(greatest))} ${greatest < 0 ? 'behind' : 'ahead of'} its line`;

/** A bar for each part, from where the one before it ended, and one for the whole. */
export function costFigure(
  shortfall: Pick<ShortfallShown, 'currency' | 'total' | (typeof PARTS)[number]> & {
    readonly bps?: number | null;
    readonly underlyingBps?: number | null;
  },
): Figure {
  const { currency, total, bps, underlyingBps } = shortfall;
  const parts = PARTS.map((name) => ({ name, value: Number(shortfall[name]) }));
  const ends: number[] = [];
  for (const { value } of parts) ends.push((ends.at(-1) ?? 0) + value);
  const y = heightOf([...ends, Number(total)]);
  const step = (ACROSS[1] - ACROSS[0]) / (parts.length + 1);
  const xOf = (index: number): number => ACROSS[0] + step * index;
  const bars = parts.map(({ value }, index) =>
    barOf(value > 0 ? 'cost' : 'gain', xOf(index) + 8, step - 16, [
      y(ends[index - 1] ?? 0),
      y(ends[index] ?? 0),
    ]),
  );
  const words = {
    title: 'Implementation shortfall',
    says: [
      // The exact sum of a package, converted at several rates, has twenty places.
      `${currency === 'USD' ? money(Number(total)) : grouped(total)} ${currency}`,
      ...(typeof bps === 'number' ? [`${bps} basis points of the order`] : []),
      ...(typeof underlyingBps === 'number'
        ? [`${underlyingBps} basis points of the underlying`]
        : []),
    ].join(', '),
  };
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, short),
      labelAxis([...PARTS, 'total'], (index) => xOf(index) + step / 2),
      ...bars,
      barOf('whole', xOf(parts.length) + 8, step - 16, [y(0), y(Number(total))]),
      ruleAt(y(0)),
    ]),
    legend: [
      ['cost', 'cost'],
      ['gain', 'gain'],
      ['whole', 'total'],
    ],
    table: {
      heads: ['part', currency],
      rows: [...PARTS.map((name) => [name, grouped(shortfall[name])]), ['total', grouped(total)]],
    },
  };
}

function markoutFigure({ markouts, kind }: LegCosts): Figure | undefined {
  const known = markouts.filter(({ bps }) => bps !== null);
  if (known.length < 2) return undefined;
  const y = heightOf(
    known.flatMap(({ bps, standardError, makerBps, takerBps }) => [
      (bps ?? 0) - (standardError ?? 0),
      (bps ?? 0) + (standardError ?? 0),
      makerBps ?? 0,
      takerBps ?? 0,
    ]),
  );
  const step = (ACROSS[1] - ACROSS[0]) / known.length;
  const xOf = (index: number): number => ACROSS[0] + step * (index + 0.5);
  const course = (of: 'bps' | 'makerBps' | 'takerBps'): readonly Point[] =>
    known.map((one, index) => [xOf(index), one[of] === null ? undefined : y(one[of])]);
  const minute = known.find(({ horizon }) => horizon === '1m')?.bps;
  const words = {
    title: `Markouts in basis points${kind === 'option' ? ' of the underlying' : ''}`,
    says:
      minute === undefined
        ? 'fills against later mids'
        : `a minute later fills cost ${minute} basis points`,
  };
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, short),
      labelAxis(
        known.map(({ horizon, fills }) => `${horizon} (${fills})`),
        xOf,
      ),
      ruleAt(y(0)),
      errorsOf(
        'own',
        known.flatMap(({ bps, standardError }, index) =>
          bps === null || standardError === null
            ? []
            : [[xOf(index), y(bps - standardError), y(bps + standardError)] as const],
        ),
      ),
      lineOf('own', course('bps')),
      marksOf('maker', 'round', course('makerBps')),
      marksOf('taker', 'cross', course('takerBps')),
    ]),
    legend: [
      ['own', 'all fills, with one standard error each way; in brackets how many'],
      ['maker', 'maker (dot)'],
      ['taker', 'taker (cross)'],
    ],
    table: markoutTable(markouts),
  };
}

function markoutTable(markouts: LegCosts['markouts']): NonNullable<Figure['table']> {
  const cell = (value: number | null): string => (value === null ? '' : value.toFixed(2));
  return {
    heads: ['after', 'all', '± error', 'maker', 'taker', 'fills', 'missing'],
    rows: markouts.map(({ horizon, bps, standardError, makerBps, takerBps, fills, missing }) => [
      horizon,
      cell(bps),
      cell(standardError),
      cell(makerBps),
      cell(takerBps),
      String(fills),
      String(missing),
    ]),
  };
}

function latenessFigure({ slices }: PortfolioReport, leg: LegCosts): Figure | undefined {
  const sent = slices.flatMap(({ leg: of, due, lateMs }) =>
    of === leg.leg && due !== null && lateMs !== null ? [{ at: msOf(due), lateMs }] : [],
  );
  const [first, last] = [sent[0], sent.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [x, y] = [timeOf(first.at, last.at), heightOf(sent.map(({ lateMs }) => lateMs))];
  const words = {
    title: 'Lateness of slices in milliseconds',
    says: `${counted(sent.length, 'slice')}, ${leg.lateness.decidedMs?.p99 ?? 0} ms late at the 99th percentile`,
  };
  const points = sent.map(({ at, lateMs }): Point => [x(at), y(lateMs)]);
  return {
    ...words,
    svg: svgText(words, [upAxis(y, short), timeAxis(x), marksOf('own', 'round', points)]),
    legend: [['own', 'slice']],
  };
}
