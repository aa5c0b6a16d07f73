// The makers of one book: several levels around a mid price that leans against their position, with slowly
// varying sizes, no near levels while prices jump, and no bid for an instrument worth less than a tick.

import type { Grid } from '../../book/grid.ts';
import type { QuoteLevel } from '../../exchange-command.ts';
import { type NoiseSeed, normalAt } from '../prices/noise.ts';
import type { Liquidity } from './liquidity.ts';

export interface MakerQuotes {
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
}

export interface MakerView {
  readonly fair: number;
  /** A limit for bids and offers, whatever the makers' position; absent if there is no model. */
  readonly modelPrice?: number | undefined;
  /** Net amount recently bought from the makers, in the amount unit. */
  readonly sold: number;
  readonly liquidity: Liquidity;
  readonly grid: Grid;
  /** Size of the smallest tick and of one lot, as floats. */
  readonly tick: number;
  readonly lot: number;
}

/** Standard deviation of the logarithm of the size of a level behind the best. */
const SIZE_SPREAD = 0.4;
/** Rounding noise of a float division that must not cost a whole tick. */
const NOISE = 1e-9;

/** Quotes of the makers; `era` determines the sizes, which are constant within one era. */
export function makerQuotes(view: MakerView, seed: NoiseSeed, era: number): MakerQuotes {
  const { liquidity, grid, tick } = view;
  const { bestBid, bestAsk } = touchOf(view);
  const bids: QuoteLevel[] = [];
  const asks: QuoteLevel[] = [];
  let [bid, ask] = [bestBid, bestAsk];
  for (let level = 0; level < liquidity.sizes.length; level += 1) {
    const lots = lotsAt(view, level);
    // The two sides in turn, so that they do not change at once.
    if (level > 0) {
      const depth = liquidity.depths[level - 1] ?? 0;
      bid = Math.min(grid.floor(bid - 1), grid.floor(bestBid - Math.round(depth / tick)));
      ask = Math.max(grid.ceil(ask + 1), grid.ceil(bestAsk + Math.round(depth / tick)));
    }
    if (level < liquidity.pulled) continue;
    if (bid > 0) bids.push({ priceTicks: bid, lots: lots(seed, era + level) });
    asks.push({ priceTicks: ask, lots: lots(seed ^ 0x510e527f, era + level + 1) });
  }
  return { bids, asks };
}

/** Best prices in ticks: makers raise their quotes after selling and lower them after buying. */
export function touchOf(view: MakerView): { readonly bestBid: number; readonly bestAsk: number } {
  const { liquidity, grid, tick } = view;
  const { halfSpread, leanMax, capacity } = liquidity;
  const middle = view.fair + leanMax * Math.tanh(view.sold / capacity);
  const highestBid = Math.min(middle - halfSpread, view.modelPrice ?? Number.POSITIVE_INFINITY);
  const lowestAsk = Math.max(middle + halfSpread, view.modelPrice ?? 0);
  const bestBid = grid.floor(Math.floor(highestBid / tick + NOISE));
  const overFair = grid.ceil(Math.ceil(lowestAsk / tick - NOISE));
  const bestAsk = Math.max(1, overFair > bestBid ? overFair : grid.ceil(bestBid + 1));
  return { bestBid, bestAsk };
}

/** Size of a level, which changes with every second era. */
function lotsAt(view: MakerView, level: number): (seed: NoiseSeed, era: number) => number {
  const typical = (view.liquidity.sizes[level] ?? 0) / view.lot;
  return (seed, era) => {
    const ownEra = Math.floor(era / 2);
    const deviation = normalAt(seed ^ Math.imul(level + 1, 0x9e3779b1), ownEra);
    const { below, above } = view.liquidity.touchSpread;
    const spread = level > 0 ? SIZE_SPREAD : deviation < 0 ? below : above;
    const factor = Math.exp(spread * deviation);
    return Math.max(view.grid.minLots, Math.round(typical * factor));
  };
}
