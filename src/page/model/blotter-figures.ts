// Figures over the rows of the blotter: what portfolios are worth in dollars and coins, and what was filled today. What the
// page has no price for is counted as not known.
import { type BlotterRow, isOpen, type RowLeg } from './blotter-row.ts';

/** Dollars for one of a coin; `undefined`: not known. */
export type IndexOf = (coin: string) => number | undefined;

interface FilledToday {
  readonly usd: number;
  /** Legs with fills whose value is not known. */
  readonly unknown: number;
  /** Portfolios with fills that were submitted before today: their fills of today are not known. */
  readonly earlier: number;
}

const DAY_MS = 86_400_000;
/** Counted as dollars. */
export const DOLLARS: readonly string[] = ['USD', 'USDC', 'USDT'];
/** Their prices are those of a coin. */
const PRICED_AS_COIN: readonly RowLeg['kind'][] = ['PERPETUAL', 'DELIVERY_FUTURES', 'SPOT'];

const PAID_AS_PREMIUM: readonly RowLeg['kind'][] = ['OPTION', 'OPTION_COMBO'];

export const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** Mirrors have no fills of their own. */
export function filledToday(
  rows: readonly BlotterRow[],
  nowMs: number,
  indexOf: IndexOf,
): FilledToday {
  const since = dayStart(nowMs);
  let [usd, unknown, earlier] = [0, 0, 0];
  for (const row of rows) {
    const legs = row.isMirror ? [] : row.legs.filter(({ filled }) => Number(filled) > 0);
    if (legs.length === 0) continue;
    if (row.submittedMs < since) {
      if (isOpen(row) || row.updatedMs >= since) earlier += 1;
      continue;
    }
    for (const leg of legs) {
      const worth = filledUsd(leg, indexOf);
      if (worth === undefined) unknown += 1;
      else usd += worth;
    }
  }
  return { usd, unknown, earlier };
}

/** Sized in dollars, or priced in them: exactly; otherwise at the index of now. Options: their premium, which is what is paid. */
function filledUsd(leg: RowLeg, indexOf: IndexOf): number | undefined {
  const filled = Number(leg.filled);
  if (PAID_AS_PREMIUM.includes(leg.kind)) return premiumUsd(leg, indexOf);
  if (leg.unit === 'USD') return filled;
  if (PRICED_AS_COIN.includes(leg.kind) && DOLLARS.includes(leg.priceIn)) {
    return leg.average === '' ? undefined : filled * Number(leg.average);
  }
  const index = indexOf(leg.coin);
  return index === undefined ? undefined : filled * index;
}

/** Of what was bought or sold: packages may have a price below zero. */
function premiumUsd({ filled, average, priceIn }: RowLeg, indexOf: IndexOf): number | undefined {
  const rate = DOLLARS.includes(priceIn) ? 1 : indexOf(priceIn);
  if (average === '' || rate === undefined) return undefined;
  return Math.abs(Number(filled) * Number(average)) * rate;
}

/** A size in the other of coin and dollars, at the index of now; `undefined`: not known. */
export function otherSize(
  { quantity, unit, coin }: Pick<RowLeg, 'quantity' | 'unit' | 'coin'>,
  indexOf: IndexOf,
): { readonly value: number; readonly unit: string } | undefined {
  const index = indexOf(coin);
  if (index === undefined || quantity === '') return undefined;
  if (unit === 'USD') return { value: Number(quantity) / index, unit: coin };
  return unit === coin ? { value: Number(quantity) * index, unit: 'USD' } : undefined;
}
