// The figure of prices: children at their prices and fills inside the touch, with the benchmarks, and the holes of the record.

import { scaleLinear } from 'd3-scale';
import type {
  ChildShown,
  FillShown,
  LegCosts,
  PortfolioReport,
} from '../../core/report/report-shapes.ts';
import { atPlaces, counted, placesOf } from '../../values/text/written-figures.ts';
import { msOf, plain, timeOf } from './figure-scales.ts';
import {
  bandsOf,
  type Figure,
  levelAt,
  marksOf,
  type Point,
  piecesOf,
  ribbonOf,
  stepsOf,
  svgText,
  timeAxis,
  UPWARDS,
  upAxis,
} from './svg-figure.ts';

export const PRICES_TITLE = 'Market, children and fills';
/** A child that was taken at once is still seen. */
const CHILD_WIDTH_MIN = 2;

export function priceFigure(
  { children, over }: Pick<PortfolioReport, 'children' | 'over'>,
  leg: LegCosts,
  fills: readonly FillShown[],
): Figure | undefined {
  const [first, last] = [leg.course[0], leg.course.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const until = msOf(over ?? last.at);
  const sent = children.filter((one) => one.leg === leg.leg && wasSent(one));
  const resting = sent.filter(mayRest);
  const prices = pricesOf(leg, fills, resting);
  const levels = levelsOf(leg);
  const x = timeOf(msOf(first.at), Math.max(until, msOf(last.at)));
  const y = scaleLinear()
    .domain(extent([...prices, ...levels.map(({ at }) => at)]))
    .nice()
    .range(UPWARDS);
  const holes = holesWithin(leg, x.domain().map(Number) as [number, number]);
  const drawn = ([begin, end, price]: readonly [number, number, number]) => {
    const left = x(begin);
    return [left, Math.max(x(end), left + CHILD_WIDTH_MIN), y(price)] as const;
  };
  const words = wordsOf(fills, sent.length, holes.length);
  return {
    ...words,
    svg: svgText(words, [
      bandsOf(
        'hole',
        holes.map(([begin, end]) => [x(begin), x(end)] as const),
      ),
      upAxis(y, (value) => atPlaces(plain(value), placesOf(leg.tickSize))),
      timeAxis(x),
      ...marketOf(leg, x, y),
      ...levels.map(({ kind, at }) => levelAt(kind, y(at))),
      piecesOf(
        'child',
        resting.flatMap((child) => childPieces(child, until).map(drawn)),
      ),
      marksOf('maker', 'round', fillPoints(fills, 'maker', x, y)),
      marksOf('taker', 'cross', fillPoints(fills, 'taker', x, y)),
    ]),
    legend: legendOf(levels, holes.length > 0),
  };
}

type Scale = (value: number) => number;

/** The best bid and ask, and the band between them. */
function marketOf({ course }: LegCosts, x: Scale, y: Scale): readonly string[] {
  const height = (of: string | null): number | undefined =>
    of === null ? undefined : y(Number(of));
  const quotes = course.map(({ at, bid, ask }) => [x(msOf(at)), height(bid), height(ask)] as const);
  return [
    ribbonOf('market', quotes),
    stepsOf(
      'market',
      quotes.map(([at, bid]): Point => [at, bid]),
    ),
    stepsOf(
      'market',
      quotes.map(([at, , ask]): Point => [at, ask]),
    ),
  ];
}

const fillPoints = (
  fills: readonly FillShown[],
  liquidity: 'maker' | 'taker',
  x: Scale,
  y: Scale,
): readonly Point[] =>
  fills
    .filter((one) => one.liquidity === liquidity)
    .map((one) => [x(msOf(one.at)), y(Number(one.price))]);

function wordsOf(fills: readonly FillShown[], children: number, holes: number) {
  const makers = fills.filter(({ liquidity }) => liquidity === 'maker').length;
  const missing = holes === 0 ? '' : `; holes of the record: ${holes}`;
  return {
    title: PRICES_TITLE,
    says: `${counted(fills.length, 'fill')} of ${counted(children, 'child', 'children')}, ${makers} of them as maker${missing}`,
  };
}

const legendOf = (levels: ReturnType<typeof levelsOf>, hasHoles: boolean): Figure['legend'] => [
  ['market', 'best bid and ask'],
  ['child', 'child that may rest, at its price'],
  ['maker', 'maker fill (dot)'],
  ['taker', 'taker fill (cross)'],
  ...levels.map(({ kind, name, shown }) => [kind, `${name} ${shown}`] as const),
  ...(hasHoles ? [['hole', 'nothing recorded'] as const] : []),
];

const pricesOf = (
  leg: LegCosts,
  fills: readonly FillShown[],
  resting: readonly ChildShown[],
): readonly number[] =>
  [
    ...leg.course.flatMap(({ bid, ask }) => [bid, ask]),
    ...fills.map(({ price }) => price),
    ...resting.flatMap((child) => child.prices.map(({ price }) => price)),
  ].flatMap((price) => (price === null ? [] : Number(price)));

const holesWithin = (
  leg: LegCosts,
  [from, to]: readonly [number, number],
): readonly (readonly [number, number])[] =>
  leg.benchmarks.holes
    .map((hole) => [Math.max(from, msOf(hole.from)), Math.min(to, msOf(hole.to))] as const)
    .filter(([begin, end]) => begin < end);

const wasSent = ({ outcome, isBlock }: ChildShown): boolean =>
  !isBlock && outcome !== 'rejected' && outcome !== 'unsent';

/** The limit of a market order is far from the market, and it never is in the book. */
const mayRest = ({ timeInForce }: ChildShown): boolean =>
  timeInForce !== 'immediate_or_cancel' && timeInForce !== 'fill_or_kill';

/** Each price of a child from when it had it until the next, or until it was closed. */
function childPieces(
  { prices, live, closed }: ChildShown,
  until: number,
): readonly (readonly [from: number, to: number, price: number])[] {
  const end = closed === null ? until : msOf(closed);
  return prices.map(({ at, price }, index) => {
    const next = prices[index + 1];
    const from = index === 0 && live !== null ? msOf(live) : msOf(at);
    return [from, next === undefined ? end : msOf(next.at), Number(price)];
  });
}

interface Level {
  readonly kind: string;
  readonly name: string;
  readonly at: number;
  readonly shown: string;
}

const levelsOf = ({ benchmarks, averagePrice, tickSize }: LegCosts): readonly Level[] =>
  (
    [
      ['arrival', 'arrival (dash and dot)', benchmarks.arrival],
      ['twap', 'TWAP (dots)', benchmarks.twap],
      ['average', 'average (dashes)', averagePrice],
    ] as const
  ).flatMap(([kind, name, price]) =>
    price === null
      ? []
      : [{ kind, name, at: Number(price), shown: atPlaces(price, placesOf(tickSize)) }],
  );

/** Not over an argument list: there may be as many prices as fills. */
function extent(values: readonly number[]): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return [0, 1];
  return low === high
    ? [low - Math.max(1e-4, Math.abs(low) * 1e-4), high + Math.max(1e-4, Math.abs(high) * 1e-4)]
    : [low, high];
}
