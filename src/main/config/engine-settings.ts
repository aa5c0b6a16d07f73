// The core's settings out of the configuration.
import { DEFAULT_SETTINGS, type Settings } from '../../core/portfolio/settings.ts';
import { money } from '../../values/amounts.ts';
import { deploymentId } from '../../values/ids.ts';
import type { Config } from './config.ts';

export function engineSettings(config: Config): Settings {
  const { leadMs: _lead, sweepMs: _sweep, ...engine } = config.engine;
  return {
    ...DEFAULT_SETTINGS,
    ...engine,
    deployment: deploymentId(config.service.deployment),
    orderUsdMax: money(config.limits.orderUsdMax),
  };
}
