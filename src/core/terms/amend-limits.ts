// The limits on how children are worked that can be changed while a portfolio is at work. They say what
// must not be done; options that say what is to be done when are part of its plan and stay.
import { ratio, text } from '../../values/amounts.ts';
import { DEFAULT_EXECUTION, type Execution } from './execution.ts';

export const LIMIT_NAMES = [
  'maxCatchUp',
  'collar',
  'slippageMaxBps',
  'bandBps',
  'spreadMaxBps',
  'spreadMaxVol',
  'participationMax',
] as const;

export type LimitName = (typeof LIMIT_NAMES)[number];

/** New limits by name; those in `lifted` go back to what they are without being asked for. */
export interface LimitTerms {
  readonly limits: Partial<Pick<Execution, LimitName>>;
  readonly lifted: readonly LimitName[];
}

/** The limits in force, as plain JSON; what is absent is off. */
export type LimitsRecord = Omit<Pick<Execution, LimitName>, 'collar'> & { readonly collar: string };

export function limitsOf(execution: Execution): LimitsRecord {
  const { maxCatchUp, collar, participationMax } = execution;
  const { slippageMaxBps, bandBps, spreadMaxBps, spreadMaxVol } = execution;
  return {
    ...{ maxCatchUp, collar: text(collar) },
    ...(slippageMaxBps !== undefined && { slippageMaxBps }),
    ...(bandBps !== undefined && { bandBps }),
    ...(spreadMaxBps !== undefined && { spreadMaxBps }),
    ...(spreadMaxVol !== undefined && { spreadMaxVol }),
    ...(participationMax !== undefined && { participationMax }),
  };
}

/** The options with recorded limits in place of their own. */
export const withLimits = (execution: Execution, limits: LimitsRecord): Execution => ({
  ...without(execution, LIMIT_NAMES),
  ...limits,
  collar: ratio(limits.collar),
});

/** The options with what is asked for in them. */
export function amendedLimits(execution: Execution, { limits, lifted }: LimitTerms): Execution {
  return { ...without(execution, lifted), ...limits };
}

const without = (execution: Execution, names: readonly LimitName[]): Execution => {
  const kept = Object.entries(execution).filter(([name]) => !names.some((one) => one === name));
  return { ...DEFAULT_EXECUTION, ...(Object.fromEntries(kept) as Partial<Execution>) };
};

export const isSameLimits = (a: LimitsRecord, b: LimitsRecord): boolean =>
  LIMIT_NAMES.every((name) => a[name] === b[name]);

/** True where children that rest may be beyond what holds now: all but the size of slices to come. */
export const boundsChildren = (a: LimitsRecord, b: LimitsRecord): boolean =>
  !isSameLimits({ ...a, maxCatchUp: 1 }, { ...b, maxCatchUp: 1 });
