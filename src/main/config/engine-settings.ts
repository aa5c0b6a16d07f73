// Derives the settings of the core from the configuration.

import {
  DEFAULT_SUBMIT_LIMITS,
  type SubmitLimits,
} from '../../core/portfolio/admission/submit-limits.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../core/terms/settings.ts';
import { money } from '../../values/amounts.ts';
import { accountId, deploymentId } from '../../values/ids.ts';
import type { Config } from './config.ts';

/** How long before a due time the queue wakes the engine, which then waits to the exact instant: delayed jobs are up to 100 ms late. */
export const LEAD_MS = 300;
/** The most by which due work is late that the queue did not wake. */
export const SWEEP_MS = 1_000;
/** Pause between two rounds of the auditor: a breach is known within seconds, and its queries cost little. */
export const AUDIT_MS = 2_000;
/**
 * How long before its due time a slice is priced and made durable, so that its order leaves at the due time; decision 9
 * has the measurements.
 */
const ARM_MS = 25;

export function engineSettings(config: Config): Settings {
  const { stateMemoryMb: _memory, ...engine } = config.engine;
  return {
    ...DEFAULT_SETTINGS,
    ...engine,
    armMs: ARM_MS,
    deployment: deploymentId(config.service.deployment),
    orderUsdMax: money(config.limits.orderUsdMax),
    blockUsdMax: money(config.limits.blockUsdMax),
  };
}

export function submitLimits({
  accounts,
  limits,
}: Pick<Config, 'accounts' | 'limits'>): SubmitLimits {
  const { durationSec, frequencySec } = limits;
  const dummies = accounts.filter((account) => account.dummy).map(({ id }) => accountId(id));
  return {
    ...DEFAULT_SUBMIT_LIMITS,
    durationSecMin: durationSec.min,
    durationSecMax: durationSec.max,
    frequencySecMin: frequencySec.min,
    frequencySecMax: frequencySec.max,
    slicesMax: limits.slicesMax,
    legUsdMax: money(limits.legUsdMax),
    startAheadMsMax: limits.startAheadSecMax * 1_000,
    dummyAccounts: new Set(dummies),
  };
}
