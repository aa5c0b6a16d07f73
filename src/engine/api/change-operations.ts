// What can be asked of a portfolio that is at work, beside its end.
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
  /** Shows what would become of it; nothing is changed. */
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
  /** At the venue or possibly so, not filled. */
  readonly outstanding: string;
}

/** A portfolio as amended, or as it would be: instants are epoch milliseconds. */
export interface Amended {
  readonly portfolio: PortfolioId;
  readonly isApplied: boolean;
  readonly startAt: number;
  readonly endBefore: number;
  readonly endAt: number;
  /** How often it was amended by now. */
  readonly amendments: number;
  readonly limitsBefore: LimitsRecord;
  readonly limits: LimitsRecord;
  readonly legs: readonly AmendedLeg[];
  /** Slices still to begin. */
  readonly slices: readonly PlannedSlice[];
}

/** All refuse unknown, finished and mirroring portfolios, and one of another account when `account` is given. */
export interface ChangeOperations {
  /** Takes back what rests and places nothing until resumed; the schedule's time goes on. Repeating it changes nothing. */
  pause(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
  resume(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
  /**
   * Changes totals, end, prices or limits. Refused with `conflict` where more or less is filled than the
   * asker saw, or it was amended since, and below what is filled or may be. Asked again for what is so
   * already, it is done.
   */
  amend(request: AmendRequest): Promise<Outcome<Amended>>;
}
