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
