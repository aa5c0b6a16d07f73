// The panel of prices of one leg: touch and mid, own orders as long as they rested, and fills. Its range is that of what was
// quoted and traded; own orders beyond it are marked at its edge.
import type uPlot from 'uplot';
import { grouped } from '../../../values/text/written-figures.ts';
import { figure, NO_FIGURE } from '../../model/formatting.ts';
import type { Window } from '../../model/portfolio/chart-view.ts';
import type { Times } from '../../model/portfolio/course-data.ts';
import {
  type Gap,
  gapsOf,
  type LegCourse,
  placeOf,
  priceData,
  priceRange,
  type Resting,
  restingLines,
  valueAt,
} from '../../model/portfolio/course-data.ts';
import { type ChartWish, type Colours, drawLine, scaleOf, stepSeries } from './chart.ts';
import { type Panel, priceText, type Reading } from './panel.ts';

export interface PriceView {
  readonly leg: LegCourse;
  readonly times: Times;
  readonly window: Window;
  /** Decimals of a price; `undefined`: not known. */
  readonly places: number | undefined;
}

interface Mark {
  readonly at: number;
  readonly price: number;
  readonly isMaker: boolean;
}

const [MARK_PX, EDGE_PX] = [5, 5];

export function pricePanel(view: PriceView): Panel {
  const { leg, times, places } = view;
  const { at, bid, ask, mid } = priceData(leg, times);
  const own = restingLines(leg, times.now);
  const fills = leg.fills.toSorted((a, b) => a.at - b.at);
  const fillsAt = fills.map((one) => one.at);
  return {
    name: 'price',
    title: 'Price',
    says: `Prices of ${leg.instrument}: ${pricesText(leg)}`,
    wish: priceWish(view, { data: [at, bid, ask, mid], own }),
    readings: (instant) => [
      { key: 'touch-key', label: 'bid', value: priceText(valueAt(at, bid, instant), places) },
      { label: 'ask', value: priceText(valueAt(at, ask, instant), places) },
      { key: 'mid-key', label: 'mid', value: midText(valueAt(at, mid, instant), places) },
      { key: 'rest-key', label: 'own orders', value: restingText(own, instant, places) },
      fillReading(view, fills[placeOf(fillsAt, instant)]),
    ],
  };
}

/** Half a tick is possible. */
const midText = (mid: number | null, places: number | undefined): string =>
  priceText(mid, places === undefined ? undefined : places + 1);

function restingText(own: readonly Resting[], instant: number, places: number | undefined): string {
  const prices = own
    .filter(({ from, to, isOpen }) => from <= instant && (instant < to || isOpen))
    .map(({ price }) => priceText(price, places));
  return prices.length === 0 ? NO_FIGURE : [...new Set(prices)].join(', ');
}

/** The latest fill up to the instant. */
function fillReading(
  { leg, places }: PriceView,
  last: LegCourse['fills'][number] | undefined,
): Reading {
  const key = `${leg.side}-key`;
  if (last === undefined) return { key, label: 'fill', value: NO_FIGURE };
  const value = `${grouped(last.quantity)} at ${priceText(Number(last.price), places)}, ${last.liquidity}`;
  return { key, label: 'last fill', value };
}

function pricesText({ market, children, fills }: LegCourse): string {
  const last = market.at(-1);
  const touch =
    last === undefined ? 'no market recorded' : `bid ${last.bid ?? '–'}, ask ${last.ask ?? '–'}`;
  const open = children.filter(({ closedAt }) => closedAt === null);
  const rests = open.map(({ prices }) => prices.at(-1)?.price).join(', ');
  const fill = fills.at(-1);
  return [
    touch,
    open.length === 0 ? 'no resting order' : `resting at ${rests}`,
    fill === undefined ? 'no fill' : `${figure(fills.length)} fills, the last at ${fill.price}`,
  ].join('; ');
}

