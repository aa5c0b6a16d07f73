// What the legs of a portfolio cost together: how far they were apart, the delta of what was filled over time, and how
// late and how dear hedges followed. Floats: these are measures of risk, not money.
import { fraction, isPositive, type Quantity, toNumber } from '../../values/amounts.ts';
import { type Instant, instant, isoText } from '../../values/instant.ts';
import { type Instrument, type Side, signOf } from '../../values/instrument.ts';
import { quantilesOf, round } from './fill-costs.ts';
import type { MeasuredFill } from './fill-measures.ts';
import type { InForce, MarketSeries } from './market-series.ts';
import { packageSums } from './package-sums.ts';
import type { HedgeShown, LegCosts, PackageCosts } from './report-shapes.ts';
import type { SeenMarket } from './seen-market.ts';

export interface PackageLeg {
  readonly leg: number;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly hedge: boolean;
  readonly asked: Quantity;
  readonly fills: readonly MeasuredFill[];
  readonly series: MarketSeries;
}

interface PackageQuestion {
  readonly legs: readonly PackageLeg[];
  readonly costs: readonly LegCosts[];
  readonly from: Instant;
  readonly to: Instant;
}

interface LegFill {
  readonly leg: PackageLeg;
  readonly one: MeasuredFill;
}

const BPS = 10_000;
/** Points of a chart, at most. */
const POINTS_MAX = 500;
/** Less delta than that is an error of rounding. */
const COIN_NOISE = 1e-12;

export function packageCosts({ legs, costs, from, to }: PackageQuestion): PackageCosts {
  const fills = legs
    .flatMap((leg) => leg.fills.map((one): LegFill => ({ leg, one })))
    .sort(
      (a, b) =>
        a.one.fill.tradedAt - b.one.fill.tradedAt || a.one.fill.version - b.one.fill.version,
    );
  const sums = packageSums(costs);
  return {
    usd: sums.shortfall === null ? null : round(Number(sums.shortfall.total), 2),
    ...sums,
    imbalance: imbalanceOf(legs, fills, { from, to }),
    delta: deltaOf(fills, to),
    hedges: legs.filter(({ hedge }) => hedge).map((leg) => hedgeOf(leg, fills)),
  };
}

/** Filled shares are steps: each difference lasts until the next fill. */
function imbalanceOf(
  legs: readonly PackageLeg[],
  fills: readonly LegFill[],
  { from, to }: Pick<PackageQuestion, 'from' | 'to'>,
): PackageCosts['imbalance'] {
  const counted = legs.filter(({ hedge, asked }) => !hedge && isPositive(asked));
  if (counted.length < 2) return null;
  const shares = new Map(counted.map(({ leg }) => [leg, 0]));
  let [greatest, greatestAt, area, apart, since] = [0, from as number, 0, 0, from as number];
  const points: ChartPoint[] = [];
  for (const { leg, one } of fills) {
    const share = shares.get(leg.leg);
    if (share === undefined) continue;
    const at = Math.max(since, one.fill.tradedAt);
    area += apart * (Math.min(at, to) - Math.min(since, to));
    since = at;
    shares.set(leg.leg, share + fraction(one.fill.quantity, leg.asked));
    apart = Math.max(...shares.values()) - Math.min(...shares.values());
    if (apart > greatest) [greatest, greatestAt] = [apart, one.fill.tradedAt];
    points.push({ at: one.fill.tradedAt, value: apart });
  }
  area += apart * Math.max(0, to - since);
  return {
    greatest: round(greatest, 6),
    at: isoText(instant(greatestAt)),
    mean: round(area / Math.max(1, to - from), 6),
    points: thinned(points).map(({ at, value }) => ({ at: isoText(at), apart: round(value, 6) })),
  };
}

interface ChartPoint {
  readonly at: Instant;
  readonly value: number;
}

/** Of each run of points the one farthest from zero, so that no extreme is lost, and the last of all. */
function thinned(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const step = Math.ceil(points.length / POINTS_MAX);
  if (step < 2) return points;
  const kept: ChartPoint[] = [];
  for (let from = 0; from < points.length; from += step) {
    const run = points.slice(from, from + step);
    kept.push(run.reduce((far, one) => (Math.abs(one.value) > Math.abs(far.value) ? one : far)));
  }
  const last = points.at(-1);
  if (last !== undefined && kept.at(-1) !== last) kept.push(last);
  return kept;
}

