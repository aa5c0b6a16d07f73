// The limits on the execution of children that can be changed while a portfolio is active. They restrict what is
// done; options that schedule what is done are part of the plan and stay unchanged.
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

/** New limits by name; those in `lifted` return to their defaults. */
export interface LimitTerms {
  readonly limits: Partial<Pick<Execution, LimitName>>;
  readonly lifted: readonly LimitName[];
}

/** The limits in force, as plain JSON; an absent limit is off. */
export type LimitsRecord = Omit<Pick<Execution, LimitName>, 'collar'> & { readonly collar: string };

export function limitsOf(execution: Execution): LimitsRecord {
  const { maxCatchUp, collar, participationMax } = execution;
  const { slippageMaxBps, bandBps, spreadMaxBps, spreadMaxVol } = execution;
  return {
    maxCatchUp,
    collar: text(collar),
    ...(slippageMaxBps !== undefined && { slippageMaxBps }),
    ...(bandBps !== undefined && { bandBps }),
    ...(spreadMaxBps !== undefined && { spreadMaxBps }),
    ...(spreadMaxVol !== undefined && { spreadMaxVol }),
    ...(participationMax !== undefined && { participationMax }),
  };
}

/** The options with their limits replaced by the recorded ones. */
export const withLimits = (execution: Execution, limits: LimitsRecord): Execution => ({
  ...without(execution, LIMIT_NAMES),
  ...limits,
  collar: ratio(limits.collar),
});

/** The options with the requested limits applied. */
export function amendedLimits(execution: Execution, { limits, lifted }: LimitTerms): Execution {
  return { ...without(execution, lifted), ...limits };
}

const without = (execution: Execution, names: readonly LimitName[]): Execution => {
  const kept = Object.entries(execution).filter(([name]) => !names.some((one) => one === name));
  return { ...DEFAULT_EXECUTION, ...(Object.fromEntries(kept) as Partial<Execution>) };
};

export const isSameLimits = (a: LimitsRecord, b: LimitsRecord): boolean =>
  LIMIT_NAMES.every((name) => a[name] === b[name]);

/** True if resting children may violate the new limits: all changes except to the size of future slices. */
export const boundsChildren = (a: LimitsRecord, b: LimitsRecord): boolean =>
  !isSameLimits({ ...a, maxCatchUp: 1 }, { ...b, maxCatchUp: 1 });
