// Bounds on what may be submitted; configuration fills them in and they are published.
import type { Money } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';

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
  /** A start this far in the past still means "now". */
  readonly startBehindMsMax: number;
  readonly noteLengthMax: number;
  /** Largest leg in USD; absent = no limit. */
  readonly legUsdMax?: Money | undefined;
  readonly dummyAccounts: ReadonlySet<AccountId>;
}

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
