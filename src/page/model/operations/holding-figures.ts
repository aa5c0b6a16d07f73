// Figures over the positions and balances of the accounts: totals in dollars, greeks by coin, and margin as a share of equity.
// Sums of coins are exact; a total that lacks a price is not known.
import type { MethodResults } from '../../../gateway/client/client.ts';
import { DOLLARS, type IndexOf } from '../blotter-figures.ts';
import { exactSum } from '../exact-sum.ts';

type Position = MethodResults['private/get_positions'][number];
type Balance = MethodResults['private/get_account_summary'];

interface Amount {
  readonly amount: string;
  readonly currency: string;
}

interface UsdTotal {
  /** `undefined`: not known. */
  readonly usd: number | undefined;
  /** Currencies without a price. */
  readonly unpriced: readonly string[];
}

/** At the index of now. */
export function usdOf({ amount, currency }: Amount, indexOf: IndexOf): number | undefined {
  if (/^[-0.]*$/.test(amount)) return 0;
  const index = DOLLARS.includes(currency) ? 1 : indexOf(currency);
  return index === undefined ? undefined : Number(amount) * index;
}

export function usdTotal(amounts: readonly Amount[], indexOf: IndexOf): UsdTotal {
  const unpriced = new Set<string>();
  let usd = 0;
  for (const one of amounts) {
    const worth = usdOf(one, indexOf);
    if (worth === undefined) unpriced.add(one.currency);
    else usd += worth;
  }
  return { usd: unpriced.size === 0 ? usd : undefined, unpriced: [...unpriced] };
}

/** By currency, in the order of their first amounts. */
export function sumsByCurrency(amounts: readonly Amount[]): readonly Amount[] {
  const sums = new Map<string, string>();
  for (const { amount, currency } of amounts) {
    sums.set(currency, exactSum(sums.get(currency) ?? '0', amount) ?? amount);
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

const GREEKS = ['delta', 'gamma', 'vega', 'theta'] as const;

export interface CoinGreeks {
  /** Empty: of instruments whose coin is not known. */
  readonly coin: string;
  readonly positions: number;
  /** `undefined`: an option has none. Delta in coins, vega and theta in dollars. */
  readonly sums: Readonly<Record<(typeof GREEKS)[number], string | undefined>>;
}

type OfGreeks = Pick<Position, 'instrumentName' | 'kind' | (typeof GREEKS)[number]>;

/** Only options have others than a delta. */
export function greeksByCoin(
  positions: readonly OfGreeks[],
  coinOf: (instrument: string) => string | undefined,
): readonly CoinGreeks[] {
  const byCoin = Map.groupBy(positions, ({ instrumentName }) => coinOf(instrumentName) ?? '');
  const sumOf = (own: readonly OfGreeks[], greek: (typeof GREEKS)[number]): string | undefined =>
    own.reduce<string | undefined>((sum, one) => {
      const value = one[greek] ?? (one.kind === 'option' ? undefined : '0');
      return sum === undefined || value === undefined ? undefined : exactSum(sum, value);
    }, '0');
  return [...byCoin]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([coin, own]) => ({
      coin,
      positions: own.length,
      sums: {
        delta: sumOf(own, 'delta'),
        gamma: sumOf(own, 'gamma'),
        vega: sumOf(own, 'vega'),
        theta: sumOf(own, 'theta'),
      },
    }));
}

interface MarginShares {
  /** Of one; Infinity where margin is required and there is no equity. */
  readonly initial: number;
  readonly maintenance: number;
}

/** Of the equity without the value of options, which is what margin is checked against. */
export function marginShares({
  marginBalance,
  initialMargin,
  maintenanceMargin,
}: Pick<Balance, 'marginBalance' | 'initialMargin' | 'maintenanceMargin'>): MarginShares {
  const equity = Number(marginBalance);
  const shareOf = (margin: string): number => {
    const required = Number(margin);
    if (required <= 0) return 0;
    return equity > 0 ? required / equity : Infinity;
  };
  return { initial: shareOf(initialMargin), maintenance: shareOf(maintenanceMargin) };
}
