// What many portfolios cost, as plain JSON. Each leg of a portfolio is one measurement. Positive is a cost; `null` is unknown
// and never zero.

/** In basis points. Quartiles are interpolated between the two nearest measurements. */
export interface Distribution {
  readonly count: number;
  readonly mean: number | null;
  /** Of the mean, as if legs were independent; `null` with fewer than two. */
  readonly standardError: number | null;
  readonly least: number | null;
  readonly lowerQuartile: number | null;
  readonly median: number | null;
  readonly upperQuartile: number | null;
  readonly greatest: number | null;
}

export interface GroupCosts {
  readonly name: string;
  readonly legs: number;
  /** Shortfall of the legs that have one in USD. */
  readonly usd: number;
  readonly legsWithoutUsd: number;
  /** Spread and schedule, which the algorithm controls. */
  readonly execution: Distribution;
  /** The whole shortfall. */
  readonly shortfall: Distribution;
  /** Average price against the arrival. */
  readonly arrival: Distribution;
}

export const GROUPINGS = ['strategy', 'instrument', 'account', 'side', 'hour', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface LegFigures {
  readonly portfolio: string;
  readonly leg: number;
  readonly strategy: string | null;
  readonly account: string;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly start: string;
  readonly executionBps: number | null;
  readonly shortfallBps: number | null;
  readonly arrivalBps: number | null;
  readonly usd: number | null;
  readonly participation: number | null;
  /** Value of the whole order at the decision. */
  readonly orderUsd: number | null;
}

/** Execution cost of the legs that started in an hour of a day of the week, in UTC. */
export interface HourCosts {
  /** 1 is Monday. */
  readonly weekday: number;
  readonly hour: number;
  readonly legs: number;
  readonly mean: number;
}

/** Execution cost of each leg against one of its figures. */
export interface CostAgainst {
  readonly by: 'participation' | 'orderUsd';
  readonly points: readonly { readonly of: number; readonly bps: number }[];
  /** Change for each tenfold, by least squares; `null` with fewer than three legs. */
  readonly bpsPerTenfold: number | null;
  readonly standardError: number | null;
}

export interface CostSummary {
  readonly schema: 'twapd.tca-summary/1';
  /** Portfolios in the figures. */
  readonly portfolios: number;
  readonly leftOut: {
    /** Not ended yet. */
    readonly active: number;
    /** Nothing was recorded of their markets. */
    readonly withoutRecord: number;
    /** They only mirror others. */
    readonly mirrors: number;
    /** Older than the most that are read at once. */
    readonly older: number;
  };
  readonly all: GroupCosts;
  readonly groups: readonly { readonly by: Grouping; readonly rows: readonly GroupCosts[] }[];
  readonly trend: {
    /** By the Monday with which a week begins, in UTC. */
    readonly weeks: readonly GroupCosts[];
    /** Change of `execution` by least squares over the legs; `null` with fewer than three, or within one week. */
    readonly bpsPerWeek: number | null;
    readonly standardError: number | null;
  };
  /** Hours without a leg are left out. */
  readonly hours: readonly HourCosts[];
  readonly against: readonly CostAgainst[];
  /** Largest shortfall in USD first. */
  readonly worst: readonly LegFigures[];
  readonly notes: readonly string[];
}
