// The costs of all legs of a package in USD: their shortfalls part by part, their slippage against the benchmarks, and the
// units of options. Each leg is converted at the one rate of its start, so that the parts still add up exactly.
import {
  type Money,
  money,
  notional,
  type Price,
  plus,
  price,
  type Quantity,
  text,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { round } from './fill-costs.ts';
import type {
  LegCosts,
  OptionShown,
  PackageCosts,
  PackageOption,
  ShortfallShown,
} from './report-shapes.ts';

export const SHORTFALL_PARTS = [
  'delay',
  'market',
  'schedule',
  'spread',
  'unsplit',
  'residual',
  'fees',
] as const satisfies readonly (keyof ShortfallShown)[];

type Sums = Pick<PackageCosts, 'shortfall' | 'slippage' | 'participation' | 'option'>;

export const packageSums = (costs: readonly LegCosts[]): Sums => ({
  shortfall: shortfallOf(costs),
  slippage: {
    decisionUsd: slippageOf(costs, ({ benchmarks }) => benchmarks.decision),
    arrivalUsd: slippageOf(costs, ({ benchmarks }) => benchmarks.arrival),
    twapUsd: slippageOf(costs, ({ benchmarks }) => benchmarks.twap),
    vwapUsd: slippageOf(costs, ({ benchmarks }) => benchmarks.vwap),
  },
  participation: greatestOf(costs.map(({ participation }) => participation)),
  option: (['mid', 'mark'] as const).flatMap((reference) => optionOf(costs, reference)),
});

/** `null` unless every leg has a shortfall and a rate. */
function shortfallOf(costs: readonly LegCosts[]): PackageCosts['shortfall'] {
  const converted: { readonly of: ShortfallShown; readonly rate: Price }[] = [];
  for (const { shortfall } of costs) {
    if (shortfall === null || shortfall.rate === null) return null;
    converted.push({ of: shortfall, rate: price(shortfall.rate) });
  }
  if (converted.length === 0) return null;
  const sumOf = (part: (typeof SHORTFALL_PARTS)[number] | 'total'): string =>
    text(
      converted.reduce(
        (sum, { of, rate }) =>
          plus(sum, notional(rate, money(of[part]) as Money as unknown as Quantity)),
        ZERO_MONEY,
      ),
    );
  return {
    currency: 'USD',
    total: sumOf('total'),
    delay: sumOf('delay'),
    market: sumOf('market'),
    schedule: sumOf('schedule'),
    spread: sumOf('spread'),
    unsplit: sumOf('unsplit'),
    residual: sumOf('residual'),
    fees: sumOf('fees'),
  };
}

/** Σ s F (w(average) − w(benchmark)) × rate; `null` unless it is known of every leg with fills. */
function slippageOf(
  costs: readonly LegCosts[],
  benchmarkOf: (leg: LegCosts) => string | null,
): number | null {
  let sum = 0;
  for (const leg of costs) {
    const { averagePrice, filled, side, shortfall } = leg;
    if (averagePrice === null) continue;
    const benchmark = benchmarkOf(leg);
    if (benchmark === null || shortfall === null || shortfall.rate === null) return null;
    const [paid, against] = [Number(averagePrice), Number(benchmark)];
    const each = leg.isInverse ? 1 / against - 1 / paid : paid - against;
    sum += (side === 'buy' ? 1 : -1) * Number(filled) * each * Number(shortfall.rate);
  }
  return round(sum, 2);
}

function greatestOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Volatility points are USD over the gross vega of all legs: the net vega of a spread is nearly zero. */
function optionOf(
  costs: readonly LegCosts[],
  reference: OptionShown['reference'],
): readonly PackageOption[] {
  const legs = costs.filter(({ kind, averagePrice }) => kind === 'option' && averagePrice !== null);
  const found = legs.flatMap(({ option }) => option.filter((one) => one.reference === reference));
  if (found.length === 0 || found.length < legs.length) return [];
  const sum = (of: (one: OptionShown) => number | null): number =>
    found.reduce((total, one) => total + (of(one) ?? Number.NaN), 0);
  const [usd, underlying, vega] = [
    sum((one) => one.usd),
    sum((one) => one.underlyingUsd),
    sum((one) => one.vegaUsd),
  ];
  const hasVega = Number.isFinite(vega) && vega > 0;
  return [
    {
      reference,
      usd: round(usd, 6),
      bpsOfUnderlying: round((usd / underlying) * 10_000, 6),
      vegaUsd: hasVega ? round(vega, 6) : null,
      volPoints: hasVega ? round(usd / vega, 6) : null,
    },
  ];
}
