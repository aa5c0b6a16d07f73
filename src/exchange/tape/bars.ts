// Bars of trades in ticks and lots: adding a trade, joining two bars, and bars of longer periods.

export interface BarTrade {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly ticks: number;
  readonly lots: number;
  /** What amounts in USD are divided by, in ticks; absent: the price itself. */
  readonly perTicks?: number | undefined;
}

export interface Bar {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly lots: number;
  /** Σ ticks × lots. */
  readonly turnover: number;
  /** Σ lots / ticks; of a combo, whose price may be near zero, / index. */
  readonly inverse: number;
}

export const barOf = ({ at, ticks, lots, perTicks = ticks }: BarTrade): Bar => ({
  firstAt: at,
  lastAt: at,
  open: ticks,
  high: ticks,
  low: ticks,
  close: ticks,
  lots,
  turnover: ticks * lots,
  inverse: perTicks === 0 ? 0 : lots / perTicks,
});

/** `later` follows everything in `bar`. */
export const withTrade = (bar: Bar, later: BarTrade): Bar => joined(bar, barOf(later));

/** The bar of all trades of both, whichever was first. */
export function joined(a: Bar, b: Bar): Bar {
  const [first, last] = [a.firstAt <= b.firstAt ? a : b, a.lastAt > b.lastAt ? a : b];
  return {
    firstAt: first.firstAt,
    lastAt: last.lastAt,
    open: first.open,
    close: last.close,
    high: Math.max(a.high, b.high),
    low: Math.min(a.low, b.low),
    lots: a.lots + b.lots,
    turnover: a.turnover + b.turnover,
    inverse: a.inverse + b.inverse,
  };
}

/** A period without trades at a price known before. */
export const flatBar = (at: number, ticks: number): Bar => ({
  firstAt: at,
  lastAt: at,
  open: ticks,
  high: ticks,
  low: ticks,
  close: ticks,
  lots: 0,
  turnover: 0,
  inverse: 0,
});
