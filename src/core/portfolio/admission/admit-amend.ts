// Converts an amendment to terms, and judges the portfolio that it makes by the rules of a submit. Rules that depend on
// fills are not here: `judge-amendment.ts` and `amend`.
import type { Quantity } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { AmendTerms, LegTerms } from '../../terms/amend-terms.ts';
import type { PricingForm } from '../../terms/form.ts';
import type { PortfolioSpec } from '../../terms/spec.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legInstrument } from '../aggregate/positions.ts';
import { specAfter } from '../hedge-totals.ts';
import { admitTerms } from './admit.ts';
import { EACH_MS_MIN, TOTAL_MS_MAX } from './admit-balance.ts';
import type { AdmitContext } from './admit-context.ts';
import { admitLeg } from './admit-leg.ts';
import { type AmendLimitsForm, admitLimits } from './admit-limits.ts';
import { formOfSpec, legFormOf } from './form-of-spec.ts';
import { durationRange, type SubmitLimits, spanFault } from './submit-limits.ts';

export interface LegAmendForm {
  /** Index of the leg in the portfolio, from 0. */
  readonly leg: number;
  readonly quantity?: Quantity | undefined;
  readonly priceOptions?: PricingForm | undefined;
  readonly filledSeen?: Quantity | undefined;
}

/** The requested changes; absent fields stay unchanged. */
export interface AmendForm {
  /** The new duration in seconds from the start, or the new end time. */
  readonly durationSec?: number | undefined;
  readonly endAt?: Instant | undefined;
  readonly legs: readonly LegAmendForm[];
  readonly execution?: AmendLimitsForm | undefined;
  /** How many amendments the caller had seen; required with `execution`. */
  readonly amendmentsSeen?: number | undefined;
}

export type AmendAdmission =
  | { readonly kind: 'admitted'; readonly terms: AmendTerms }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

export function admitAmend(
  form: AmendForm,
  state: PortfolioState,
  context: AdmitContext,
): AmendAdmission {
  const faults: Rejection[] = [];
  const durationMs = admitDuration(form, state, faults);
  const legs = form.legs.flatMap((leg, at) => {
    const path = `legs[${at}]`;
    const fault = placeFault(form, at, state);
    if (fault !== undefined) {
      faults.push(reject('invalid_parameter', `${path}.leg`, fault));
      return [];
    }
    return [admitLegTerms(leg, state, { path, context, faults })];
  });
  const { execution, amendmentsSeen } = form;
  if (execution !== undefined && amendmentsSeen === undefined) {
    const message = 'is required with execution: the number of amendments already seen';
    faults.push(reject('invalid_parameter', 'amendmentsSeen', message));
  }
  const limits = execution && admitLimits(execution, state, faults);
  const terms = { durationMs, legs, limits, amendmentsSeen };
  const rejections = faults.length > 0 ? faults : amendedFaults(form, terms, { state, context });
  return rejections.length > 0 ? { kind: 'refused', rejections } : { kind: 'admitted', terms };
}

