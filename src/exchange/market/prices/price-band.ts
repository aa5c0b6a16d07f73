// The price band: the maximum price of a buy and the minimum price of a sell. Both follow the mark price, for
// seeded and recorded markets.
//
// Source: for all but options 1.5 % around the mark price, exactly as in recorded perpetuals of December
// 2025; for options, where the venue publishes no formula, widths similar to the recorded ones.
import type { Price } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Grid } from '../../book/grid.ts';

/** In the instrument's quote unit, not yet on the tick grid. */
export interface PriceBand {
  readonly lowest: number;
  readonly highest: number;
}

export interface BandedMark {
  readonly mark: number;
  /** The value of one coin of an option's width: the forward in the quote unit. 1 if prices are in coins. */
  readonly coin: number;
}

const WIDTH = 0.015;
/** For options: a part in coins, and a fraction of the mark price on each side. */
const OPTION = { coins: 0.03, below: 0.01, above: 0.05 } as const;

export function priceBand(kind: Instrument['kind'], { mark, coin }: BandedMark): PriceBand {
  if (kind !== 'option') return { lowest: mark * (1 - WIDTH), highest: mark * (1 + WIDTH) };
  const { coins, below, above } = OPTION;
  return {
    lowest: mark - coins * coin - below * mark,
    highest: mark + coins * coin + above * mark,
  };
}

/**
 * Rounded outwards to the grid, so that the band never gets narrower; the lowest price is at least one tick.
 */
export function bandTicks(grid: Grid, tick: number, { lowest, highest }: PriceBand) {
  return {
    lowest: Math.max(1, grid.floor(Math.floor(lowest / tick))),
    highest: grid.ceil(Math.ceil(highest / tick)),
  };
}

/** The band in prices, recomputed only when it has moved by a tick: mark prices move far more often. */
export class ShownBand {
  readonly #grid: Grid;
  readonly #tick: number;
  #lowest = Number.NaN;
  #highest = Number.NaN;
  #prices: { readonly minPrice: Price; readonly maxPrice: Price } | undefined;

  constructor(grid: Grid, tick: number) {
    this.#grid = grid;
    this.#tick = tick;
  }

  around(band: PriceBand): { readonly minPrice: Price; readonly maxPrice: Price } {
    const { lowest, highest } = bandTicks(this.#grid, this.#tick, band);
    if (this.#prices === undefined || lowest !== this.#lowest || highest !== this.#highest) {
      this.#lowest = lowest;
      this.#highest = highest;
      this.#prices = {
        minPrice: this.#grid.priceOf(lowest),
        maxPrice: this.#grid.priceOf(highest),
      };
    }
    return this.#prices;
  }
}
