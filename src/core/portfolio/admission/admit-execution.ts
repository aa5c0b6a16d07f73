// The rules of the execution options: each must be in its range and able to have an effect.
import { text } from '../../../values/amounts.ts';
import { isOnTick, isPriceOf } from '../../../values/instrument.ts';
import { type Rejection, reject } from '../../rejection.ts';
import {
  DEFAULT_EXECUTION,
  type EscalationStep,
  type Execution,
  type ExecutionForm,
  type Randomise,
  type WouldPrice,
} from '../../terms/execution.ts';
import type { PortfolioForm } from '../../terms/form.ts';
import type { AdmitContext } from './admit-context.ts';
import type { AdmittedLeg } from './admit-leg.ts';
import { admitMmpGroup } from './admit-mmp-group.ts';
import { admitResidualRfq } from './admit-residual-rfq.ts';

interface Tools {
  /** Legs that passed their own rules; faults of the others are already recorded. */
  readonly legs: readonly AdmittedLeg[];
  readonly context: AdmitContext;
  readonly faults: Rejection[];
}

type Complain = (field: string, message: string) => void;

const END_CAP_BPS = 50;
const EXTEND_MS_MAX = 86_400_000;
const SEED_LENGTH_MAX = 64;

/** The options with their defaults. Faults are added to `faults`. */
export function admitExecution(form: PortfolioForm, { legs, context, faults }: Tools): Execution {
  const complain: Complain = (field, message) => {
    faults.push(reject('invalid_parameter', `execution.${field}`, message));
  };
  const { randomSize, randomTime, seed, avoidWindows, partTimeout, rfq, ...given } = form.execution;
  checkRanges(form.execution, complain);
  checkEnd(form.execution, complain);
  checkLegRules(form, legs, complain);
  admitMmpGroup(form, { legs, context, faults });
  const asked = admitResidualRfq(form, { legs, context, faults });
  const known = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Execution>;
  const randomise = randomiseOf(form, context);
  const quiet = avoidWindows === true ? context.features.quietWindows : undefined;
  return {
    ...DEFAULT_EXECUTION,
    ...known,
    ...(asked && { rfq: asked }),
    ...(sweeps(form.execution) && { endCapBps: known.endCapBps ?? END_CAP_BPS }),
    ...(randomise && { randomise }),
    ...(quiet && quiet.length > 0 && { quiet }),
  };
}

/** A number within bounds; an open bound itself is not accepted. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly isFromOpen?: boolean;
  readonly isToOpen?: boolean;
}

const RANGES = {
  phase: { from: 0, to: 1, isToOpen: true },
  maxCatchUp: { from: 1, to: 100 },
  randomSize: { from: 0, to: 1, isToOpen: true },
  randomTime: { from: 0, to: 1, isToOpen: true },
  slippageMaxBps: { from: 0, to: 10_000 },
  spreadMaxBps: { from: 0, to: 20_000, isFromOpen: true },
  spreadMaxVol: { from: 0, to: 1_000, isFromOpen: true },
  bandBps: { from: 0, to: 10_000 },
  participationMax: { from: 0, to: 1, isFromOpen: true },
  endCapBps: { from: 0, to: 10_000 },
} as const satisfies Partial<Record<keyof ExecutionForm, Range>>;

/** Checks the ranges of the numbers; each fault carries the name of its option. */
export function checkRanges(execution: ExecutionForm, complain: Complain): void {
  if (Object.keys(execution).length === 0) return;
  for (const [name, range] of Object.entries(RANGES)) {
    const value = execution[name as keyof typeof RANGES];
    if (value !== undefined && !isWithin(value, range)) {
      complain(name, `${value} is out of range; accepted: ${rangeText(range)}`);
    }
  }
  const { collar, seed } = execution;
  if (collar !== undefined && !(collar.gte(0) && collar.lte('0.5'))) {
    complain('collar', `${text(collar)} is out of range; accepted: 0 to 0.5`);
  }
  if (seed !== undefined && (seed.length < 1 || seed.length > SEED_LENGTH_MAX)) {
    complain('seed', `has ${seed.length} characters; accepted: 1 to ${SEED_LENGTH_MAX}`);
  }
}

const isWithin = (value: number, { from, to, isFromOpen, isToOpen }: Range): boolean =>
  value >= from && value <= to && !(isFromOpen && value === from) && !(isToOpen && value === to);

const rangeText = ({ from, to, isFromOpen, isToOpen }: Range): string =>
  `${isFromOpen ? 'above ' : ''}${from} up to${isToOpen ? ', not including,' : ''} ${to}`;

/** Whether it sweeps at the end, or after a Block RFQ that left a residual. */
const sweeps = ({ endAction, rfq }: ExecutionForm): boolean =>
  endAction === 'sweep' || (endAction === 'rfq' && rfq?.fallback === 'sweep');

