// Bounds on what may be submitted; they are set by configuration and published.
import type { Money } from '../../../values/amounts.ts';
import type { AccountId } from '../../../values/ids.ts';

export interface SubmitLimits {
  readonly durationSecMin: number;
  readonly durationSecMax: number;
  readonly frequencySecMin: number;
  readonly frequencySecMax: number;
  readonly legsMax: number;
  /** Over all legs of a portfolio. */
  readonly slicesMax: number;
  readonly dynamicMsMin: number;
  readonly dynamicMsMax: number;
  readonly startAheadMsMax: number;
  /** A start this far in the past still counts as "now". */
  readonly startBehindMsMax: number;
  readonly noteLengthMax: number;
  /** Largest leg in USD; absent = no limit. */
  readonly legUsdMax?: Money | undefined;
  readonly dummyAccounts: ReadonlySet<AccountId>;
}

/**
 * The widest ranges that a deployment can configure, in seconds. Request schemas and documents state them; a value is
 * checked against the range in force, {@link SubmitLimits}, which lies within.
 */
export const SCHEDULE_BOUNDS = {
  durationSec: { min: 1, max: 7 * 86_400 },
  frequencySec: { min: 1, max: 86_400 },
} as const;

interface SecondsRange {
  readonly min: number;
  readonly max: number;
}

/** Why a number of seconds is no whole one within the range in force; `undefined` if it is. */
export const secondsFault = (seconds: number, range: SecondsRange): string | undefined =>
  Number.isInteger(seconds) ? spanFault(seconds, range) : outOfRange(seconds, range);

type SecondsUnit = 'seconds' | 'whole seconds';

/**
 * {@link secondsFault} of the time to an end that was given as an instant, which counts to the millisecond.
 * @param unit what is accepted: an instant need not be whole seconds away
 */
export const spanFault = (
  seconds: number,
  range: SecondsRange,
  unit?: SecondsUnit,
): string | undefined =>
  seconds >= range.min && seconds <= range.max ? undefined : outOfRange(seconds, range, unit);

const outOfRange = (
  seconds: number,
  { min, max }: SecondsRange,
  unit: SecondsUnit = 'whole seconds',
): string => `${seconds} is out of range; accepted: ${unit} from ${min} to ${max}`;

export const durationRange = ({ durationSecMin: min, durationSecMax: max }: SubmitLimits) => ({
  min,
  max,
});
export const frequencyRange = ({ frequencySecMin: min, frequencySecMax: max }: SubmitLimits) => ({
  min,
  max,
});

export const DEFAULT_SUBMIT_LIMITS: Omit<SubmitLimits, 'dummyAccounts'> = {
  durationSecMin: 300,
  durationSecMax: 86_400,
  frequencySecMin: 30,
  frequencySecMax: 3_600,
  legsMax: 20,
  slicesMax: 10_000,
  dynamicMsMin: 100,
  dynamicMsMax: 3_600_000,
  startAheadMsMax: 7 * 86_400_000,
  startBehindMsMax: 60_000,
  noteLengthMax: 100,
};
