// Amends a portfolio, or previews what an amendment would change. It is judged first; rules about fills are checked again
// in the turn that applies the change.

import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import {
  endAt,
  legSpec,
  legState,
  outstandingOf,
  planOf,
} from '../../core/portfolio/aggregate/positions.ts';
import { limitsOf } from '../../core/terms/amend-limits.ts';
import type { StoredRow } from '../../ports/ledger.ts';
import { text } from '../../values/amounts.ts';
import type {
  Amended,
  AmendedLeg,
  AmendRequest,
  Outcome,
  PlannedSlice,
} from '../interface/change-operations.ts';
import {
  type FindActiveOptions,
  findActivePortfolio,
  refusalOf,
  STOPPING,
} from './find-active-portfolio.ts';
import type { Submission } from './submit-portfolio.ts';

export interface AmendOptions extends FindActiveOptions {
  readonly submission: Pick<Submission, 'judgedAmend'>;
}

export async function amendPortfolio(
  parts: AmendOptions,
  request: AmendRequest,
): Promise<Outcome<Amended>> {
  const { engine, submission, clock } = parts;
  const { portfolio, form, by } = request;
  const found = await findActivePortfolio(parts, request);
  if (found.kind === 'refused') return found;
  const before = await freshState(parts, found.value);
  if (before === undefined) return STOPPING;
  const judgement = await submission.judgedAmend(form, before, by.uid);
  if (judgement === undefined) return STOPPING;
  if (judgement.kind === 'refused') return judgement;
  const { terms, after } = judgement;
  if (request.isPreview) {
    return { kind: 'done', value: amendedView(before, after, { isApplied: false }) };
  }
  const now = clock.now();
  const answer = await engine.turns.request(portfolio, { kind: 'amend', now, by: by.uid, terms });
  const refusal = refusalOf(answer);
  if (refusal !== undefined || answer.state === undefined) return refusal ?? STOPPING;
  return { kind: 'done', value: amendedView(before, answer.state, { isApplied: true }) };
}

/** Returns the state in this process's memory if it is the latest version, otherwise the stored state. */
async function freshState(
  { engine }: FindActiveOptions,
  { portfolio, version }: StoredRow,
): Promise<PortfolioState | undefined> {
  const known = engine.turns.peek(portfolio);
  return known?.version === version ? known : await engine.turns.stored(portfolio);
}

function amendedView(
  before: PortfolioState,
  state: PortfolioState,
  { isApplied }: { readonly isApplied: boolean },
): Amended {
  const legs = state.legs.map((leg, index): AmendedLeg => {
    const { instrument, side, quantity, hedge } = legSpec(state, index);
    return {
      instrument,
      side,
      hedge,
      quantityBefore: text(legSpec(before, index).quantity),
      quantity: text(quantity),
      filled: text(leg.filled),
      outstanding: text(outstandingOf(state, index)),
    };
  });
  return {
    portfolio: state.id,
    isApplied,
    startAt: state.spec.startAt,
    endBefore: endAt(before.spec),
    endAt: endAt(state.spec),
    amendments: isApplied ? state.amendments : before.amendments,
    limitsBefore: limitsOf(before.spec.execution),
    limits: limitsOf(state.spec.execution),
    legs,
    slices: isTerminal(state.status) ? [] : slicesAhead(state),
  };
}

/** The slices that have not started yet, as planned. Quantity behind schedule is caught up in addition to them. */
function slicesAhead(state: PortfolioState): readonly PlannedSlice[] {
  const slices = state.legs.flatMap((_leg, leg) => {
    if (legSpec(state, leg).hedge || state.spec.balance !== undefined) return [];
    const plan = planOf(state, leg);
    const first = legState(state, leg).nextSlice;
    return Array.from({ length: Math.max(0, plan.slices - first) }, (_, ahead): PlannedSlice => {
      const slice = first + ahead;
      const sizes = {
        quantity: text(plan.planned(slice)),
        cumulative: text(plan.targetAfter(slice)),
      };
      return { leg, slice, dueAt: plan.dueAt(slice), ...sizes };
    });
  });
  return slices.sort((a, b) => a.dueAt - b.dueAt || a.leg - b.leg);
}
