// The operations that change an active portfolio, apart from cancelling it.
import type { AmendForm } from '../../core/portfolio/admission/admit-amend.ts';
import type { Rejection } from '../../core/rejection.ts';
import type { LimitsRecord } from '../../core/terms/amend-limits.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

export interface AmendRequest {
  readonly portfolio: PortfolioId;
  readonly account?: AccountId | undefined;
  readonly form: AmendForm;
  /** Returns what the amendment would change, without applying it. */
  readonly isPreview: boolean;
  readonly by: Actor;
}

export interface PlannedSlice {
  readonly leg: number;
  readonly slice: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  readonly quantity: string;
  /** Sum of the leg's slices up to this one. */
  readonly cumulative: string;
}

export interface AmendedLeg {
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly hedge: boolean;
  readonly quantityBefore: string;
  readonly quantity: string;
  readonly filled: string;
  /** Open at the venue, or possibly so, and not filled. */
  readonly outstanding: string;
}

/** A portfolio as amended, or as it would be amended; instants are epoch milliseconds. */
export interface Amended {
  readonly portfolio: PortfolioId;
  readonly isApplied: boolean;
  readonly startAt: number;
  readonly endBefore: number;
  readonly endAt: number;
  /** The number of amendments so far. */
  readonly amendments: number;
  readonly limitsBefore: LimitsRecord;
  readonly limits: LimitsRecord;
  readonly legs: readonly AmendedLeg[];
  /** The slices that have not started yet. */
  readonly slices: readonly PlannedSlice[];
}

/** A hedge leg that lacks what the fills of the other legs require when its portfolio is paused or cancelled. */
export interface UnhedgedLeg {
  readonly legId: string;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
}

/** `null`: nothing is open. */
export type Unhedged = readonly UnhedgedLeg[] | null;

/**
 * Every operation refuses unknown, finished and mirroring portfolios, and a portfolio of another account if
 * `account` is given.
 */
export interface ChangeOperations {
  /**
   * Cancels the resting orders and places nothing until resumed; the schedule keeps running. Repeating it changes
   * nothing.
   */
  pause(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>>;
  resume(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
  /**
   * Changes totals, end, prices or limits. Refused with `conflict` if the filled quantity differs from what the
   * caller saw or the portfolio was amended since, and if a total falls below what is filled or may still be
   * filled. Repeating an amendment already in force succeeds.
   */
  amend(request: AmendRequest): Promise<Outcome<Amended>>;
}