/** Delta of one unit bought, in coins; `undefined` if the market was not recorded. */
function coinsPerUnit(
  { kind, amountUnit }: Instrument,
  market: SeenMarket | undefined,
): number | undefined {
  if (kind === 'option') return market?.greeks?.delta;
  if (amountUnit === 'base') return 1;
  const at = market?.mark ?? market?.index;
  return at === undefined ? undefined : 1 / toNumber(at);
}

/** Of each fill as of the fill: what is held is not marked again. */
const coinsOf = ({ leg, one }: LegFill): number | undefined => {
  const each = coinsPerUnit(leg.instrument, one.market);
  return each === undefined ? undefined : signOf(leg.side) * each * toNumber(one.fill.quantity);
};

function deltaOf(fills: readonly LegFill[], to: Instant): PackageCosts['delta'] {
  const points: ChartPoint[] = [];
  let [coins, greatest, area] = [0, 0, 0];
  let since: Instant | undefined;
  for (const fill of fills) {
    const gained = coinsOf(fill);
    if (gained === undefined) return null;
    const { tradedAt } = fill.one.fill;
    area += Math.abs(coins) * (since === undefined ? 0 : tradedAt - since);
    since = tradedAt;
    coins += gained;
    if (Math.abs(coins) > Math.abs(greatest)) greatest = coins;
    points.push({ at: tradedAt, value: coins });
  }
  const [first] = points;
  if (first === undefined || since === undefined) return null;
  area += Math.abs(coins) * Math.max(0, to - since);
  return {
    greatest: round(greatest, 8),
    final: round(coins, 8),
    mean: round(area / Math.max(1, Math.max(to, since) - first.at), 8),
    points: thinned(points).map(({ at, value }) => ({ at: isoText(at), coins: round(value, 8) })),
  };
}

const sumOf = (open: readonly OpenDelta[]): number =>
  open.reduce((sum, { coins }) => sum + coins, 0);

interface OpenDelta {
  readonly at: Instant;
  /** The hedge's market when the delta arose; of what was hedged too much none. */
  readonly seen: InForce | undefined;
  coins: number;
}

/** Adds delta after the oldest of the other sign was offset by it; what remains open has one sign. */
function openMore(open: OpenDelta[], more: OpenDelta): void {
  while (open[0] !== undefined && Math.sign(open[0].coins) === -Math.sign(more.coins)) {
    const taken = Math.min(Math.abs(open[0].coins), Math.abs(more.coins));
    open[0].coins -= Math.sign(open[0].coins) * taken;
    more.coins -= Math.sign(more.coins) * taken;
    if (Math.abs(open[0].coins) < COIN_NOISE) open.shift();
    if (Math.abs(more.coins) < COIN_NOISE) return;
  }
  open.push(more);
}

/**
 * Every fill of another leg opens delta; fills of the hedge close it, the oldest first. A hedge beyond that is open delta of
 * the other sign, until later fills need it.
 */
function hedgeOf(hedge: PackageLeg, fills: readonly LegFill[]): HedgeShown {
  const open: OpenDelta[] = [];
  const lags: number[] = [];
  let [covered, cost, priced, beyond] = [0, 0, 0, 0];
  for (const fill of fills) {
    const coins = coinsOf(fill);
    if (coins === undefined) continue;
    const { tradedAt, price } = fill.one.fill;
    if (fill.leg.leg !== hedge.leg) {
      const seen = hedge.series.inForce(tradedAt);
      if (!fill.leg.hedge) openMore(open, { at: tradedAt, seen, coins });
      continue;
    }
    let left = Math.abs(coins);
    while (left > COIN_NOISE && open[0] !== undefined) {
      const [oldest] = open;
      if (Math.sign(oldest.coins) === Math.sign(coins)) break;
      const taken = Math.min(left, Math.abs(oldest.coins));
      left -= taken;
      covered += taken;
      lags.push(tradedAt - oldest.at);
      const mid = oldest.seen?.mid;
      if (mid !== undefined && isPositive(mid)) {
        priced += taken;
        cost += signOf(hedge.side) * (price.toNumber() / mid.toNumber() - 1) * taken * BPS;
      }
      oldest.coins -= Math.sign(oldest.coins) * taken;
      if (Math.abs(oldest.coins) < COIN_NOISE) open.shift();
    }
    if (left <= COIN_NOISE) continue;
    open.push({ at: tradedAt, seen: undefined, coins: Math.sign(coins) * left });
    beyond = Math.max(beyond, Math.abs(sumOf(open)));
  }
  return {
    leg: hedge.leg,
    covered: round(covered, 8),
    open: round(sumOf(open), 8),
    beyond: round(beyond, 8),
    costBps: priced === 0 ? null : round(cost / priced),
    lagMs: quantilesOf(lags),
  };
}
