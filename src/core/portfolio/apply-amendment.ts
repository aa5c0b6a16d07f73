// Amends an active portfolio: totals, end, prices, limits. Guarded by the fills and amendments the caller had seen; a
// total never goes below what is filled or may fill.
import { equals, isLess, isZero, minus, text } from '../../values/amounts.ts';
import { isoText } from '../../values/instant.ts';
import { tradable } from '../../values/instrument.ts';
import { type RejectionKind, reject } from '../rejection.ts';
import { boundsChildren, limitsOf } from '../terms/amend-limits.ts';
import { type AmendTerms, isSamePricing, type LegTerms, termsOf } from '../terms/amend-terms.ts';
import type { PortfolioSpec } from '../terms/spec.ts';
import { calmed } from './admission/planned-orders.ts';
import { type Draft, emit } from './aggregate/draft.ts';
import { isTerminal } from './aggregate/portfolio-state.ts';
import {
  committedOf,
  endAt,
  legInstrument,
  legState,
  outstandingOf,
  planOf,
} from './aggregate/positions.ts';
import { specAfter } from './hedge-totals.ts';
import { type Replan, replan } from './replan.ts';
import { endSlice } from './slices/conclude.ts';

type Refuse = (kind: RejectionKind, field: string, message: string) => void;

/** Amends, or records the reasons for refusal in the draft's rejections. Terms already in force stay unchanged. */
export function amend(draft: Draft, terms: AmendTerms, by: string): void {
  const { state } = draft;
  const refuse: Refuse = (kind, field, message) => {
    draft.rejections.push(reject(kind, field, message));
  };
  if (isTerminal(state.status) || state.status === 'cancelling' || state.broken) {
    return refuse('not_active', 'portfolioId', `${state.id} is ${state.status}`);
  }
  const spec = specAfter(state, terms);
  if (spec === undefined) return;
  if (state.timeOverAt !== undefined || draft.now >= endAt(state.spec)) {
    return refuse('not_active', 'portfolioId', `the time of ${state.id} is over`);
  }
  checkSeen(draft, terms, refuse);
  checkEnd(draft, spec, refuse);
  checkLimits(draft, spec, refuse);
  for (const [at, leg] of terms.legs.entries()) checkLeg(draft, leg, { at, refuse });
  if (draft.rejections.length === 0) change(draft, spec, by);
}

function change(draft: Draft, asked: PortfolioSpec, by: string): void {
  const replans = asked.legs.map((_leg, index) => replan(draft, index, asked));
  for (const [leg, one] of replans.entries()) if (one?.endsSlice) endSlice(draft, leg);
  const { state } = draft;
  const spec = calmedRest(draft, asked, replans);
  emit(draft, {
    kind: 'amended',
    by,
    number: state.amendments + 1,
    before: termsOf(state.spec),
    after: termsOf(spec),
    replans: replans.map((one) =>
      one === undefined ? null : { ...one.rebase, done: text(one.rebase.done) },
    ),
    repriced: repricedLegs(state.spec, spec),
  });
}

/** With random sizes that make no slice of the rest larger than an order may be. */
function calmedRest(
  { state, inputs }: Draft,
  asked: PortfolioSpec,
  replans: readonly (Replan | undefined)[],
): PortfolioSpec {
  const { settings, gate, quotes } = inputs;
  const legs = state.legs.map((leg, index) => ({ ...leg, rebase: replans[index]?.rebase }));
  return calmed(asked, {
    ahead: (spec, leg) => {
      if (spec.balance !== undefined || spec.legs[leg]?.hedge !== false) return undefined;
      const after = { ...state, spec, legs };
      const { nextSlice } = legState(after, leg);
      return { plan: planOf(after, leg), instrument: legInstrument(after, leg), nextSlice };
    },
    caps: {
      orderUsdMax: settings.orderUsdMax,
      controls: gate?.limits,
      quote: (name) => quotes.get(name),
    },
  });
}

/** Legs whose resting children have a price or size that is no longer valid. */
function repricedLegs(before: PortfolioSpec, after: PortfolioSpec): readonly number[] {
  const isBounded = boundsChildren(limitsOf(before.execution), limitsOf(after.execution));
  return after.legs.flatMap((leg, index) => {
    const was = before.legs[index];
    if (was === undefined) return [];
    return isBounded || !isSamePricing(was.pricing, leg.pricing) ? [index] : [];
  });
}

function checkSeen({ state }: Draft, { amendmentsSeen: seen }: AmendTerms, refuse: Refuse): void {
  if (seen === undefined || seen === state.amendments) return;
  const last = `the last time by ${state.lastEditedBy}`;
  const message = `is ${seen}, but it was amended ${state.amendments} times, ${last}; read the portfolio and retry`;
  refuse('conflict', 'amendmentsSeen', message);
}

/** Volume traded before the bound was requested was not counted, so the bound cannot apply to it. */
function checkLimits({ state }: Draft, spec: PortfolioSpec, refuse: Refuse): void {
  const isImposed =
    state.spec.execution.participationMax === undefined &&
    spec.execution.participationMax !== undefined;
  if (!isImposed || state.legs.every(({ nextSlice }) => nextSlice === 0)) return;
  const message =
    'cannot be added after the first slice, because the volume traded before was not counted; accepted: changing or lifting a limit set at submit';
  refuse('invalid_parameter', 'execution.participationMax', message);
}

function checkEnd({ state, now }: Draft, spec: PortfolioSpec, refuse: Refuse): void {
  if (spec.durationMs === state.spec.durationMs) return;
  const end = endAt(spec);
  if (end <= now) {
    const message = `would end ${isoText(end)}, which is in the past; accepted: an end after now`;
    refuse('time_out_of_range', 'durationSec', message);
  }
}

interface LegCheck {
  /** Index of the leg in the request. */
  readonly at: number;
  readonly refuse: Refuse;
}

function checkLeg({ state }: Draft, leg: LegTerms, { at, refuse }: LegCheck): void {
  const { index, filledSeen, quantity } = leg;
  const { filled } = legState(state, index);
  if (filledSeen !== undefined && !equals(filledSeen, filled)) {
    const message = `is ${text(filledSeen)}, but ${text(filled)} is filled; read the portfolio and retry`;
    return refuse('conflict', `legs[${at}].filledSeen`, message);
  }
  if (quantity === undefined || equals(quantity, state.spec.legs[index]?.quantity ?? quantity))
    return;
  const committed = committedOf(state, index);
  const left = minus(quantity, committed);
  const parts = `${text(filled)} filled, ${text(outstandingOf(state, index))} at or possibly at the venue`;
  if (isLess(quantity, committed)) {
    const message = `is ${text(quantity)}; accepted: at least ${text(committed)} (${parts})`;
    return refuse('invalid_parameter', `legs[${at}].quantity`, message);
  }
  if (isZero(left) || !isZero(tradable(legInstrument(state, index), left))) return;
  const minimum = text(legInstrument(state, index).minAmount);
  const message = `leaves ${text(left)} beyond ${text(committed)} (${parts}), less than the minimum ${minimum}`;
  refuse('below_minimum', `legs[${at}].quantity`, message);
}
