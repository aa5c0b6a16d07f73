// The best levels of the book of one instrument, as its channel publishes them: whole in every message.

export interface BookRecord {
  readonly timestamp: number;
  readonly bids: readonly LevelPair[];
  readonly asks: readonly LevelPair[];
}

export type LevelPair = readonly [price: string, amount: string];

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
