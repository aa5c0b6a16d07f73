// Holds the fills of a leg against the trades that were recorded: a fill in a backtest is only as believable as a trade that
// took place at its price, at about its time, for as much.
import type { Side } from '../../values/instrument.ts';

/** Trades and fills are compared in windows of this length, each with the two beside it. */
export const SUPPORT_WINDOW_MS = 10_000;

interface TradedWindow {
  lowest: number;
  highest: number;
  amount: number;
}

export interface SupportedFill {
  readonly at: number;
  readonly price: number;
  /** In the amount unit of the instrument. */
  readonly amount: number;
}

/** Amounts are compared as floats: sums of a few thousand lots are exact to far less than one lot. */
const ROUNDING = 1e-9;

/** The recorded trades of one instrument by window. */
export class TradedWindows {
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

  /**
   * The fills that no recorded trade supports: those at a price better than every trade of the window and of the two beside
   * it, and those beyond the amount that was traded in them. Fills in time order.
   */
  unsupported<F extends SupportedFill>(fills: readonly F[], side: Side): readonly F[] {
    const byWindow = Map.groupBy(fills, ({ at }) => Math.floor(at / SUPPORT_WINDOW_MS));
    return [...byWindow].flatMap(([number, own]) => {
      const near = [number - 1, number, number + 1].flatMap((at) => this.#windows.get(at) ?? []);
      const traded = near.reduce((sum, { amount }) => sum + amount, 0) * (1 + ROUNDING);
      let taken = 0;
      return own.filter(({ price, amount }) => {
        const isPriced = near.some(({ lowest, highest }) =>
          side === 'buy' ? lowest <= price : highest >= price,
        );
        if (!isPriced || taken + amount > traded) return true;
        taken += amount;
        return false;
      });
    });
  }
}
