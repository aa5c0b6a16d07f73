// Turns a form into a specification or into the list of all faults. Contains every rule of a submit that needs no
// I/O; `plan`, strategies and backtests use the same rules, and an amendment those on terms.

import { ZERO_QUANTITY } from '../../../values/amounts.ts';
import { type Instant, isoText, later } from '../../../values/instant.ts';
import { forCcy, type Instrument } from '../../../values/instrument.ts';
import { charactersOf } from '../../../values/text/text-length.ts';
import { type Rejection, reject } from '../../rejection.ts';
import { type LegPlan, legPlan } from '../../schedule/slice-plan.ts';
import type { Execution } from '../../terms/execution.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import type { Actor, PortfolioSpec } from '../../terms/spec.ts';
import { scheduleOf } from '../aggregate/positions.ts';
import { admitBalance, admitParts, balanceExecution, untilExpiry } from './admit-balance.ts';
import type { AdmitContext } from './admit-context.ts';
import { admitExecution } from './admit-execution.ts';
import { type AdmittedLeg, admitLeg } from './admit-leg.ts';
import { admitMirrorScales } from './admit-mirrors.ts';
import { judgeTerms } from './judge-terms.ts';
import { type Ahead, calmed } from './planned-orders.ts';
import { durationRange, frequencyRange, secondsFault, spanFault } from './submit-limits.ts';

export type Admission =
  | {
      readonly kind: 'admitted';
      readonly spec: PortfolioSpec;
      readonly instruments: readonly Instrument[];
      /** One per leg; empty if only fills decide when a part begins. */
      readonly plans: readonly LegPlan[];
    }
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] };

/** Checks every rule and reports all faults at once. */
export function admit(form: PortfolioForm, by: Actor, context: AdmitContext): Admission {
  const faults: Rejection[] = [];
  const isBalance = form.portfolioType === 'BALANCE';
  const startAt = admitStart(form, context, faults);
  admitWholeSeconds(form, context, faults);
  const terms = admitTerms(form, context, faults);
  admitNames(form, context, faults);
  admitAccounts(form, context, faults);
  admitMirrorScales(form, terms.legs, faults);
  const { timing, legs, execution } = terms;
  if (faults.length > 0 || timing === undefined) return { kind: 'refused', rejections: faults };
  const asked: PortfolioSpec = {
    accountId: form.accountId,
    portfolioType: isBalance ? 'BALANCE' : 'TWAP',
    strategy: form.strategy,
    note: form.customizedNote,
    startAt,
    ...timing,
    legs: legs.map(({ spec: leg }) => leg),
    execution,
    by,
    mirrors: [],
  };
  const instruments = legs.map(({ instrument }) => instrument);
  const spec = calmed(untilExpiry(asked, legs), {
    ahead: (of, index) => wholePlan(of, index, legs),
    caps: context,
  });
  const plans = isBalance ? [] : plansOf(spec, legs);
  const ahead = legs.map((leg, index) => ({
    spec: leg.spec,
    instrument: leg.instrument,
    plan: plans[index],
    nextSlice: 0,
    committed: ZERO_QUANTITY,
  }));
  const rejections = judgeTerms({ spec, legs: ahead, isMore: true }, context);
  if (rejections.length > 0) return { kind: 'refused', rejections };
  return { kind: 'admitted', spec, instruments, plans };
}

/** A submit writes its duration in seconds; only an amended one can end between two. */
function admitWholeSeconds(
  { twapTrade }: PortfolioForm,
  { limits }: AdmitContext,
  faults: Rejection[],
): void {
  const { durationSec = 0 } = twapTrade ?? {};
  const range = durationRange(limits);
  if (Number.isInteger(durationSec) || spanFault(durationSec, range) !== undefined) return;
  const message = secondsFault(durationSec, range) ?? '';
  faults.push(reject('time_out_of_range', 'twapTrade.durationSec', message));
}

type Timing = Pick<PortfolioSpec, 'durationMs' | 'frequencyMs' | 'balance'>;

export interface AdmittedTerms {
  /** Absent if there is nothing valid to check further. */
  readonly timing: Timing | undefined;
  /** Those that passed their own rules. */
  readonly legs: readonly AdmittedLeg[];
  readonly execution: Execution;
}

/** The rules on what a form says, whether it is submitted or is the form of an amended portfolio. */
export function admitTerms(
  form: PortfolioForm,
  context: AdmitContext,
  faults: Rejection[],
): AdmittedTerms {
  const isBalance = form.portfolioType === 'BALANCE';
  const timing = isBalance ? admitBalance(form, faults) : admitTiming(form, context, faults);
  const legs = admitLegs(form, context, faults);
  const options = admitExecution(form, { legs, context, faults });
  const execution = isBalance ? balanceExecution(options, form) : options;
  return { timing, legs, execution };
}

function admitTiming(form: PortfolioForm, { limits }: AdmitContext, faults: Rejection[]) {
  if (form.portfolioType !== 'TWAP') {
    const message = `"${form.portfolioType}" is not known; accepted: TWAP, BALANCE`;
    faults.push(reject('invalid_parameter', 'portfolioType', message));
    return undefined;
  }
  if (form.twapTrade === undefined) {
    const message = 'is required for TWAP: {durationSec, frequencySec}';
    faults.push(reject('invalid_parameter', 'twapTrade', message));
    return undefined;
  }
  const { durationSec, frequencySec } = form.twapTrade;
  const checked = [
    ['twapTrade.durationSec', spanFault(durationSec, durationRange(limits))],
    ['twapTrade.frequencySec', secondsFault(frequencySec, frequencyRange(limits))],
  ] as const;
  for (const [field, message] of checked) {
    if (message !== undefined) faults.push(reject('time_out_of_range', field, message));
  }
  if (frequencySec > durationSec) {
    const message = `${frequencySec} is longer than durationSec ${durationSec}`;
    faults.push(reject('time_out_of_range', 'twapTrade.frequencySec', message));
  }
  return { durationMs: Math.round(durationSec * 1_000), frequencyMs: frequencySec * 1_000 };
}

