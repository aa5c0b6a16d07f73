// Width and depth of option books by expiry and moneyness, based on recorded chains.
import { DAYS_PER_YEAR } from '../../../quant/year-fraction.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import {
  OPTION_BOOKS,
  OPTION_MARKETS,
  type OptionMarket,
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
import type { Liquidity } from './liquidity.ts';

/** Levels behind the best, leaning and takers follow the width only up to this half-width, in coins. */
const HALF_WIDTH_USUAL = 0.012;
/** Of the pace of variance in an ordinary hour, at which the widths of the table were measured. */
const USUAL_PACE = 0.64;
const USUAL_WIDTH = widthFactor(USUAL_PACE);
const TABLE_UNIT = 0.0001;
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
  const delta = Math.abs(at.option?.greeks.delta ?? 0);
  const halfSpread = halfWidth(instrument, { at, mood, market });
  const usual = Math.min(halfSpread, HALF_WIDTH_USUAL);
  const interest = 1 - Math.abs(2 * delta - 1);
  const best = market.size * wingFactor(delta) * sizeFactor(mood);
  const near = Math.min(1, Math.sqrt(FAR_DAYS / Math.max(1, daysLeft(at))));
  return {
    halfSpread,
    widthSpread: 0,
    sway: 0,
    touchSpread: OPTION_BOOKS.touchSpread,
    depths: OPTION_BOOKS.depths.map((times) => times * Math.min(usual, DEPTH_MAX * at.fair)),
    sizes: OPTION_BOOKS.sizes.map((times) => times * best),
    pulled: pulledAt(mood.alarm),
    capacity: OPTION_BOOKS.capacity * best,
    leanMax: OPTION_BOOKS.lean * usual,
    liveliness: livelinessAt(mood) * near * (0.05 + 0.95 * interest),
    takerSize: market.takerSize,
    takerReach: 2 * usual,
  };
}

const daysLeft = ({ option }: Valuation): number => (option?.years ?? 0) * DAYS_PER_YEAR;

/** Out-of-the-money options are cheap and quoted for the same money, so in larger amounts. */
const wingFactor = (delta: number): number =>
  delta >= 0.25 ? 1 : 1 + 13 * ((0.25 - delta) / 0.25) ** 2;

function halfWidth(
  instrument: Instrument,
  of: { readonly at: Valuation; readonly mood: MarketActivity; readonly market: OptionMarket },
): number {
  const { at, mood, market } = of;
  const { option } = at;
  const tick = toNumber(instrument.tickSize);
  if (option === undefined) return HALF_WIDTH_MIN_TICKS * tick;
  const delta = Math.abs(option.greeks.delta);
  const width = tableWidth(market, daysLeft(at), delta) * (widthFactor(mood.pace) / USUAL_WIDTH);
  // Rounding both sides away from each other widens a market by about one step.
  const step = stepAt(instrument, at.fair);
  const hedging = delta * alarmWidth(mood);
  return Math.max(HALF_WIDTH_MIN_TICKS * tick, (width - step) / 2) + hedging;
}

/** In coins: that of the nearest points of the table, with a ramp of its logarithm halfway between two of them. */
function tableWidth({ widths }: OptionMarket, days: number, delta: number): number {
  const row = placeIn(WIDTH_DAYS, days, Math.log);
  const column = placeIn(WIDTH_DELTAS, delta, (value) => value);
  const at = (dayRow: number, deltaColumn: number): number =>
    Math.log(widths[dayRow]?.[deltaColumn] ?? 1);
  const alongDelta = (dayRow: number): number =>
    at(dayRow, column.low) * (1 - column.share) + at(dayRow, column.high) * column.share;
  const logWidth = alongDelta(row.low) * (1 - row.share) + alongDelta(row.high) * row.share;
  return TABLE_UNIT * Math.exp(logWidth);
}

/** The points around a value and how much of the second applies; at the ends, the end point. */
function placeIn(
  points: readonly number[],
  value: number,
  scale: (value: number) => number,
): { readonly low: number; readonly high: number; readonly share: number } {
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
