// What the bots of one book go by at one moment: how wide, how deep, how large, how busy.

export interface Liquidity {
  /** Distance from the fair value to the best quotes, in the quote unit, before tick rounding. */
  readonly halfSpread: number;
  /** Further levels lie this far behind the best one, ascending, in the quote unit. */
  readonly depths: readonly number[];
  /** Typical size of each level (the best first), in the instrument's amount unit. */
  readonly sizes: readonly number[];
  /** How many of the levels nearest to the fair value are taken back for now. */
  readonly pulled: number;
  /** Net amount bought from the makers of late at which they lean by 3/4 of `leanMax`. */
  readonly capacity: number;
  /** How far makers with a position move their quotes at most, in the quote unit. */
  readonly leanMax: number;
  /** 0 to 1: the share of takers that come at all. */
  readonly liveliness: number;
  /** Median size of a taker, in the amount unit. */
  readonly takerSize: number;
  /** How far beyond the best quote a taker goes, in the quote unit. */
  readonly takerReach: number;
}
