// Implements the operations that gateways call on top of the engine.

import { isTerminal } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { openExposures } from '../../core/portfolio/slices/open-exposure.ts';
import type { PortfolioSummary } from '../../core/portfolio/summary/portfolio-summary.ts';
import { summarizeAt } from '../../core/portfolio/summary/summarize.ts';
import { reject } from '../../core/rejection.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, PageQuery, StoredRow } from '../../ports/ledger.ts';
import { text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { type AccountId, type PortfolioId, portfolioId } from '../../values/ids.ts';
import type { Engine } from '../engine.ts';
import type { Amended, AmendRequest, Unhedged } from '../interface/change-operations.ts';
import type {
  CancelAllFilter,
  Operations,
  Outcome,
  PlanView,
  Submitted,
  SummaryPage,
} from '../interface/operations.ts';
import type { Answered } from '../turns/waiting-requests.ts';
import { amendPortfolio } from './amend-portfolio.ts';
import { type FindActiveOptions, findActivePortfolio, refusalOf } from './find-active-portfolio.ts';
import type { Submission } from './submit-portfolio.ts';

export interface EngineOperationsOptions {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly submission: Submission;
}

/** The number of portfolios cancelled per ledger query of cancel-all. */
const CANCEL_BATCH = 500;

export class EngineOperations implements Operations {
  readonly #options: EngineOperationsOptions;

  constructor(options: EngineOperationsOptions) {
    this.#options = options;
  }

  submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>> {
    return this.#options.submission.submit(form, by, key);
  }

  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    return this.#options.submission.plan(form, by);
  }

  async info(portfolio: PortfolioId): Promise<PortfolioSummary | undefined> {
    const { ledger } = this.#options;
    const row = await ledger.row(portfolio);
    const summary = row && this.#summary(row);
    if (summary === undefined || summary.mirrors.length === 0) return summary;
    const rows = await Promise.all(summary.mirrors.map((id) => ledger.row(portfolioId(id))));
    return { ...summary, mirrored: rows.flatMap((one) => (one ? [this.#summary(one)] : [])) };
  }

  async page(query: PageQuery): Promise<SummaryPage> {
    const { total, rows } = await this.#options.ledger.page(query);
    return { total, rows: rows.map((row) => this.#summary(row)) };
  }

  async cancel(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>> {
    const { engine, ledger, clock } = this.#options;
    const row = await ledger.row(portfolio);
    if (row === undefined || (account !== undefined && row.account !== account)) {
      const message = `${portfolio} is not a portfolio of this account`;
      return { kind: 'refused', rejections: [reject('not_found', 'portfolioId', message)] };
    }
    if (isTerminal(row.status)) {
      const message = `${portfolio} is over: ${row.record.status}`;
      return { kind: 'refused', rejections: [reject('not_active', 'portfolioId', message)] };
    }
    const now = clock.now();
    const command = { kind: 'cancel', now, reason: 'user_request', by: by.uid } as const;
    return stopped(await engine.turns.request(portfolio, command));
  }

  amend(request: AmendRequest): Promise<Outcome<Amended>> {
    return amendPortfolio(this.#options, request);
  }

  pause(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<Unhedged>> {
    return pauseOrResume(this.#options, { kind: 'pause', portfolio, by, account });
  }

  async resume(portfolio: PortfolioId, by: Actor, account?: AccountId): Promise<Outcome<null>> {
    const hold = { kind: 'resume', portfolio, by, account } as const;
    const answer = await pauseOrResume(this.#options, hold);
    return answer.kind === 'refused' ? answer : { kind: 'done', value: null };
  }

  async cancelAll(
    filter: CancelAllFilter,
    by: Actor,
  ): Promise<Outcome<{ readonly count: number }>> {
    const { engine, ledger, clock } = this.#options;
    let count = 0;
    for (;;) {
      const { rows } = await ledger.page(activeQuery(filter));
      if (rows.length === 0) return { kind: 'done', value: { count } };
      const now = clock.now();
      const command = { kind: 'cancel', now, reason: 'cancel_all', by: by.uid } as const;
      const answers = await Promise.all(
        rows.map((row) => engine.turns.request(row.portfolio, command)),
      );
      const refusal = answers.map(refusalOf).find((one) => one !== undefined);
      if (refusal !== undefined) return refusal;
      count += rows.length;
      if (rows.length < CANCEL_BATCH) return { kind: 'done', value: { count } };
    }
  }

  /** The stored record; if this process has the portfolio in memory, the record as of the current schedule. */
  #summary(row: StoredRow): PortfolioSummary {
    const { engine, clock } = this.#options;
    const state = engine.turns.peek(row.portfolio);
    if (state === undefined || state.version !== row.version || isTerminal(state.status)) {
      return row.record;
    }
    return summarizeAt(state, clock.now());
  }
}

const activeQuery = (filter: CancelAllFilter): PageQuery => ({
  ...filter,
  statuses: ['active'],
  orderBy: 'submittedAt',
  descending: false,
  offset: 0,
  limit: CANCEL_BATCH,
});

/** Pauses or resumes a portfolio; succeeds if it already is in that state. */
interface Hold {
  readonly kind: 'pause' | 'resume';
  readonly portfolio: PortfolioId;
  readonly by: Actor;
  readonly account?: AccountId | undefined;
}

async function pauseOrResume(parts: FindActiveOptions, hold: Hold): Promise<Outcome<Unhedged>> {
  const { engine, clock } = parts;
  const { kind, portfolio, by } = hold;
  const found = await findActivePortfolio(parts, hold);
  if (found.kind === 'refused') return found;
  return stopped(await engine.turns.request(portfolio, { kind, now: clock.now(), by: by.uid }));
}

/** Names what no hedge covers at this moment; whether it is made up follows as news. */
function stopped(answer: Answered): Outcome<Unhedged> {
  const refusal = refusalOf(answer);
  if (refusal !== undefined) return refusal;
  const state = must(answer.state, 'an applied request has a state');
  const open = openExposures(state).map(({ leg, quantity }) => {
    const { instrument, side } = legSpec(state, leg);
    return { legId: `${state.id}-${leg}`, instrument, side, quantity: text(quantity) };
  });
  return { kind: 'done', value: open.length === 0 ? null : open };
}
