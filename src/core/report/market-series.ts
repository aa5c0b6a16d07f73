// The market of one instrument over time as far as it was recorded: what was in force at an instant, means over an
// interval, and the holes. A price is in force until the next row, or until a hole begins; holes are never bridged.
import {
  averagePriceOn,
  type Money,
  notional,
  type Price,
  plus,
  type Quantity,
  quantityOf,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import { type Instant, instant, later, SECOND_MS } from '../../values/instant.ts';
import type { LegMoment, MarketInstant, MarketSecond } from './cost-rows.ts';
import { countedIn } from './counted-trades.ts';
import { midBetween, midOf, type SeenMarket, STALE_MS } from './seen-market.ts';

/** A row is in force for at most this long: the record has one each second. */
export const HOLE_MS = 10 * SECOND_MS;
/** The venue's count of volume may come so much later than the trade. */
const COUNT_LAG_MS = SECOND_MS / 2;
/** Decimals of a mean beyond those of the mid. */
const MEAN_PLACES = 10;
const GRID = { places: MEAN_PLACES, rounding: 'half_even' } as const;

interface Observation {
  readonly at: Instant;
  readonly market: SeenMarket;
  readonly mid: Price | undefined;
  readonly volume: Quantity | undefined;
  /** Seen at this event of the portfolio; absent: at a second. */
  readonly version: number | undefined;
}

export interface Interval {
  readonly from: Instant;
  readonly to: Instant;
}

export interface IntervalFigures {
  /** The time-weighted mean of the mid over the time that is covered. */
  readonly twap: Price | undefined;
  /** The share of the interval in which there was a mid, in [0, 1]. */
  readonly coverage: number;
  readonly holes: readonly Interval[];
  /** Of all trades that were counted; where none was, volumes of the seconds, each at the price last traded in it. */
  readonly vwap: Price | undefined;
  /** Of the seconds that begin in the interval or hold its ends. Absent if nothing counted it. */
  readonly volume: Quantity | undefined;
  /** The instant of the last row that is in it. */
  readonly countedTo: Instant | undefined;
}

export interface InForce {
  readonly at: Instant;
  readonly market: SeenMarket;
  readonly mid: Price | undefined;
}

/** What was offered when a millisecond ended. */
export interface ExactTouch {
  readonly bid: Price | undefined;
  readonly ask: Price | undefined;
  readonly mid: Price | undefined;
}

export class MarketSeries {
  readonly #rows: readonly Observation[];
  readonly #instants: ReadonlyMap<Instant, MarketInstant>;

  constructor(
    seconds: readonly MarketSecond[],
    moments: readonly LegMoment[],
    instants: readonly MarketInstant[],
  ) {
    this.#instants = new Map(instants.map((one) => [one.at, one]));
    const rows: Observation[] = [];
    for (const { at, market, volume } of seconds) add(rows, { at, market, volume });
    for (const { at, market, version } of moments) add(rows, { at, market, version });
    this.#rows = rows.sort((a, b) => a.at - b.at || (a.version ?? 0) - (b.version ?? 0));
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /**
   * The latest row at or before the instant; `undefined` in a hole. With `beforeVersion`, what was seen at that event of
   * the portfolio or later does not count: it may show the portfolio's own trade.
   */
  inForce(at: Instant, beforeVersion?: number): InForce | undefined {
    let index = this.#after(at) - 1;
    for (; index >= 0; index -= 1) {
      const { version } = this.#rows[index] as Observation;
      if (version === undefined || beforeVersion === undefined || version < beforeVersion) break;
    }
    const row = this.#rows[index];
    return row !== undefined && at - row.at <= HOLE_MS ? row : undefined;
  }

  /** `undefined` if it was not kept; without a mid if the market was not known, or a side was empty. */
  exactly(at: Instant): ExactTouch | undefined {
    const found = this.#instants.get(at);
    if (found === undefined) return undefined;
    const { bid, ask } = found;
    return { bid, ask, mid: midBetween(bid, ask) };
  }

  midAt(at: Instant, beforeVersion?: number): Price | undefined {
    return this.inForce(at, beforeVersion)?.mid;
  }

  /** The first mid at or after the instant, at most `withinMs` later. */
  firstMid(
    from: Instant,
    withinMs: number,
  ): { readonly at: Instant; readonly mid: Price } | undefined {
    for (let index = this.#after(later(from, -1)); index < this.#rows.length; index += 1) {
      const { at, mid } = this.#rows[index] as Observation;
      if (at > from + withinMs) return undefined;
      if (mid !== undefined) return { at, mid };
    }
    return undefined;
  }

  figures({ from, to }: Interval): IntervalFigures {
    const holes: Interval[] = [];
    let coveredMs = 0;
    let sum: Money = ZERO_MONEY;
    let known = from;
    let index = Math.max(0, this.#after(from) - 1);
    for (; index < this.#rows.length; index += 1) {
      const { at, mid } = this.#rows[index] as Observation;
      if (at >= to) break;
      const next = this.#rows[index + 1]?.at ?? to;
      const begin = Math.max(at, from);
      const end = Math.min(next, at + HOLE_MS, to);
      if (end > begin) {
        if (begin > known) holes.push({ from: known, to: instant(begin) });
        known = instant(Math.max(known, end));
        if (mid !== undefined) {
          coveredMs += end - begin;
          sum = plus(sum, notional(mid, quantityOf(end - begin)));
        }
      }
    }
    if (known < to) holes.push({ from: known, to });
    return {
      twap: coveredMs === 0 ? undefined : averagePriceOn(sum, quantityOf(coveredMs), GRID),
      coverage: to > from ? coveredMs / (to - from) : 0,
      holes: holes.filter((hole) => hole.to - hole.from > 2 * SECOND_MS),
      ...this.#volumes({ from, to }),
      ...this.#counted({ from, to }),
    };
  }

  /** How much of the interval its VWAP knows trade by trade, in [0, 1]; 0: it is an estimate. */
  countedShare(interval: Interval): number {
    const { coveredMs } = countedIn(this.#instants.values(), interval);
    return coveredMs / Math.max(1, interval.to - interval.from);
  }

  /** Nothing if no trades were counted. */
  #counted(interval: Interval): Partial<Pick<IntervalFigures, 'vwap'>> {
    const { volume, value, coveredMs } = countedIn(this.#instants.values(), interval);
    if (coveredMs === 0) return {};
    return { vwap: volume.isZero() ? undefined : averagePriceOn(value, volume, GRID) };
  }

  /**
   * A row has what was traded since the one before. The last one that counts is the first after the end by which the venue
   * has counted all trades until then: a portfolio that ends with a fill has it in the volume.
   */
  #volumes({ from, to }: Interval): Pick<IntervalFigures, 'vwap' | 'volume' | 'countedTo'> {
    let [volume, priced, value] = [ZERO_QUANTITY, ZERO_QUANTITY, ZERO_MONEY];
    let countedTo: Instant | undefined;
    for (let index = this.#after(from); index < this.#rows.length; index += 1) {
      const { at, volume: traded, market } = this.#rows[index] as Observation;
      if (at > to + HOLE_MS) break;
      if (traded === undefined) continue;
      countedTo = at;
      volume = plus(volume, traded);
      if (market.last !== undefined) {
        priced = plus(priced, traded);
        value = plus(value, notional(market.last, traded));
      }
      if (at >= to + COUNT_LAG_MS) break;
    }
    return {
      vwap: priced.isZero() ? undefined : averagePriceOn(value, priced, GRID),
      volume: countedTo === undefined ? undefined : volume,
      countedTo,
    };
  }

  /** What was in force in the interval, piece by piece; holes are left out. */
  *pieces({ from, to }: Interval): Generator<Interval & { readonly market: SeenMarket }> {
    for (let index = Math.max(0, this.#after(from) - 1); index < this.#rows.length; index += 1) {
      const { at, market } = this.#rows[index] as Observation;
      if (at >= to) return;
      const begin = Math.max(at, from);
      const end = Math.min(this.#rows[index + 1]?.at ?? to, at + HOLE_MS, to);
      if (end > begin) yield { from: instant(begin), to: instant(end), market };
    }
  }

  /** The mids of an interval for charts, at most one for each step. */
  points({ from, to }: Interval, stepMs: number): readonly InForce[] {
    const found: InForce[] = [];
    for (let index = Math.max(0, this.#after(from) - 1); index < this.#rows.length; index += 1) {
      const row = this.#rows[index] as Observation;
      if (row.at > to) break;
      const last = found.at(-1);
      if (last === undefined || row.at - last.at >= stepMs) found.push(row);
    }
    return found;
  }

  /** Index of the first row after the instant. */
  #after(at: Instant): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] as Observation).at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function add(
  rows: Observation[],
  seen: Pick<LegMoment, 'at' | 'market'> & {
    readonly volume?: Quantity | undefined;
    readonly version?: number;
  },
): void {
  const { at, market, volume, version } = seen;
  if (market === undefined || market.ageMs > STALE_MS) return;
  rows.push({ at, market, mid: midOf(market), volume, version });
}