function checkEnd(execution: ExecutionForm, complain: Complain): void {
  const { endAction, endCapBps, extendMs } = execution;
  if (endCapBps !== undefined && !sweeps(execution)) {
    complain('endCapBps', 'is accepted only with endAction sweep');
  }
  if (endAction === 'extend') {
    if (extendMs === undefined) {
      complain('extendSec', 'is required with endAction extend; accepted: seconds from 1 to 86400');
    } else if (!(extendMs >= 1_000 && extendMs <= EXTEND_MS_MAX)) {
      complain('extendSec', `${extendMs / 1_000} is out of range; accepted: 1 to 86400`);
    }
  } else if (extendMs !== undefined) {
    complain('extendSec', 'is accepted only with endAction extend');
  }
}

function checkLegRules(
  form: PortfolioForm,
  legs: readonly AdmittedLeg[],
  complain: Complain,
): void {
  const { escalation, would, spreadMaxVol } = form.execution;
  const isComplete = legs.length === form.legs.length;
  if (escalation !== undefined) checkEscalation(escalation, form, complain);
  if (would !== undefined && isComplete) checkWould(would, legs, complain);
  checkParticipation(form.execution, legs, complain);
  const hasOption = legs.some(({ instrument }) => instrument.kind === 'option');
  if (spreadMaxVol !== undefined && isComplete && !hasOption) {
    complain('spreadMaxVol', 'is accepted only with option legs; accepted here: spreadMaxBps');
  }
}

/** A hedge takes no share of a volume. */
function checkParticipation(
  { participationMax }: ExecutionForm,
  legs: readonly AdmittedLeg[],
  complain: Complain,
): void {
  if (participationMax === undefined) return;
  const routed = legs.find(({ instrument, spec }) => instrument.isRouted === true && !spec.hedge);
  if (routed === undefined) return;
  const { name } = routed.instrument;
  const why = `needs the traded volume of ${name}, which is matched on another exchange and not published`;
  complain('participationMax', `${why}; accepted: leave it out, or another instrument`);
}

function checkEscalation(
  steps: readonly EscalationStep[],
  form: PortfolioForm,
  complain: Complain,
): void {
  steps.forEach(({ from }, index) => {
    const before = steps[index - 1]?.from;
    if (index === 0 ? from === 0 : before !== undefined && from > before && from < 1) return;
    const accepted = index === 0 ? '0 for the first step' : `above ${before} and below 1`;
    complain(`escalation[${index}].from`, `${from} is out of order; accepted: ${accepted}`);
  });
  if (steps.length === 0) complain('escalation', 'has no step; accepted: 1 to 8 steps');
  for (const [index, leg] of form.legs.entries()) {
    const isImmediate = leg.timeInForce === 'ioc' || leg.timeInForce === 'fok';
    if (leg.priceOptions.priceType === 'dynamic' || isImmediate) {
      const why = `does not fit legs[${index}], which itself determines how its children are priced`;
      complain('escalation', `${why}; accepted: MARKET and LIMIT legs without IOC or FOK`);
    }
    if (leg.postOnly && steps.some(({ manner }) => manner === 'cross')) {
      complain('escalation', `has a crossing step, but legs[${index}] is postOnly`);
    }
  }
}

function checkWould(
  would: readonly WouldPrice[],
  legs: readonly AdmittedLeg[],
  complain: Complain,
): void {
  for (const [index, { leg, price, share }] of would.entries()) {
    const at = `wouldPrices[${index}]`;
    const of = legs[leg];
    if (of === undefined) {
      complain(`${at}.leg`, `${leg} is not a leg index; accepted: 0 to ${legs.length - 1}`);
      continue;
    }
    if (of.spec.hedge) complain(`${at}.leg`, `${leg} is a hedge, which is sized by the other legs`);
    if (would.findIndex((other) => other.leg === leg) < index) {
      complain(`${at}.leg`, `${leg} already has a would price`);
    }
    if (!isPriceOf(of.instrument, price) || !isOnTick(of.instrument, price)) {
      const { name, tickSize } = of.instrument;
      complain(
        `${at}.price`,
        `${text(price)} is not a valid price of ${name}, tick ${text(tickSize)}`,
      );
    }
    if (!(share > 0 && share <= 1)) {
      complain(`${at}.share`, `${share} is out of range; accepted: above 0 up to 1`);
    }
  }
}

/** A portfolio without a seed gets one derived from the request and stored with it. */
function randomiseOf(form: PortfolioForm, { now }: AdmitContext): Randomise | undefined {
  const { randomSize: size = 0, randomTime: time = 0, seed } = form.execution;
  if (size === 0 && time === 0) return undefined;
  return { size, time, seed: seed ?? `${form.accountId}-${form.startAt ?? now}` };
}
