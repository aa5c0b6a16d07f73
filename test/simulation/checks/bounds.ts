// The bounds within which the placement protocol guarantees that nothing is placed twice, as simulated:
// shorter than in production, so that a run has room for many deadlines. Faults stay within them.

import {
  DEFAULT_SUBMIT_LIMITS,
  type SubmitLimits,
} from '../../../src/core/portfolio/admission/submit-limits.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/core/terms/settings.ts';
import { money } from '../../../src/values/amounts.ts';
import { deploymentId } from '../../../src/values/ids.ts';
import { type Instant, utcInstant } from '../../../src/values/instant.ts';
import { DUMMY } from '../plan/simulated-accounts.ts';

/** Bounds of one run: a margin that is too small is detected only if the other does not compensate. */
export interface Margins {
  /** No clock of a daemon and no clock of the venue is further from true time than half of this. */
  readonly skewMs: number;
  /** No query of the venue is further behind than this. */
  readonly readLagMs: number;
}

export const MARGINS: readonly Margins[] = [
  { skewMs: 400, readLagMs: 150 },
  { skewMs: 200, readLagMs: 1_000 },
];

export const SIMULATED_SETTINGS: Omit<Settings, keyof Margins> = {
  ...DEFAULT_SETTINGS,
  deployment: deploymentId('simu'),
  validForMs: 1_000,
  cancelRetryMs: 600,
  retryMs: 300,
  attemptsMax: 4,
  quoteAgeMaxMs: 3_000,
  endGraceMs: 3_000,
  endLateMaxMs: 20_000,
  orderUsdMax: money('1000000'),
};

/** What may be submitted; short portfolios too. */
export const SIMULATED_LIMITS: SubmitLimits = {
  ...DEFAULT_SUBMIT_LIMITS,
  durationSecMin: 1,
  frequencySecMin: 1,
  dummyAccounts: new Set([DUMMY]),
};

/** Of the option that every run has. */
export const OPTION_EXPIRES_AT: Instant = utcInstant({ year: 2026, month: 12, day: 25, hour: 8 });

export const SWEEP_MS = 1_000;
export const COMPARE_MS = 4_000;
/** How long the overdue sweeper ignores due work, as in the engine. */
export const SWEEP_GRACE_MS = 500;
