// The report on what one portfolio cost, as plain JSON. Amounts of money are exact decimals as text; ratios are numbers.
// Positive is a cost wherever nothing else is said; `null` is unknown and never zero. Instants are ISO 8601 in UTC.

export interface HoleShown {
  readonly from: string;
  readonly to: string;
}

/** In one currency. */
export interface ShortfallShown {
  readonly currency: string;
  /** The sum of the parts that follow, exactly. */
  readonly total: string;
  readonly delay: string;
  readonly market: string;
  readonly schedule: string;
  readonly spread: string;
  readonly unsplit: string;
  readonly residual: string;
  readonly fees: string;
  /** `total` in basis points of the whole order at the decision; `null` for options, see `option`. */
  readonly bps: number | null;
  /** What the algorithm controls: spread and schedule, in the same basis points. */
  readonly executionBps: number | null;
  /** All parts at one rate, that of the arrival; `null` if it was not recorded. */
  readonly usd: number | null;
  /** The whole order at the decision, in USD at the same rate. */
  readonly orderUsd: number | null;
  /** That rate: USD of one unit of the currency at the arrival. */
  readonly rate: string | null;
  /** `total` in basis points of the underlying; options only. */
  readonly underlyingBps: number | null;
}

export interface MarkoutShown {
  readonly horizon: string;
  readonly fills: number;
  readonly missing: number;
  /** Of the mid before each fill; for options of the underlying. */
  readonly bps: number | null;
  /** Of `bps`, as a mean over fills weighted by quantity. */
  readonly standardError: number | null;
  readonly perUnit: number;
  readonly makerBps: number | null;
  readonly takerBps: number | null;
}

export interface OptionShown {
  readonly reference: 'mid' | 'mark';
  readonly premium: number;
  readonly usd: number;
  readonly bpsOfUnderlying: number;
  readonly bpsOfPremium: number | null;
  readonly volPoints: number | null;
  readonly vegaUsd: number | null;
  /** Value of the underlying of the measured fills. */
  readonly underlyingUsd: number;
  readonly coverage: number;
}

export type PackageOption = Pick<
  OptionShown,
  'reference' | 'usd' | 'bpsOfUnderlying' | 'volPoints' | 'vegaUsd'
>;

/** An estimate from the recorded rates and marks: a measure, and no booked amount. */
export interface FundingShown {
  readonly currency: string;
  /** Positive was paid. */
  readonly paid: number;
  readonly usd: number | null;
  /** Share of the time with a position in which the rate was recorded. */
  readonly coverage: number;
}

