// Derives the settings of the core from the configuration.

import {
  DEFAULT_SUBMIT_LIMITS,
  type SubmitLimits,
} from '../../core/portfolio/admission/submit-limits.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../core/terms/settings.ts';
import { money } from '../../values/amounts.ts';
import { accountId, deploymentId } from '../../values/ids.ts';
import type { Config } from './config.ts';

export function engineSettings(config: Config): Settings {
  const { leadMs: _lead, sweepMs: _sweep, stateMemoryMb: _memory, ...engine } = config.engine;
  return {
    ...DEFAULT_SETTINGS,
    ...engine,
    deployment: deploymentId(config.service.deployment),
    orderUsdMax: money(config.limits.orderUsdMax),
    blockUsdMax: money(config.limits.blockUsdMax),
  };
}

export function submitLimits({
  accounts,
  limits,
}: Pick<Config, 'accounts' | 'limits'>): SubmitLimits {
  const { durationSec, frequencySec, dynamicMs } = limits;
  const dummies = accounts.filter((account) => account.dummy).map(({ id }) => accountId(id));
  return {
    ...DEFAULT_SUBMIT_LIMITS,
    durationSecMin: durationSec.min,
    durationSecMax: durationSec.max,
    frequencySecMin: frequencySec.min,
    frequencySecMax: frequencySec.max,
    dynamicMsMin: dynamicMs.min,
    dynamicMsMax: dynamicMs.max,
    legsMax: limits.legsMax,
    slicesMax: limits.slicesMax,
    legUsdMax: money(limits.legUsdMax),
    startAheadMsMax: limits.startAheadSecMax * 1_000,
    startBehindMsMax: limits.startBehindSecMax * 1_000,
    dummyAccounts: new Set(dummies),
  };
}
