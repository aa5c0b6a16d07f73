// Checks an amendment by the rules of a submit and converts it to terms. Rules that depend on fills are not here:
// they apply at the moment of the change, see `amend`.
import type { Quantity } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { type Rejection, reject } from '../../rejection.ts';
import type { AmendTerms, LegTerms } from '../../terms/amend-terms.ts';
import type { LegForm, PricingForm } from '../../terms/form.ts';
import type { LegPricing, LegSpec } from '../../terms/spec.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legInstrument } from '../aggregate/positions.ts';
import type { AdmitContext } from './admit-context.ts';
import { admitLeg } from './admit-leg.ts';
import { type AmendLimitsForm, admitLimits } from './admit-limits.ts';
import { worstBesideRfq } from './admit-residual-rfq.ts';
import { durationRange, secondsFault } from './submit-limits.ts';

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
  const durationMs = admitDuration(form, state, { context, faults });
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
  return faults.length > 0
    ? { kind: 'refused', rejections: faults }
    : { kind: 'admitted', terms: { durationMs, legs, limits, amendmentsSeen } };
}

interface Check {
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

function admitDuration(
  { durationSec, endAt }: AmendForm,
  { spec }: PortfolioState,
  { context, faults }: Check,
): number | undefined {
  if (durationSec === undefined && endAt === undefined) return undefined;
  const field = durationSec === undefined ? 'endTimestamp' : 'durationSec';
  if (durationSec !== undefined && endAt !== undefined) {
    faults.push(
      reject(
        'invalid_parameter',
        field,
        'is given together with endTimestamp; accepted: only one of them',
      ),
    );
  }
  const seconds = durationSec ?? Math.floor(((endAt ?? 0) - spec.startAt) / 1_000);
  const fault = secondsFault(seconds, durationRange(context.limits));
  if (fault !== undefined) {
    const message = durationSec === undefined ? `makes a duration of ${fault}` : fault;
    faults.push(reject('time_out_of_range', field, message));
  }
  return seconds * 1_000;
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
  const admission = admitLeg(wanted, path, context);
  if (admission.kind === 'refused') {
    faults.push(...admission.rejections);
    return { index };
  }
  const pricing = priceOptions === undefined ? undefined : admission.spec.pricing;
  if (pricing?.worst !== undefined && state.spec.execution.rfq !== undefined) {
    faults.push(worstBesideRfq(path));
  }
  return { index, quantity, pricing, filledSeen };
}

const TIMES_IN_FORCE = {
  good_til_cancelled: 'gtc',
  immediate_or_cancel: 'ioc',
  fill_or_kill: 'fok',
  good_til_day: 'gtd',
} as const;

/** The leg as a submit form would state it. */
function legFormOf(spec: LegSpec, instrument: Instrument): LegForm {
  const { kind, timeInForce, pricing, ...same } = spec;
  return {
    ...same,
    instrumentType: kind,
    timeInForce: timeInForce && TIMES_IN_FORCE[timeInForce],
    priceOptions: pricingFormOf(pricing, instrument),
  };
}

function pricingFormOf(pricing: LegPricing, { quote }: Instrument): PricingForm {
  const { worst } = pricing;
  if (pricing.type === 'market') return { priceType: 'market', worst };
  const priceIn = { currency: quote, usd: 'USD', iv: 'IV' }[pricing.unit];
  const { type: priceType, price: shown } = pricing;
  if (pricing.type === 'limit') return { priceType, price: shown, priceIn, worst };
  return {
    ...{ priceType, price: shown, priceIn, worst },
    dynamicPriceStrategy: pricing.reference,
    dynamicPriceOffset: pricing.offset,
    dynamicMs: pricing.everyMs,
  };
}
