// Judges an amendment: accepted exactly if the portfolio that it makes would be, with what is filled and at the venue and
// in the time left.
import { isMore, plus, type Quantity, ZERO_QUANTITY } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Rejection } from '../rejection.ts';
import type { AmendTerms } from '../terms/amend-terms.ts';
import type { Settings } from '../terms/settings.ts';
import { type AmendForm, admitAmend, asRequested } from './admission/admit-amend.ts';
import type { AdmitContext } from './admission/admit-context.ts';
import { judgeTerms, type LegAhead } from './admission/judge-terms.ts';
import type { DecisionInputs } from './aggregate/decision-inputs.ts';
import { draftOf } from './aggregate/draft.ts';
import type { PortfolioState } from './aggregate/portfolio-state.ts';
import { committedOf, legInstrument, legSpec, legState, planOf } from './aggregate/positions.ts';
import { amend } from './apply-amendment.ts';
import { sliceRest } from './slices/work-slice.ts';

export interface AmendQuestion {
  readonly form: AmendForm;
  readonly state: PortfolioState;
  readonly by: string;
  readonly context: AdmitContext;
  readonly settings: Settings;
}

export type AmendJudgement =
  | {
      readonly kind: 'accepted';
      readonly terms: AmendTerms;
      /** The state with the terms in force. */
      readonly after: PortfolioState;
    }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

export function judgeAmendment(question: AmendQuestion): AmendJudgement {
  const { form, state, by, context } = question;
  const admission = admitAmend(form, state, context);
  if (admission.kind === 'refused') return admission;
  const { terms } = admission;
  const draft = draftOf(state, context.now, inputsOf(question));
  amend(draft, terms, by);
  const after = draft.state;
  if (draft.rejections.length > 0) return { kind: 'refused', rejections: draft.rejections };
  if (after === state) return { kind: 'accepted', terms, after };
  const { spec } = after;
  const legs = spec.legs.map((_leg, index) => legAhead(after, index, context.now));
  const asksMore = spec.legs.some((leg, index) =>
    isMore(leg.quantity, legSpec(state, index).quantity),
  );
  const faults = judgeTerms({ spec, legs, isMore: asksMore }, context);
  return faults.length > 0
    ? {
        kind: 'refused',
        rejections: faults.map((fault) =>
          asRequested(fault, form, { spec, limits: context.limits }),
        ),
      }
    : { kind: 'accepted', terms, after };
}

/** The market and the limits of now. */
function inputsOf({ state, context, settings }: AmendQuestion): DecisionInputs {
  const { controls: limits, quote: find } = context;
  const quotes = new Map(
    [...state.instruments.keys()].flatMap((name) => {
      const quote = find(name);
      return quote === undefined ? [] : [[name, quote] as const];
    }),
  );
  return {
    settings,
    quotes,
    ...(limits && { gate: { limits, overrides: [], unrest: new Map() } }),
  };
}

/** Slices missed by now are caught up by those ahead. */
function legAhead(state: PortfolioState, leg: number, now: Instant): LegAhead {
  const spec = legSpec(state, leg);
  const instrument = legInstrument(state, leg);
  const committed = plus(committedOf(state, leg), wantedBySlice(state, leg, now));
  const { nextSlice } = legState(state, leg);
  if (state.spec.balance !== undefined) return { spec, instrument, nextSlice, committed };
  const plan = planOf(state, leg);
  const next = Math.max(nextSlice, plan.lastDue(now));
  return { spec, instrument, plan, nextSlice: next, committed };
}

function wantedBySlice(state: PortfolioState, leg: number, now: Instant): Quantity {
  const { current } = legState(state, leg);
  return current === undefined || now >= current.endsAt
    ? ZERO_QUANTITY
    : sliceRest({ state }, leg, current);
}
