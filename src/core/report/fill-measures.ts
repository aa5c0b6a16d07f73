// What each fill cost against the market around it. Positive is a cost, for makers and takers alike; only `improvement` is
// better the larger it is, by custom.
import { distance, isPositive, type Price, text } from '../../values/amounts.ts';
import { type Instant, later, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import { type Side, signOf } from '../../values/instrument.ts';
import type { LegMoment } from './cost-rows.ts';
import type { FillHistory } from './leg-history.ts';
import type { ExactTouch, MarketSeries } from './market-series.ts';
import { midOf, type SeenMarket } from './seen-market.ts';

/** How long after a fill the market is looked at again; before it: whether the market was chased. */
export const HORIZONS = [
  { name: '-10s', ms: -10 * SECOND_MS },
  { name: '-1s', ms: -SECOND_MS },
  { name: '0s', ms: 0 },
  { name: '1s', ms: SECOND_MS },
  { name: '10s', ms: 10 * SECOND_MS },
  { name: '1m', ms: MINUTE_MS },
  { name: '5m', ms: 5 * MINUTE_MS },
  { name: '30m', ms: 30 * MINUTE_MS },
] as const;

const BPS = 10_000;

/** The millisecond before a fill is the last that shows nothing of it. */
const justBefore = (tradedAt: Instant): Instant => later(tradedAt, -1);

/** Where the touch has to be exact for a fill: just before it, and at every horizon from a second on. */
export const instantsOf = (tradedAt: Instant): readonly Instant[] => [
  justBefore(tradedAt),
  ...HORIZONS.flatMap(({ ms }) => (ms > 0 ? [later(tradedAt, ms)] : [])),
];

export type Horizon = (typeof HORIZONS)[number]['name'];

export interface MeasuredFill {
  readonly fill: FillHistory;
  /** The market before it, or, if none was recorded, when it was booked. */
  readonly market: SeenMarket | undefined;
  /** Best prices before it. */
  readonly touch: Pick<ExactTouch, 'bid' | 'ask'>;
  readonly mid: Price | undefined;
  /** The mid is that of the booking: it may show the fill itself. */
  readonly isMidLate: boolean;
  /** s (price − mid): the effective half spread, in the currency of the price. */
  readonly effective: Price | undefined;
  /** Half of ask − bid. */
  readonly quoted: Price | undefined;
  /** s (far touch at the child's decision − price): better the larger it is. */
  readonly improvement: Price | undefined;
  /** s (price − mid at the horizon); absent: the market was not recorded there. */
  readonly markouts: ReadonlyMap<Horizon, Price>;
  /** Of its mids from the fill on, how many are those of a second, because the touch of their instant was not kept. */
  readonly sampled: number;
}

export interface MeasureOptions {
  readonly side: Side;
  readonly series: MarketSeries;
  /** Of the leg, by the number of their event. */
  readonly moments: ReadonlyMap<number, LegMoment>;
}

const signedBy = (side: Side, of: Price): Price =>
  signOf(side) > 0 ? of : (of.negated() as Price);

/** A leg of a block has an allocated price: it is not measured against the book. */
export function measureFill(fill: FillHistory, options: MeasureOptions): MeasuredFill {
  const { side, series, moments } = options;
  const { isBlock } = fill.child;
  const before = marketBefore(fill, options);
  const { market, mid } = before;
  const against = (reference: Price): Price => signedBy(side, distance(reference, fill.price));
  const markouts = new Map<Horizon, Price>();
  let sampled = !isBlock && before.isSampled ? 1 : 0;
  for (const { name, ms } of isBlock ? [] : HORIZONS) {
    const at = later(fill.tradedAt, ms);
    const exact = ms > 0 ? series.exactly(at) : undefined;
    const reference = ms === 0 ? mid : exact === undefined ? series.midAt(at) : exact.mid;
    if (reference === undefined) continue;
    markouts.set(name, against(reference));
    if (ms > 0 && exact === undefined) sampled += 1;
  }
  const touch = farTouch(side, moments.get(fill.child.version)?.market);
  return {
    fill,
    market,
    markouts,
    sampled,
    touch: before.touch,
    mid: isBlock ? undefined : mid,
    isMidLate: before.isLate,
    effective: markouts.get('0s'),
    quoted: isBlock ? undefined : quotedHalf(before.touch),
    improvement:
      touch === undefined || isBlock ? undefined : signedBy(side, distance(fill.price, touch)),
  };
}

interface MarketBefore extends Pick<MeasuredFill, 'market' | 'touch' | 'mid'> {
  /** The mid is that of the booking. */
  readonly isLate: boolean;
  /** The mid is that of a second or of the booking. */
  readonly isSampled: boolean;
}

/**
 * The touch is that of the millisecond before the fill, or, if its child was decided in the same one, that of the decision. Where
 * neither was kept it is the last that was recorded.
 */
function marketBefore(fill: FillHistory, { series, moments }: MeasureOptions): MarketBefore {
  const seen = series.inForce(fill.tradedAt, fill.version);
  const booked = moments.get(fill.version);
  const decided = moments.get(fill.child.version);
  const market = seen?.mid === undefined ? booked?.market : seen.market;
  const exact = series.exactly(justBefore(fill.tradedAt));
  if (decided?.market !== undefined && decided.at === fill.tradedAt) {
    const touch = touchOf(decided.market);
    return { market, touch, mid: midOf(decided.market), isLate: false, isSampled: false };
  }
  if (exact !== undefined) {
    return { market, touch: exact, mid: exact.mid, isLate: false, isSampled: false };
  }
  const mid = seen?.mid ?? series.midAt(fill.tradedAt);
  const isLate = seen?.mid === undefined && mid !== undefined;
  return { market, touch: touchOf(market), mid, isLate, isSampled: mid !== undefined };
}

const touchOf = (market: SeenMarket | undefined): MeasuredFill['touch'] => ({
  bid: market?.bid?.price,
  ask: market?.ask?.price,
});

const farTouch = (side: Side, market: SeenMarket | undefined): Price | undefined =>
  (side === 'buy' ? market?.ask : market?.bid)?.price;

function quotedHalf({ bid, ask }: MeasuredFill['touch']): Price | undefined {
  return bid === undefined || ask === undefined ? undefined : (distance(bid, ask).div(2) as Price);
}

/** Σ of a measure over fills, weighted by quantity, with the quantity it covers. */
export interface Weighted {
  readonly perUnit: number;
  readonly bps: number | undefined;
  /** Of `bps`; absent with fewer than two fills. */
  readonly standardError: number | undefined;
  readonly fills: number;
  readonly missing: number;
}

/** What basis points are of: the mid before the fill; `undefined` where prices may be zero or negative. */
const ofMid = ({ mid }: MeasuredFill): number | undefined =>
  mid !== undefined && isPositive(mid) ? mid.toNumber() : undefined;

/** For options: the underlying, which is 1 where the premium is in coin. */
export const ofUnderlying =
  (isCoin: boolean) =>
  ({ market }: MeasuredFill): number | undefined =>
    isCoin ? 1 : (market?.underlying ?? market?.index)?.toNumber();

/** Basis points are of `baseOf` each fill; absent unless every measured fill has one. */
export function weighted(
  fills: readonly MeasuredFill[],
  measure: (fill: MeasuredFill) => Price | undefined,
  baseOf = ofMid,
): Weighted | undefined {
  let [sum, bps, units, count] = [0, 0, 0, 0];
  const shares: { readonly quantity: number; readonly share: number }[] = [];
  for (const one of fills) {
    const value = measure(one);
    if (value === undefined) continue;
    const quantity = one.fill.quantity.toNumber();
    count += 1;
    units += quantity;
    sum += value.toNumber() * quantity;
    const base = baseOf(one);
    if (base === undefined) continue;
    const share = value.toNumber() / base;
    bps += share * quantity;
    shares.push({ quantity, share });
  }
  const hasBps = shares.length === count;
  const mean = bps / units;
  if (units === 0) return undefined;
  return {
    perUnit: sum / units,
    bps: hasBps ? mean * BPS : undefined,
    standardError: hasBps && count > 1 ? errorOf(shares, mean) * BPS : undefined,
    fills: count,
    missing: fills.length - count,
  };
}

/** Of a mean weighted by quantity, as if fills were independent: √(n ∕ (n − 1) Σ q² (x − mean)²) ∕ Σ q. */
function errorOf(
  shares: readonly { readonly quantity: number; readonly share: number }[],
  mean: number,
): number {
  let [squares, units] = [0, 0];
  for (const { quantity, share } of shares) {
    squares += (quantity * (share - mean)) ** 2;
    units += quantity;
  }
  return Math.sqrt((shares.length / (shares.length - 1)) * squares) / units;
}

/** When the last horizon of a fill at the instant is past. */
export const horizonsPast = (at: Instant, now: Instant): boolean =>
  later(at, 30 * MINUTE_MS) <= now;

export const shownPrice = (value: Price | undefined): string | null =>
  value === undefined ? null : text(value);