export interface LegCosts {
  readonly leg: number;
  readonly instrument: string;
  readonly kind: string;
  readonly side: 'buy' | 'sell';
  readonly hedge: boolean;
  /** Sized in USD and paid in coin: sums are made of reciprocal prices. */
  readonly isInverse: boolean;
  readonly unit: string;
  /** Step of its prices; above some prices of a combo or an option steps are larger. */
  readonly tickSize: string;
  readonly asked: string;
  readonly filled: string;
  readonly residual: string;
  readonly averagePrice: string | null;
  readonly benchmarks: {
    readonly decision: string | null;
    readonly arrival: string | null;
    /** How long after the start the arrival mid was seen; more than a second: a substitute. */
    readonly arrivalLateMs: number | null;
    /** Over the schedule. */
    readonly twap: string | null;
    readonly twapCoverage: number;
    /** Until the last fill. */
    readonly activeTwap: string | null;
    readonly vwap: string | null;
    readonly final: string | null;
    readonly holes: readonly HoleShown[];
  };
  /** Average fill price against each benchmark, in basis points. */
  readonly slippage: {
    readonly decisionBps: number | null;
    readonly arrivalBps: number | null;
    readonly twapBps: number | null;
    readonly vwapBps: number | null;
  };
  /** Filled over the volume traded from the start to the end; `null` if nobody counts it. */
  readonly participation: number | null;
  readonly volume: string | null;
  readonly shortfall: ShortfallShown | null;
  /** Why there is none. */
  readonly shortfallMissing: string | null;
  readonly expected: {
    readonly bps: number | null;
    readonly fee: string;
    readonly feeCurrency: string;
  } | null;
  readonly spread: {
    /** Twice the effective half spread. */
    readonly effectiveBps: number | null;
    readonly quotedBps: number | null;
    /** Effective over quoted: 1 pays the touch, 0 the mid, below 0 earns. */
    readonly ratio: number | null;
    /** Twice the markout after a minute. */
    readonly realisedBps: number | null;
    readonly fillsWithoutMid: number;
    readonly fillsWithLateMid: number;
  };
  /** Against the far touch when the child was decided; here more is better. */
  readonly improvement: { readonly bps: number | null; readonly perUnit: number } | null;
  readonly markouts: readonly MarkoutShown[];
  readonly liquidity: {
    readonly makerShare: number | null;
    readonly takerShare: number | null;
    readonly fees: readonly { readonly currency: string; readonly amount: string }[];
  };
  readonly resting: {
    readonly children: number;
    readonly posted: string;
    readonly filled: string;
    readonly fillRate: number | null;
    /** How far the mid moved against maker fills in 10 s. */
    readonly adverseBps: number | null;
    /** Share of maker fills whose markout after 10 s is a cost. */
    readonly adverseShare: number | null;
    /** Mid when unfilled ones were closed against their price. */
    readonly unfilledBps: number | null;
  };
  /** Perpetuals: what the position that was built paid in funding until the end; not in the shortfall. `null`: no rate was recorded. */
  readonly funding: FundingShown | null;
  /** Fills against the line of the plan in force, amendments included; `null` for a hedge and without a schedule. */
  readonly schedule: {
    /** Signed share of the total; negative is behind. */
    readonly greatest: number;
    readonly at: string;
    readonly mean: number;
  } | null;
  /** From due to decided, and to the first answer of the venue. */
  readonly lateness: {
    readonly slices: number;
    readonly decidedMs: Quantiles | null;
    readonly answeredMs: Quantiles | null;
  };
  readonly option: readonly OptionShown[];
  /** Best bid and ask from the start to the end, thinned for charts; neither where a hole begins. */
  readonly course: readonly {
    readonly at: string;
    readonly bid: string | null;
    readonly ask: string | null;
  }[];
  /** Options: the volatilities that the touch implies, and that of the mark, as fractions; thinned like `course`. */
  readonly volatility: readonly {
    readonly at: string;
    readonly bid: number | null;
    readonly ask: number | null;
    readonly mark: number | null;
  }[];
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface SliceShown {
  readonly leg: number;
  readonly slice: number;
  readonly due: string | null;
  readonly lateMs: number | null;
  readonly planned: string;
  readonly asked: string;
  readonly filled: string;
  readonly children: number;
  readonly mid: string | null;
  /** Why nothing was sent, or what it waited for on the way. */
  readonly reasons: readonly string[];
  readonly isSent: boolean;
  /** Average price of its fills; harmonic for contracts sized in USD. */
  readonly average: string | null;
  /** `average` against `mid`, in basis points; of the underlying for options. */
  readonly costBps: number | null;
}

export interface FillShown {
  readonly leg: number;
  readonly slice: number;
  readonly label: string;
  readonly tradeId: string;
  readonly at: string;
  readonly quantity: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
  readonly fee: string;
  readonly feeCurrency: string;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly mid: string | null;
  readonly mark: string | null;
  readonly markIv: number | null;
  /** Options: the volatility that its price implies, as a fraction. */
  readonly iv: number | null;
  readonly underlying: string | null;
  readonly delta: number | null;
  readonly vega: number | null;
  readonly effective: string | null;
  readonly improvement: string | null;
  /** By horizon, in the currency of the price. */
  readonly markouts: Readonly<Record<string, string>>;
  readonly isBlock: boolean;
}

export interface ChildShown {
  readonly leg: number;
  readonly slice: number;
  readonly label: string;
  readonly attempt: number;
  readonly quantity: string;
  readonly filled: string;
  readonly timeInForce: string;
  readonly decided: string;
  /** When the venue first said that it has it. */
  readonly live: string | null;
  readonly closed: string | null;
  readonly outcome: 'open' | 'filled' | 'cancelled' | 'rejected' | 'unsent';
  /** The price that was sent, and each one that an edit was confirmed with. */
  readonly prices: readonly { readonly at: string; readonly price: string }[];
  readonly isBlock: boolean;
}

export interface PackageCosts {
  /** Of all legs with a shortfall and a rate; `null` unless all have one. */
  readonly usd: number | null;
  /** The shortfalls of all legs in USD, each at its rate: `total` is the sum of the parts, exactly. `null` like `usd`. */
  readonly shortfall:
    | (Pick<
        ShortfallShown,
        'total' | 'delay' | 'market' | 'schedule' | 'spread' | 'unsplit' | 'residual' | 'fees'
      > & { readonly currency: 'USD' })
    | null;
  /** What was filled of all legs against each benchmark, in USD; `null` unless known of every leg with fills. */
  readonly slippage: {
    readonly decisionUsd: number | null;
    readonly arrivalUsd: number | null;
    readonly twapUsd: number | null;
    readonly vwapUsd: number | null;
  };
  /** The greatest of the legs. */
  readonly participation: number | null;
  /** All legs of options together; none unless each is measured. */
  readonly option: readonly PackageOption[];
  /** Largest difference between the filled shares of two legs, hedges left out; `null` with fewer than two. */
  readonly imbalance: {
    readonly greatest: number;
    readonly at: string;
    readonly mean: number;
    /** After each fill, thinned for charts. */
    readonly points: readonly { readonly at: string; readonly apart: number }[];
  } | null;
  /** Delta of what was filled so far, in coins; `null` while a price or a greek is not recorded. */
  readonly delta: {
    readonly greatest: number;
    readonly mean: number;
    readonly final: number;
    readonly points: readonly { readonly at: string; readonly coins: number }[];
  } | null;
  readonly hedges: readonly HedgeShown[];
}

export interface HedgeShown {
  readonly leg: number;
  /** Covered delta in coins. */
  readonly covered: number;
  /** Delta still open at the end, in coins; of the hedge's own sign if it hedged too much. */
  readonly open: number;
  /** The most that was hedged beyond the delta open at that time, in coins; later fills may have needed it. */
  readonly beyond: number;
  /** Hedge fills against the mid at the fill that they cover, in basis points, first in first out. */
  readonly costBps: number | null;
  readonly lagMs: Quantiles | null;
}

export interface PortfolioReport {
  readonly schema: 'twapd.tca/1';
  readonly portfolio: string;
  readonly account: string;
  readonly strategy: string | null;
  readonly type: 'TWAP' | 'BALANCE';
  readonly status: string;
  readonly reason: string | null;
  readonly submitted: string;
  readonly start: string;
  /** The end of the schedule; without one, of the portfolio. */
  readonly end: string;
  /** When the portfolio ended; `null` while it has not. */
  readonly over: string | null;
  /** How far the figures go: the end of the portfolio, or when the report was made. */
  readonly until: string;
  /** Markouts are still open, or the portfolio is. */
  readonly isProvisional: boolean;
  readonly legs: readonly LegCosts[];
  readonly package: PackageCosts;
  readonly slices: readonly SliceShown[];
  readonly children: readonly ChildShown[];
  readonly fills: readonly FillShown[];
  /** How to read it, and what is missing. */
  readonly notes: readonly string[];
}