/** A BALANCE portfolio starts on acceptance. */
function admitStart(
  { startAt: asked, portfolioType }: PortfolioForm,
  { limits, now }: AdmitContext,
  faults: Rejection[],
): Instant {
  if (asked === undefined || portfolioType !== 'TWAP') return now;
  const first = later(now, -limits.startBehindMsMax);
  const last = later(now, limits.startAheadMsMax);
  if (asked < first || asked > last) {
    const message = `${asked} is out of range; accepted: ${first} (${isoText(first)}) to ${last} (${isoText(last)}), Unix milliseconds`;
    faults.push(reject('time_out_of_range', 'twapTrade.startTimestamp', message));
  }
  return asked < now ? now : asked;
}

/** Of the free-text label of a submission, in characters. */
const STRATEGY_LENGTH_MAX = 64;

function admitNames(form: PortfolioForm, { limits }: AdmitContext, faults: Rejection[]): void {
  const length = charactersOf(form.customizedNote, limits.noteLengthMax);
  if (length > limits.noteLengthMax) {
    const message = `has ${length} characters; accepted: at most ${limits.noteLengthMax}`;
    faults.push(reject('note_too_long', 'customizedNote', message));
  }
  const named = charactersOf(form.strategy ?? '', STRATEGY_LENGTH_MAX);
  if (named > STRATEGY_LENGTH_MAX) {
    const message = `has ${named} characters; accepted: at most ${STRATEGY_LENGTH_MAX}`;
    faults.push(reject('invalid_parameter', 'strategy', message));
  }
}

function admitLegs(
  form: PortfolioForm,
  context: AdmitContext,
  faults: Rejection[],
): readonly AdmittedLeg[] {
  const { legsMax } = context.limits;
  if (form.legs.length < 1 || form.legs.length > legsMax) {
    const message = `has ${form.legs.length} legs; accepted: 1 to ${legsMax}`;
    faults.push(reject('invalid_parameter', 'legs', message));
    return [];
  }
  const admissions = form.legs.map((leg, index) => admitLeg(leg, `legs[${index}]`, context));
  const legs = admissions.flatMap((admission) => {
    if (admission.kind === 'admitted') return [admission];
    faults.push(...admission.rejections);
    return [];
  });
  admitTogether(form, admissions, faults);
  const passed = admissions.map((one) => (one.kind === 'admitted' ? one : undefined));
  admitParts(form, passed, faults);
  return legs;
}

/** Rules between legs: one exposure currency, no opposing legs, and a leg for each hedge to follow. */
function admitTogether(
  form: PortfolioForm,
  legs: readonly { readonly instrument?: Instrument | undefined }[],
  faults: Rejection[],
): void {
  const known = legs.map(({ instrument }) => instrument);
  const first = known.findIndex((instrument) => instrument !== undefined);
  const reference = known[first];
  for (const [index, instrument] of known.entries()) {
    if (instrument === undefined || reference === undefined) continue;
    if (forCcy(instrument) === forCcy(reference)) continue;
    const message = `${instrument.name} is on ${forCcy(instrument)}, legs[${first}] on ${forCcy(reference)}; legs must share one forCcy`;
    faults.push(reject('mixed_currencies', `legs[${index}].instrument`, message));
  }
  for (const [index, leg] of form.legs.entries()) {
    if (known[index] === undefined) continue;
    const against = form.legs.findIndex(
      (other) => other.instrument === leg.instrument && other.side !== leg.side,
    );
    if (against < 0 || against > index) continue;
    const message = `trades against legs[${against}], which has the other side of ${leg.instrument}`;
    faults.push(reject('invalid_parameter', `legs[${index}].side`, message));
  }
  if (form.legs.every((leg) => leg.hedge)) {
    const message = 'every leg is a hedge; at least one leg must not be, for the hedge to follow';
    faults.push(reject('invalid_parameter', 'legs', message));
  }
}

function admitAccounts(form: PortfolioForm, { limits }: AdmitContext, faults: Rejection[]): void {
  const field = 'sendToDummyAccountIds';
  for (const [index, account] of form.dummyAccounts.entries()) {
    const at = `${field}[${index}]`;
    if (!limits.dummyAccounts.has(account)) {
      faults.push(reject('invalid_parameter', at, `${account} is not a dummy account`));
    } else if (form.dummyAccounts.indexOf(account) !== index) {
      faults.push(reject('invalid_parameter', at, `${account} is named twice`));
    }
  }
  if (limits.dummyAccounts.has(form.accountId)) {
    const message = `${form.accountId} is a dummy account; it can only mirror another`;
    faults.push(reject('invalid_parameter', 'accountId', message));
  }
}

/** All slices of a leg that follows the clock. */
function wholePlan(
  spec: PortfolioSpec,
  index: number,
  legs: readonly AdmittedLeg[],
): Ahead | undefined {
  const leg = legs[index];
  if (leg === undefined || leg.spec.hedge || spec.balance !== undefined) return undefined;
  const { instrument } = leg;
  const plan = legPlan(scheduleOf(spec), leg.spec.quantity, instrument);
  return { plan, instrument, nextSlice: 0 };
}

function plansOf(spec: PortfolioSpec, legs: readonly AdmittedLeg[]): readonly LegPlan[] {
  const schedule = scheduleOf(spec);
  return legs.map((leg) => legPlan(schedule, leg.spec.quantity, leg.instrument));
}