interface Check {
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

/** What a submit of the amended portfolio would be refused for, in the names of the request. */
function amendedFaults(
  form: AmendForm,
  terms: AmendTerms,
  { state, context }: { readonly state: PortfolioState; readonly context: AdmitContext },
): readonly Rejection[] {
  const spec = specAfter(state, terms);
  if (spec === undefined) return [];
  const faults: Rejection[] = [];
  const made = formOfSpec(spec, (leg) => legInstrument(state, leg));
  admitTerms(made, tradedBy(state, context), faults);
  return faults.map((fault) => asRequested(fault, form, { spec, limits: context.limits }));
}

/** A portfolio is worked by the instruments as they were when it was submitted. */
const tradedBy = ({ instruments }: PortfolioState, context: AdmitContext): AdmitContext => ({
  ...context,
  instrument: (name) => instruments.get(name) ?? context.instrument(name),
});

interface Judged {
  /** As amended. */
  readonly spec: Pick<PortfolioSpec, 'durationMs' | 'frequencyMs'>;
  readonly limits: SubmitLimits;
}

/** The fault in the names of the amendment: of the field that was requested and causes it. */
export function asRequested(
  fault: Rejection,
  form: AmendForm,
  { spec: { durationMs, frequencyMs }, limits }: Judged,
): Rejection {
  const { field, kind, message } = fault;
  const end = endField(form);
  if (field === 'twapTrade.frequencySec' && durationMs < frequencyMs) {
    const [seconds, least] = [durationMs / 1_000, frequencyMs / 1_000];
    const why = `${seconds} is shorter than frequencySec; accepted: at least ${least}`;
    return { ...fault, field: end, message: asDuration(why, end) };
  }
  if (field === 'twapTrade.durationSec') {
    const range = durationRange(limits);
    const why = spanFault(durationMs / 1_000, range, unitOf(end)) ?? message;
    return { ...fault, field: end, message: asDuration(why, end) };
  }
  if (/^(twap|balance)Trade\./.test(field)) return { ...fault, field: end };
  const [, index, rest] = /^legs\[(\d+)\](.*)$/.exec(field) ?? [];
  if (index === undefined) return fault;
  const at = form.legs.findIndex(({ leg }) => leg === Number(index));
  const isTimed = form.durationSec !== undefined || form.endAt !== undefined;
  if (isTimed && (at < 0 || kind === 'ends_after_expiry')) return { ...fault, field: end };
  return at < 0 ? fault : { ...fault, field: `legs[${at}]${rest}` };
}

type EndField = 'durationSec' | 'endTimestamp';

const endField = ({ durationSec, endAt }: AmendForm): EndField =>
  durationSec === undefined && endAt !== undefined ? 'endTimestamp' : 'durationSec';

const unitOf = (field: EndField) => (field === 'durationSec' ? 'whole seconds' : 'seconds');

const asDuration = (message: string, field: EndField): string =>
  field === 'durationSec' ? message : `makes a duration of ${message}`;

/** A BALANCE portfolio has no schedule that bounds its duration. */
const PARTS_RANGE = { min: EACH_MS_MIN / 1_000, max: TOTAL_MS_MAX / 1_000 };

function admitDuration(
  form: AmendForm,
  { spec }: PortfolioState,
  faults: Rejection[],
): number | undefined {
  const { durationSec, endAt } = form;
  if (durationSec === undefined && endAt === undefined) return undefined;
  const field = endField(form);
  if (durationSec !== undefined && endAt !== undefined) {
    const message = 'is given together with endTimestamp; accepted: only one of them';
    faults.push(reject('invalid_parameter', field, message));
  }
  const durationMs = durationSec === undefined ? (endAt ?? 0) - spec.startAt : durationSec * 1_000;
  const fault = spec.balance && spanFault(durationMs / 1_000, PARTS_RANGE, unitOf(field));
  if (fault !== undefined) {
    faults.push(reject('time_out_of_range', field, asDuration(fault, field)));
  }
  return durationMs;
}

/** Checks that the leg exists and is named only once. */
function placeFault(form: AmendForm, at: number, { spec }: PortfolioState): string | undefined {
  const place = form.legs[at]?.leg ?? -1;
  if (spec.legs[place] === undefined) {
    return `is ${place}; accepted: 0 to ${spec.legs.length - 1}`;
  }
  const first = form.legs.findIndex(({ leg }) => leg === place);
  return first < at ? `repeats that of legs[${first}]; accepted: each leg once` : undefined;
}

function admitLegTerms(
  asked: LegAmendForm,
  state: PortfolioState,
  { path, context, faults }: Check & { readonly path: string },
): LegTerms {
  const { leg: index, quantity, priceOptions, filledSeen } = asked;
  const spec = state.spec.legs[index];
  if (spec === undefined) return { index };
  if (quantity !== undefined && state.spec.balance !== undefined) {
    const message =
      'cannot be changed on a BALANCE portfolio, whose parts are cut from it; cancel the portfolio and submit the rest';
    faults.push(reject('invalid_parameter', `${path}.quantity`, message));
  }
  if (quantity !== undefined && filledSeen === undefined) {
    const message = 'is required with quantity: the filledQuantity already seen';
    faults.push(reject('invalid_parameter', `${path}.filledSeen`, message));
  }
  if (quantity === undefined && priceOptions === undefined) return { index, filledSeen };
  const instrument = legInstrument(state, index);
  const form = legFormOf(spec, instrument);
  const wanted = {
    ...form,
    quantity: quantity ?? form.quantity,
    priceOptions: priceOptions ?? form.priceOptions,
  };
  const admission = admitLeg(wanted, path, tradedBy(state, context));
  if (admission.kind === 'refused') {
    faults.push(...admission.rejections);
    return { index };
  }
  const pricing = priceOptions === undefined ? undefined : admission.spec.pricing;
  return { index, quantity, pricing, filledSeen };
}
