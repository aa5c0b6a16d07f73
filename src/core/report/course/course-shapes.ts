// The course of one portfolio for charts, as plain JSON: instants are Unix milliseconds, amounts exact decimals as text.

export interface PlanPoint {
  /** When the slice is due. */
  readonly at: number;
  /** What the plan has called for once the slice is filled. */
  readonly quantity: string;
}

export interface CourseFill {
  readonly at: number;
  readonly quantity: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
  /** Filled by then, this one included. */
  readonly filled: string;
}

export interface CourseChild {
  readonly label: string;
  readonly slice: number;
  readonly attempt: number;
  /** `cancelling`: open, and its cancel has been requested. */
  readonly state:
    | 'sending'
    | 'live'
    | 'cancelling'
    | 'unknown'
    | 'filled'
    | 'cancelled'
    | 'rejected'
    | 'unsent';
  readonly quantity: string;
  readonly filled: string;
  /** Each price that it had, and from when. */
  readonly prices: readonly { readonly at: number; readonly price: string }[];
  /** `null` while it is, or may be, open. */
  readonly closedAt: number | null;
}

export interface MarketPoint {
  readonly at: number;
  readonly bid: string | null;
  readonly ask: string | null;
}

export interface LegCourse {
  readonly leg: number;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly hedge: boolean;
  readonly quantity: string;
  readonly filled: string;
  /** Every slice of the plans that were in force; of a hedge none, of BALANCE the parts that have started. */
  readonly plan: readonly PlanPoint[];
  readonly fills: readonly CourseFill[];
  /** Open ones, and the latest that are closed. */
  readonly children: readonly CourseChild[];
  readonly market: readonly MarketPoint[];
}

export interface PortfolioCourse {
  readonly portfolioId: number;
  /** Number of events that it shows. */
  readonly version: number;
  /** When it was made. */
  readonly timestamp: number;
  readonly startTimestamp: number;
  /** `null` without a time limit. */
  readonly endTimestamp: number | null;
  /** When the portfolio ended; `null` while it is active. */
  readonly overTimestamp: number | null;
  readonly legs: readonly LegCourse[];
}
