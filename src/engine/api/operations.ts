// What people and programs can ask of the daemon. Gateways and the command line know the engine only
// by this; who may ask for what is checked before.

import type { Finding, Verdict } from '../../core/plan/verdict.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { PageQuery } from '../../ports/ledger.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import type { ChangeOperations, Outcome, PlannedSlice } from './change-operations.ts';

export type { Outcome, PlannedSlice } from './change-operations.ts';

export interface Submitted {
  readonly portfolio: PortfolioId;
  readonly mirrors: readonly PortfolioId[];
  /** False when the same key had already created it. */
  readonly created: boolean;
  /** What will not be as it was asked for; absent = nothing, or created before with the same key. */
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
    /** True when the size follows the fills of the other legs. */
    readonly hedge: boolean;
    readonly note?: string | undefined;
  }[];
  readonly slices: readonly PlannedSlice[];
  /** What it would cost and need as things are, and what stands against it. */
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
  /** `key` makes it once only: a second submit with the same key answers with the first's portfolio. */
  submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>>;
  /** What submit would do; nothing is stored, nothing is sent. At once where nobody has to be asked. */
  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>>;
  /** With what its mirrors came to. */
  info(portfolio: PortfolioId): Promise<PortfolioSummary | undefined>;
  page(query: PageQuery): Promise<SummaryPage>;
  /** Refuses unknown and finished portfolios, and one of another account when `account` is given. */
  cancel(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>>;
  /** Every active portfolio the filter matches; their cancellation goes on after the answer. */
  cancelAll(filter: CancelAllFilter, by: Actor): Promise<Outcome<{ readonly count: number }>>;
}
