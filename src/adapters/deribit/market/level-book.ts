// The levels of one book, brought forward by frames: values in, values out. A frame is applied whole, and only to the
// book it follows; what does not follow is a gap. Levels keep their digits; they become decimals when they are read.
import { type Price, price, type Quantity, quantity } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { PriceLevel } from '../../../values/quote.ts';

export interface Level {
  /** The price as a float, which orders and identifies it: the digits are at most 15. */
  readonly at: number;
  readonly price: string;
  /** The total at that price; `0` removes the level. */
  readonly amount: string;
}

export interface BookFrame {
  readonly kind: 'snapshot' | 'change';
  readonly at: Instant;
  /** Digits: it may not fit a float. */
  readonly changeId: string;
  /** Of the frame before; absent in a snapshot. */
  readonly prevChangeId?: string | undefined;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface LevelSide {
  /** Best first. */
  readonly levels: readonly Level[];
  /** Where the side was cut for its length: nothing is known from there on. */
  readonly cutAt?: number | undefined;
}

export interface LevelBook {
  readonly at: Instant;
  readonly changeId: string;
  readonly bids: LevelSide;
  readonly asks: LevelSide;
}

export interface BookGap {
  readonly gap: string;
}

/** Levels kept of a side. */
export const LEVELS_MAX = 5_000;
/** With fewer levels left of a side that was cut, the book must be read again. */
const LEVELS_LEFT_MIN = 100;

type Order = (a: number, b: number) => number;
const HIGHEST_FIRST: Order = (a, b) => b - a;
const LOWEST_FIRST: Order = (a, b) => a - b;

/** `before`: the book that the frame follows; absent if there is none, which only a snapshot follows. */
export function withFrame(before: LevelBook | undefined, frame: BookFrame): LevelBook | BookGap {
  const { at, changeId } = frame;
  if (frame.kind === 'snapshot') {
    return {
      at,
      changeId,
      bids: withLevels({ levels: [] }, frame.bids, HIGHEST_FIRST),
      asks: withLevels({ levels: [] }, frame.asks, LOWEST_FIRST),
    };
  }
  if (before === undefined) return { gap: 'a change came without a snapshot' };
  if (frame.prevChangeId !== before.changeId) {
    return { gap: `a change follows ${frame.prevChangeId}, the book is at ${before.changeId}` };
  }
  const bids = withLevels(before.bids, frame.bids, HIGHEST_FIRST);
  const asks = withLevels(before.asks, frame.asks, LOWEST_FIRST);
  if (isUsedUp(bids) || isUsedUp(asks)) return { gap: 'the known part of a long book is used up' };
  return { at, changeId, bids, asks };
}

const isUsedUp = ({ levels, cutAt }: LevelSide): boolean =>
  cutAt !== undefined && levels.length < LEVELS_LEFT_MIN;

function withLevels(side: LevelSide, changes: readonly Level[], order: Order): LevelSide {
  const { cutAt } = side;
  const levels =
    side.levels.length === 0
      ? sorted(changes, order)
      : spliced(side.levels, within(changes, cutAt, order), order);
  if (levels.length <= LEVELS_MAX) return { levels, cutAt };
  return { levels: levels.slice(0, LEVELS_MAX), cutAt: levels[LEVELS_MAX]?.at };
}

const within = (changes: readonly Level[], cutAt: number | undefined, order: Order) =>
  cutAt === undefined ? changes : changes.filter(({ at }) => order(at, cutAt) < 0);

/** Of two levels at one price the later counts. */
function sorted(changes: readonly Level[], order: Order): readonly Level[] {
  const byPrice = new Map(changes.map((level) => [level.at, level]));
  return [...byPrice.values()].filter(isThere).sort((a, b) => order(a.at, b.at));
}

function spliced(
  before: readonly Level[],
  changes: readonly Level[],
  order: Order,
): readonly Level[] {
  if (changes.length === 0) return before;
  const levels = [...before];
  for (const level of changes) {
    const index = indexOf(levels, level.at, order);
    const removed = levels[index]?.at === level.at ? 1 : 0;
    levels.splice(index, removed, ...(isThere(level) ? [level] : []));
  }
  return levels;
}

/** Where the price is, or would be. */
function indexOf(levels: readonly Level[], at: number, order: Order): number {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order((levels[middle] as Level).at, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The level at a price, if there is one. */
export function levelAt(
  { levels }: LevelSide,
  at: number,
  side: 'bids' | 'asks',
): Level | undefined {
  const level = levels[indexOf(levels, at, side === 'bids' ? HIGHEST_FIRST : LOWEST_FIRST)];
  return level?.at === at ? level : undefined;
}

const isThere = ({ amount }: Level): boolean => Number(amount) > 0;

/** Crossed or locked: no price of it can be true. */
export function isCrossed({ bids, asks }: LevelBook): boolean {
  const [bid] = bids.levels;
  const [ask] = asks.levels;
  return bid !== undefined && ask !== undefined && bid.at >= ask.at;
}

export const priceLevel = ({ price: at, amount }: Level): PriceLevel => ({
  price: price(at) as Price,
  quantity: quantity(amount) as Quantity,
});

/** The best `depth` levels; `undefined` if not so many are known. */
export function bestLevels(
  { levels, cutAt }: LevelSide,
  depth: number,
): readonly PriceLevel[] | undefined {
  if (cutAt !== undefined && levels.length < depth) return undefined;
  return levels.slice(0, depth).map(priceLevel);
}
