// Bars of ticks and lots as candles of the port.
import { Grid } from '../../../exchange/book/grid.ts';
import type { Bar } from '../../../exchange/tape/bars.ts';
import type { Candle } from '../../../ports/market-history.ts';
import { type Money, notional, quantityOf, steps, toNumber } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';

/** Bars as candles: volumes in coins, costs in the quote currency. */
export class CandleShape {
  readonly #grid: Grid;
  readonly #isInUsd: boolean;
  readonly #coinsPerInverse: number;

  constructor(instrument: Instrument) {
    this.#grid = new Grid(instrument);
    this.#isInUsd = instrument.amountUnit === 'usd';
    this.#coinsPerInverse = toNumber(instrument.amountStep) / toNumber(instrument.tickSize);
  }

  of(bar: Bar, at: Instant): Candle {
    const grid = this.#grid;
    const amount = grid.quantityOf(bar.lots);
    const coins = Math.round(bar.inverse * this.#coinsPerInverse * 1e8) / 1e8;
    return {
      at,
      open: grid.priceOf(bar.open),
      high: grid.priceOf(bar.high),
      low: grid.priceOf(bar.low),
      close: grid.priceOf(bar.close),
      volume: this.#isInUsd ? quantityOf(coins) : amount,
      cost: this.#isInUsd
        ? (amount as unknown as Money)
        : steps(notional(grid.tick, grid.lot), bar.turnover),
    };
  }
}
