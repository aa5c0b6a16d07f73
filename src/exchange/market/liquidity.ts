// How much is quoted and traded where, by kind of instrument: widths, depths and sizes of the bots.
//
// Option widths follow Deribit chains of February 2026: around the money two to three ticks of 0.0005
// up to some months, 0.003 to 0.0035 beyond; nobody bids for wings worth less than a tick.
import { toNumber } from '../../values/amounts.ts';
import type { Instrument, InstrumentKind } from '../../values/instrument.ts';
import type { Valuation } from './marks.ts';

export interface Liquidity {
  /** Distance from the fair value to the best quotes, in the quote unit, before tick rounding. */
  readonly halfSpread: number;
  /** Further levels lie this far behind the best one, ascending, in the quote unit. */
  readonly depths: readonly number[];
  /** Typical size of each level (the best first), in the instrument's amount unit. */
  readonly sizes: readonly number[];
  readonly takersPerSecond: number;
  /** Median size of a taker, in the amount unit. */
  readonly takerSize: number;
  /** How far beyond the best quote a taker goes, in the quote unit. */
  readonly takerReach: number;
}

interface CoinMarket {
  /** Fractions of the price. */
  readonly halfSpread: number;
  readonly depths: readonly number[];
  /** USD. */
  readonly sizes: readonly number[];
  readonly takersPerSecond: number;
  readonly takerSize: number;
}

const BP = 0.0001;
const basisPoints = (...values: number[]): readonly number[] => values.map((value) => value * BP);

const COIN_MARKETS: Readonly<Record<Exclude<InstrumentKind, 'option'>, CoinMarket>> = {
  perpetual: {
    halfSpread: 0.015 * BP,
    depths: basisPoints(0.1, 0.25, 0.5, 1, 2, 4, 8),
    sizes: [25_000, 40_000, 60_000, 90_000, 150_000, 300_000, 500_000, 900_000],
    takersPerSecond: 1.2,
    takerSize: 2_000,
  },
  future: {
    halfSpread: 0.35 * BP,
    depths: basisPoints(0.5, 1, 2, 4, 8),
    sizes: [10_000, 20_000, 40_000, 60_000, 120_000, 250_000],
    takersPerSecond: 0.15,
    takerSize: 1_500,
  },
  spot: {
    halfSpread: 0.15 * BP,
    depths: basisPoints(0.3, 0.8, 2, 4, 8),
    sizes: [8_000, 12_000, 20_000, 40_000, 80_000, 150_000],
    takersPerSecond: 0.3,
    takerSize: 900,
  },
};

/** Half the width of an option market in volatility points. */
const HALF_WIDTH_POINTS = 0.4;
const OPTION_DEPTHS = [1, 2.2, 4, 7] as const;
/** Coins on each level per coin of the option's minimum. */
const OPTION_SIZES = [40, 80, 120, 200, 300] as const;
const OPTION_TAKER_SIZE = 6;
const OPTION_TAKERS_PER_SECOND = 0.04;
const TAKER_REACH = 2 * BP;

export function liquidityOf(instrument: Instrument, at: Valuation): Liquidity {
  if (instrument.kind === 'option') return optionLiquidity(instrument, at);
  const market = COIN_MARKETS[instrument.kind];
  const perUsd = instrument.amountUnit === 'usd' ? 1 : 1 / at.index;
  return {
    halfSpread: market.halfSpread * at.fair,
    depths: market.depths.map((depth) => depth * at.fair),
    sizes: market.sizes.map((usd) => usd * perUsd),
    takersPerSecond: market.takersPerSecond,
    takerSize: market.takerSize * perUsd,
    takerReach: TAKER_REACH * at.fair,
  };
}

/** Less is quoted and traded the less the option moves with its coin. */
function optionLiquidity(instrument: Instrument, at: Valuation): Liquidity {
  const minimum = toNumber(instrument.minAmount);
  const tick = toNumber(instrument.tickSize);
  const vega = at.option === undefined ? 0 : at.option.greeks.vega / at.option.underlying;
  const interest = 1 - Math.abs(2 * Math.abs(at.option?.greeks.delta ?? 0) - 1);
  const halfSpread = Math.max(0.6 * tick, HALF_WIDTH_POINTS * vega);
  return {
    halfSpread,
    depths: OPTION_DEPTHS.map((times) => times * halfSpread),
    sizes: OPTION_SIZES.map((size) => size * minimum * (0.3 + 0.7 * interest)),
    takersPerSecond: OPTION_TAKERS_PER_SECOND * (0.1 + 0.9 * interest),
    takerSize: OPTION_TAKER_SIZE * minimum,
    takerReach: 2 * halfSpread,
  };
}
