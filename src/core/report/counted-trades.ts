// What was traded in an interval, from counts of all trades up to single instants. Each daemon and each connection counts for
// itself, so only counts with the same beginning are compared. Time that no count covers stays unknown.
import {
  type Money,
  minus,
  plus,
  type Quantity,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { MarketInstant, TradeCount } from './cost-rows.ts';

/** From the first to the last count with one beginning. */
interface Span {
  readonly from: Counting;
  readonly to: Counting;
}

interface Counting extends TradeCount {
  readonly at: Instant;
}

export interface Counted {
  readonly volume: Quantity;
  /** Sum of price × size. */
  readonly value: Money;
  /** How much of the interval is counted. */
  readonly coveredMs: number;
}

/** Of the trades after `from` up to `to`. */
export function countedIn(
  instants: Iterable<MarketInstant>,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Counted {
  const bySince = new Map<Instant, Counting[]>();
  for (const { at, count } of instants) {
    if (count === undefined || at < from || at > to) continue;
    const others = bySince.get(count.since) ?? [];
    bySince.set(count.since, others);
    others.push({ at, ...count });
  }
  const spans = [...bySince.values()].map(spanOf).sort((a, b) => lengthOf(b) - lengthOf(a));
  const chosen: Span[] = [];
  let [volume, value, coveredMs] = [ZERO_QUANTITY, ZERO_MONEY, 0];
  for (const span of spans) {
    // What two daemons have counted is taken from the one that counted longer.
    if (chosen.some((other) => span.from.at < other.to.at && span.to.at > other.from.at)) continue;
    chosen.push(span);
    volume = plus(volume, minus(span.to.volume, span.from.volume));
    value = plus(value, minus(span.to.value, span.from.value));
    coveredMs += lengthOf(span);
  }
  return { volume, value, coveredMs };
}

const lengthOf = ({ from, to }: Span): number => to.at - from.at;

function spanOf(counts: readonly Counting[]): Span {
  const [first, ...others] = counts as [Counting, ...Counting[]];
  let [from, to] = [first, first];
  for (const one of others) {
    if (one.at < from.at) from = one;
    if (one.at > to.at) to = one;
  }
  return { from, to };
}
