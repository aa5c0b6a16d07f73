// The operations that clients can request from the daemon. Gateways and the command line reach the engine only
// through this interface; permissions are checked before.

import type { Finding, Verdict } from '../../core/plan/verdict.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { PageQuery } from '../../ports/ledger.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import type { ChangeOperations, Outcome, PlannedSlice, Unhedged } from './change-operations.ts';

export type { Outcome, PlannedSlice } from './change-operations.ts';

export interface Submitted {
  readonly portfolio: PortfolioId;
  readonly mirrors: readonly PortfolioId[];
  /** False if a submit with the same key had already created it. */
  readonly created: boolean;
  /**
   * Where the portfolio will differ from the request; absent if nowhere, or if the same key had created it before.
   */
  readonly warnings?: readonly Finding[] | undefined;
}

export interface PlanView {
  readonly startAt: number;
  readonly endAt: number;
  readonly legs: readonly {
    readonly instrument: string;
    readonly side: 'buy' | 'sell';
    readonly quantity: string;
    readonly slices: number;
    /** True if the size follows the fills of the other legs. */
    readonly hedge: boolean;
    readonly note?: string | undefined;
  }[];
  readonly slices: readonly PlannedSlice[];
  /** The expected cost and required funds under current conditions, and the findings against the plan. */
  readonly verdict?: Verdict | undefined;
}

export interface CancelAllFilter {
  readonly account: AccountId;
  readonly portfolioType?: string | undefined;
  readonly coinOrSymbol?: string | undefined;
  readonly uids?: readonly string[] | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
}

export interface SummaryPage {
  readonly total: number;
  readonly rows: readonly PortfolioSummary[];
}

export interface Operations extends ChangeOperations {
  /** `key` makes the submit idempotent: a second submit with the same key returns the first one's portfolio. */
  submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>>;
  /**
   * Returns what submit would do; nothing is stored and nothing is sent. Synchronous if no data has to be
   * requested.
   */
  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>>;
  /** Includes the results of its mirrors. */
  info(portfolio: PortfolioId): Promise<PortfolioSummary | undefined>;
  page(query: PageQuery): Promise<SummaryPage>;
  /** Refuses unknown and finished portfolios, and a portfolio of another account if `account` is given. */
  cancel(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>>;
  /** Cancels every active portfolio that the filter matches; the cancellations continue after the reply. */
  cancelAll(filter: CancelAllFilter, by: Actor): Promise<Outcome<{ readonly count: number }>>;
}
