// The parameters of the bots of one book at one moment: width, depth, sizes, activity.

/** Standard deviations of a logarithm on either side of the median: few distributions of sizes are symmetric. */
export interface SizeSpread {
  readonly below: number;
  readonly above: number;
}

/** How many takers arrive together. */
export interface ClusterSize {
  /** The average number of followers of each arrival. */
  readonly followers: number;
  /** Arrivals of a cluster on average, within the bounds of all clusters. */
  readonly mean: number;
}

/** The wide quotes that the makers of some books show instead of the usual ones. */
export interface WideQuotes {
  /** The share of books, 0 to 1. */
  readonly share: number;
  readonly halfSpread: number;
}

export interface Liquidity {
  /** Distance from the fair value to the best quotes, in the quote unit, before tick rounding. */
  readonly halfSpread: number;
  readonly wide: WideQuotes;
  /** Standard deviation of the logarithm of the width from one book to another, within its mode. */
  readonly modeSpread: number;
  /** Standard deviation of the logarithm of the width from one change of prices to the next. */
  readonly widthSpread: number;
  /** Standard deviation of the makers' own opinion of the fair value, in the quote unit; 0 if they have none. */
  readonly sway: number;
  /** Of the logarithm of the size at the best price, below and above its median. */
  readonly touchSpread: SizeSpread;
  /** Distances of the further levels from the best one, ascending, in the quote unit. */
  readonly depths: readonly number[];
  /** Typical size of each level (the best first), in the instrument's amount unit. */
  readonly sizes: readonly number[];
  /** How many of the levels nearest to the fair value are currently withdrawn. */
  readonly pulled: number;
  /** Net amount bought from the makers recently at which they lean by 3/4 of `leanMax`. */
  readonly capacity: number;
  /** The maximum shift of the quotes of makers with a position, in the quote unit. */
  readonly leanMax: number;
  /** 0 to 1: the fraction of potential takers that arrive. */
  readonly liveliness: number;
  /** Median size of a taker, in the amount unit. */
  readonly takerSize: number;
  /** How far beyond the best quote a taker trades, in the quote unit. */
  readonly takerReach: number;
}
