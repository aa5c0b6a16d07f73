// A stretch of one market, recorded or generated, in the form the statistics are computed from.

export interface Touch {
  readonly atMs: number;
  readonly bid: number;
  readonly ask: number;
  /** USD; not a number where the recording has no sizes. */
  readonly bidUsd: number;
  readonly askUsd: number;
}

export interface Print {
  readonly atMs: number;
  /** 1 if the taker bought, −1 if it sold, 0 if the recording does not say. */
  readonly side: number;
  readonly price: number;
  readonly usd: number;
}

/** Sizes of takers, USD: prints of one instant and side in a row are one taker's. */
export function takersIn({ prints }: Series): readonly number[] {
  const sizes: number[] = [];
  let last: Print | undefined;
  for (const print of prints) {
    const isSame = last?.atMs === print.atMs && last.side === print.side;
    if (isSame) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + print.usd;
    else sizes.push(print.usd);
    last = print;
  }
  return sizes;
}

/** How often the best bid changed, in price or size, and how often the best offer. */
export function changesIn({ touches }: Series): number {
  let changes = 0;
  for (const [at, { bid, bidUsd, ask, askUsd }] of touches.entries()) {
    const before = touches[at - 1];
    if (before === undefined) continue;
    if (before.bid !== bid || before.bidUsd !== bidUsd) changes += 1;
    if (before.ask !== ask || before.askUsd !== askUsd) changes += 1;
  }
  return changes;
}

export interface Series {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The smallest price step, in the quote unit. */
  readonly tick: number;
  /** In order of time; empty if there is no recording of them. */
  readonly touches: readonly Touch[];
  readonly prints: readonly Print[];
}

/** Mid prices and touches at each whole second of a series, from the first second with quotes. */
export function everySecond({ touches, fromMs, untilMs }: Series): readonly Touch[] {
  const found: Touch[] = [];
  let next = 0;
  let last: Touch | undefined;
  for (let atMs = Math.ceil(fromMs / 1_000) * 1_000; atMs < untilMs; atMs += 1_000) {
    for (let touch = touches[next]; touch !== undefined && touch.atMs <= atMs; next += 1) {
      last = touch;
      touch = touches[next + 1];
    }
    if (last !== undefined) found.push(last);
  }
  return found;
}

export const middleOf = ({ bid, ask }: Touch): number => (bid + ask) / 2;
