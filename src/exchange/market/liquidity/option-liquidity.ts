// Width and depth of option books by expiry and moneyness, based on recorded chains.
import { DAYS_PER_YEAR } from '../../../quant/year-fraction.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import {
  DEEP_WIDTH_SPREAD,
  OPTION_BOOKS,
  OPTION_MARKETS,
  type OptionMarket,
  STEADY,
  WIDE_FROM,
  WIDTH_DAYS,
  WIDTH_DELTAS,
} from '../market-parameters.ts';
import {
  alarmWidth,
  livelinessAt,
  type MarketActivity,
  pulledAt,
  sizeFactor,
  widthFactor,
} from '../prices/market-activity.ts';
import type { Valuation } from '../prices/marks.ts';
import type { Liquidity, WideQuotes } from './liquidity.ts';

/** Levels behind the best, leaning and takers follow the width only up to this half-width, in coins. */
const HALF_WIDTH_USUAL = 0.012;
/** Of the pace of variance in an ordinary hour, at which the widths of the table were measured. */
const USUAL_PACE = 0.64;
const USUAL_WIDTH = widthFactor(USUAL_PACE);
const TABLE_UNIT = 0.0001;
/** From here on books are called deep in the money. */
const DEEP_DELTA = 0.65;
/** Slightly more than half a small tick: the narrowest market. */
const HALF_WIDTH_MIN_TICKS = 0.6;
/** A unit of depth is at most this fraction of the price, so that bids stay above zero. */
const DEPTH_MAX = 0.1;
const FAR_DAYS = 30;
/** The share of the way from one point of the table to the next in which the width is still that of the point. */
const FLAT = 0.3;

/** Sizes are smaller near the money than in the wings; trading declines with the distance from the money. */
export function optionLiquidity(
  instrument: Instrument,
  at: Valuation,
  mood: MarketActivity,
): Liquidity {
  const market = OPTION_MARKETS[String(instrument.base) as Coin];
  const delta = deltaOf(at);
  const quoted = { instrument, at, mood };
  const halfSpread = halfWidth(quoted, at.option === undefined ? 0 : tableWidth(market, at));
  const usual = Math.min(halfSpread, HALF_WIDTH_USUAL);
  const interest = 1 - Math.abs(2 * delta - 1);
  const best = market.size * wingFactor(delta) * sizeFactor(mood);
  const near = Math.min(1, Math.sqrt(FAR_DAYS / Math.max(1, daysLeft(at))));
  return {
    halfSpread,
    wide: wideQuotes(market, quoted),
    modeSpread: delta >= DEEP_DELTA ? DEEP_WIDTH_SPREAD : 0,
    widthSpread: 0,
    sway: 0,
    touchSpread: OPTION_BOOKS.touchSpread,
    depths: OPTION_BOOKS.depths.map((times) => times * Math.min(usual, DEPTH_MAX * at.fair)),
    sizes: OPTION_BOOKS.sizes.map((times) => times * best),
    pulled: pulledAt(mood.alarm),
    capacity: OPTION_BOOKS.capacity * best,
    leanMax: OPTION_BOOKS.lean * usual,
    liveliness: livelinessAt(mood, STEADY) * near * (0.05 + 0.95 * interest),
    takerSize: market.takerSize,
    takerReach: 2 * usual,
  };
}

const daysLeft = ({ option }: Valuation): number => (option?.years ?? 0) * DAYS_PER_YEAR;

/** Out-of-the-money options are cheap and quoted for the same money, so in larger amounts. */
const wingFactor = (delta: number): number =>
  delta >= 0.25 ? 1 : 1 + 13 * ((0.25 - delta) / 0.25) ** 2;

interface Quoted {
  readonly instrument: Instrument;
  readonly at: Valuation;
  readonly mood: MarketActivity;
}

/** Of a width of the table, in coins. */
function halfWidth({ instrument, at, mood }: Quoted, tabled: number): number {
  const { option } = at;
  const tick = toNumber(instrument.tickSize);
  if (option === undefined) return HALF_WIDTH_MIN_TICKS * tick;
  const delta = deltaOf(at);
  const width = tabled * (widthFactor(mood.pace) / USUAL_WIDTH);
  // Rounding both sides away from each other widens a market by about one step.
  const step = stepAt(instrument, at.fair);
  const hedging = delta * alarmWidth(mood);
  return Math.max(HALF_WIDTH_MIN_TICKS * tick, (width - step) / 2) + hedging;
}

const deltaOf = ({ option }: Valuation): number => Math.abs(option?.greeks.delta ?? 0);

function wideQuotes({ wide }: OptionMarket, quoted: Quoted): WideQuotes {
  const { shares, widths } = wide;
  const place = placeOf(quoted.at);
  const deep = (rows: readonly (readonly number[])[], row: number, column: number): number =>
    rows[row]?.[Math.max(0, column - WIDE_FROM)] ?? 1;
  const share = blended(place, (row, column) =>
    column < WIDE_FROM ? 0 : deep(shares, row, column),
  );
  const width = blended(place, (row, column) => Math.log(deep(widths, row, column)));
  return { share, halfSpread: halfWidth(quoted, TABLE_UNIT * Math.exp(width)) };
}

/** In coins: that of the nearest points of the table, with a ramp of its logarithm halfway between two of them. */
const tableWidth = ({ widths }: OptionMarket, at: Valuation): number =>
  TABLE_UNIT *
  Math.exp(blended(placeOf(at), (row, column) => Math.log(widths[row]?.[column] ?? 1)));

interface Place {
  readonly row: Between;
  readonly column: Between;
}

const placeOf = (at: Valuation): Place => ({
  row: placeIn(WIDTH_DAYS, daysLeft(at), Math.log),
  column: placeIn(WIDTH_DELTAS, deltaOf(at), (value) => value),
});

/** Of the four points around a place. */
function blended(
  { row, column }: Place,
  valueAt: (dayRow: number, deltaColumn: number) => number,
): number {
  const alongDelta = (dayRow: number): number =>
    valueAt(dayRow, column.low) * (1 - column.share) + valueAt(dayRow, column.high) * column.share;
  return alongDelta(row.low) * (1 - row.share) + alongDelta(row.high) * row.share;
}

/** The points around a value and how much of the second applies. */
interface Between {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

/** At the ends, the end point. */
function placeIn(
  points: readonly number[],
  value: number,
  scale: (value: number) => number,
): Between {
  const high = points.findIndex((point) => point >= value);
  if (high === 0) return { low: 0, high: 0, share: 0 };
  const last = points.length - 1;
  if (high < 0) return { low: last, high: last, share: 0 };
  const [from, to] = [scale(points[high - 1] ?? value), scale(points[high] ?? value)];
  const share = ((scale(value) - from) / (to - from) - FLAT) / (1 - 2 * FLAT);
  return { low: high - 1, high, share: Math.max(0, Math.min(1, share)) };
}

function stepAt({ tickSize, tickSteps }: Instrument, price: number): number {
  let step = toNumber(tickSize);
  for (const { above, tickSize: wider } of tickSteps) {
    if (price > toNumber(above)) step = toNumber(wider);
  }
  return step;
}
