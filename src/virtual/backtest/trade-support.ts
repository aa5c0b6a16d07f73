// Holds the fills of a leg against the trades that were recorded: a fill in a backtest is only as believable as a trade that
// took place at its price, at about its time, for as much.
import type { Side } from '../../values/instrument.ts';

/** Trades and fills are compared in windows of this length, each with the two alongside it. */
export const SUPPORT_WINDOW_MS = 10_000;

interface TradedWindow {
  lowest: number;
  highest: number;
  amount: number;
}

/** What fills are checked against. */
export interface TradedNear {
  /** What was traded in a window and the two alongside it; `undefined` if nothing was. */
  near(window: number): Readonly<TradedWindow> | undefined;
}

export interface SupportedFill {
  readonly at: number;
  readonly price: number;
  /** In the amount unit of the instrument. */
  readonly amount: number;
}

/** Amounts are compared as floats: sums of a few thousand lots are exact to far less than one lot. */
const ROUNDING = 1e-9;
/** Of sums of prices, as a share of them: far below a tick. */
const SUM_ROUNDING = 1e-12;

/** The recorded trades of one instrument by window. */
export class TradedWindows implements TradedNear {
  readonly #windows = new Map<number, TradedWindow>();

  add({ at, price, amount }: SupportedFill): void {
    const number = Math.floor(at / SUPPORT_WINDOW_MS);
    const window = this.#windows.get(number);
    if (window === undefined) {
      this.#windows.set(number, { lowest: price, highest: price, amount });
      return;
    }
    window.lowest = Math.min(window.lowest, price);
    window.highest = Math.max(window.highest, price);
    window.amount += amount;
  }

  near(window: number): Readonly<TradedWindow> | undefined {
    const [first, ...others] = [window - 1, window, window + 1].flatMap(
      (at) => this.#windows.get(at) ?? [],
    );
    if (first === undefined) return undefined;
    return others.reduce(
      (sum, { lowest, highest, amount }) => ({
        lowest: Math.min(sum.lowest, lowest),
        highest: Math.max(sum.highest, highest),
        amount: sum.amount + amount,
      }),
      first,
    );
  }
}

/** The trades of one leg of a combo. */
interface TradedLeg {
  /** Units of it in one unit of the combo, negative if it is sold. */
  readonly ratio: number;
  readonly windows: TradedNear;
}

/** What the trades of its legs say of a combo: they took place at prices that add up, each for as much as the ratio needs. */
export class LegWindows implements TradedNear {
  readonly #legs: readonly TradedLeg[];

  constructor(legs: readonly TradedLeg[]) {
    this.#legs = legs;
  }

  near(window: number): Readonly<TradedWindow> | undefined {
    const sum = { lowest: 0, highest: 0, amount: Number.POSITIVE_INFINITY };
    let gross = 0;
    for (const { ratio, windows } of this.#legs) {
      const traded = windows.near(window);
      if (traded === undefined) return undefined;
      const { lowest, highest, amount } = traded;
      sum.lowest += ratio * (ratio > 0 ? lowest : highest);
      sum.highest += ratio * (ratio > 0 ? highest : lowest);
      sum.amount = Math.min(sum.amount, amount / Math.abs(ratio));
      gross += Math.abs(ratio) * highest;
    }
    // A difference of two prices is as inexact as the prices are.
    const inexact = gross * SUM_ROUNDING;
    return { ...sum, lowest: sum.lowest - inexact, highest: sum.highest + inexact };
  }
}

/**
 * The fills that no recorded trade supports: those at a price better than every trade of the window and of the two alongside it,
 * and those beyond the amount that was traded in them. Fills in time order.
 */
export function unsupportedFills<F extends SupportedFill>(
  fills: readonly F[],
  side: Side,
  trades: TradedNear,
): readonly F[] {
  const byWindow = Map.groupBy(fills, ({ at }) => Math.floor(at / SUPPORT_WINDOW_MS));
  return [...byWindow].flatMap(([number, own]) => {
    const near = trades.near(number);
    if (near === undefined) return own;
    const traded = near.amount * (1 + ROUNDING);
    let taken = 0;
    return own.filter(({ price, amount }) => {
      const isPriced = side === 'buy' ? near.lowest <= price : near.highest >= price;
      if (!isPriced || taken + amount > traded) return true;
      taken += amount;
      return false;
    });
  });
}
