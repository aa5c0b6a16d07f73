// The best levels of the book of one instrument, as its channel publishes them: whole in every message.
import { exactSum } from '../exact-sum.ts';

export interface BookRecord {
  readonly timestamp: number;
  readonly bids: readonly LevelPair[];
  readonly asks: readonly LevelPair[];
}

export type LevelPair = readonly [price: string, amount: string];

export interface Spread {
  /** To the last digit. */
  readonly width: string;
  readonly mid: number;
  /** Of the mid; absent where that is not above zero. */
  readonly bps: number | undefined;
}

/** Between the best levels; `undefined` without both. */
export function spreadOf({ bids, asks }: Pick<BookRecord, 'bids' | 'asks'>): Spread | undefined {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return undefined;
  const width = exactSum(ask, bid.startsWith('-') ? bid.slice(1) : `-${bid}`);
  if (width === undefined) return undefined;
  const mid = (Number(bid) + Number(ask)) / 2;
  return { width, mid, bps: mid > 0 ? (Number(width) / mid) * 10_000 : undefined };
}

/** The size of each level and of those before it, best first. */
export function depthOf(levels: readonly LevelPair[]): readonly string[] {
  let sum = '0';
  return levels.map(([, amount]) => {
    sum = exactSum(sum, amount) ?? sum;
    return sum;
  });
}

/** What an order of this size would pay on average if it took these levels, best first; absent if they are too few. */
export function averageOf(levels: readonly LevelPair[], size: number): number | undefined {
  let left = size;
  let paid = 0;
  for (const [price, amount] of levels) {
    const taken = Math.min(left, Number(amount));
    paid += taken * Number(price);
    left -= taken;
    if (left <= 0) return paid / size;
  }
  return undefined;
}