function priceWish(
  { leg, times, window, places }: PriceView,
  { data, own }: { readonly data: ChartWish['data']; readonly own: readonly Resting[] },
): ChartWish {
  const isShown = (from: number, to: number): boolean => to >= window.from && from <= window.to;
  const fills = leg.fills
    .filter(({ at }) => isShown(at, at))
    .map(({ at, price, liquidity }) => ({
      at,
      price: Number(price),
      isMaker: liquidity === 'maker',
    }));
  const orders = own.filter(({ from, to }) => isShown(from, to));
  const gaps = gapsOf(leg.market, times);
  return {
    data,
    window,
    series: ({ soft, front }) => [
      stepSeries(soft, 0.5),
      stepSeries(soft, 0.5),
      stepSeries(front, 1.25),
    ],
    bands: ({ plan }) => [{ series: [2, 1], fill: plan }],
    range: (low, high) =>
      priceRange(
        [low, high, ...fills.map(({ price }) => price)],
        orders.map(({ price }) => price),
      ) ?? [0, 1],
    below: (plot, colours) => drawGaps(plot, gaps, colours),
    above: (plot, colours) => {
      drawNow(plot, times.now, colours);
      for (const one of orders) drawOrder(plot, one, colours);
      const colour = colours[leg.side];
      for (const one of fills) drawFill(plot, one, { side: leg.side, colour, back: colours.back });
    },
    label: (value) => priceText(value, places),
    hasTimes: true,
  };
}

/** A time without a recorded market is not white: it is known to be unknown. */
function drawGaps(plot: uPlot, gaps: readonly Gap[], { line }: Colours): void {
  const { ctx, bbox } = plot;
  ctx.fillStyle = line;
  ctx.globalAlpha = 0.5;
  for (const { from, to } of gaps) {
    const left = plot.valToPos(from, 'x', true);
    ctx.fillRect(left, bbox.top, plot.valToPos(to, 'x', true) - left, bbox.height);
  }
  ctx.globalAlpha = 1;
}

export function drawNow(plot: uPlot, now: number, { soft }: Colours): void {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(now, 'x', true);
  const px = scaleOf();
  ctx.lineWidth = px;
  ctx.strokeStyle = soft;
  ctx.setLineDash([3 * px, 4 * px]);
  drawLine(ctx, { from: [x, bbox.top], to: [x, bbox.top + bbox.height] });
  ctx.setLineDash([]);
}

/** Beyond the range: a point at its edge, towards the price. */
function drawOrder(plot: uPlot, { from, to, price, isOpen }: Resting, { warn }: Colours): void {
  const { ctx, bbox } = plot;
  const px = scaleOf();
  const left = plot.valToPos(from, 'x', true);
  // One that rested for a moment is still to be seen.
  const right = Math.max(plot.valToPos(to, 'x', true), left + 3 * px);
  const y = plot.valToPos(price, 'y', true);
  const bottom = bbox.top + bbox.height;
  ctx.strokeStyle = warn;
  ctx.fillStyle = warn;
  if (y >= bbox.top && y <= bottom) {
    ctx.lineWidth = (isOpen ? 3 : 1.5) * px;
    drawLine(ctx, { from: [left, y], to: [right, y] });
    return;
  }
  const isAbove = y < bbox.top;
  const tip = isAbove ? bbox.top : bottom;
  triangle(ctx, { x: isOpen ? right : left, tip, height: (isAbove ? 1 : -1) * 2 * EDGE_PX * px });
  ctx.fill();
}

/** ▲ buys, ▼ sells; hollow as maker, solid as taker. */
function drawFill(
  plot: uPlot,
  { at, price, isMaker }: Mark,
  {
    side,
    colour,
    back,
  }: { readonly side: 'buy' | 'sell'; readonly colour: string; readonly back: string },
): void {
  const { ctx } = plot;
  const px = scaleOf();
  const half = MARK_PX * px;
  const [x, y] = [plot.valToPos(at, 'x', true), plot.valToPos(price, 'y', true)];
  const way = side === 'buy' ? 1 : -1;
  triangle(ctx, { x, tip: y - way * half, height: way * 2 * half });
  ctx.lineWidth = 1.5 * px;
  ctx.strokeStyle = colour;
  ctx.fillStyle = isMaker ? back : colour;
  ctx.fill();
  ctx.stroke();
}

function triangle(
  ctx: CanvasRenderingContext2D,
  { x, tip, height }: { readonly x: number; readonly tip: number; readonly height: number },
): void {
  const half = Math.abs(height) / 2;
  ctx.beginPath();
  ctx.moveTo(x, tip);
  ctx.lineTo(x - half, tip + height);
  ctx.lineTo(x + half, tip + height);
  ctx.closePath();
}
