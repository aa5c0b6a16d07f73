// The bounds within which the placement protocol promises that nothing is placed twice, as simulated:
// shorter than in production, so that a run has room for many deadlines. Trouble stays within them.
import { DEFAULT_SETTINGS, type Settings } from '../../core/portfolio/settings.ts';
import { money } from '../../values/amounts.ts';
import { deploymentId } from '../../values/ids.ts';

/** No clock of a daemon and no clock of the venue is further from true time than this. */
export const OFFSET_MAX_MS = 200;

export const SIMULATED_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  deployment: deploymentId('simu'),
  validForMs: 1_000,
  // Two clocks, each off by the most it may be.
  skewMs: 2 * OFFSET_MAX_MS,
  readLagMs: 150,
  cancelRetryMs: 600,
  retryMs: 300,
  attemptsMax: 6,
  quoteAgeMaxMs: 3_000,
  endGraceMs: 3_000,
  endLateMaxMs: 20_000,
  orderUsdMax: money('1000000'),
};

export const SWEEP_MS = 1_000;
export const COMPARE_MS = 4_000;
/** How long the sweeper leaves alone what is due, as the engine has it. */
export const SWEEP_GRACE_MS = 500;
