// The limits and controls of a deployment, as its daemon finds them, for runs in virtual time: a file that the daemon would
// refuse is refused, and a slice that would wait there waits.
import { money } from '../../../values/amounts.ts';
import { MINUTE_MS } from '../../../values/instant.ts';
import type { CourseLimits } from '../../../virtual/backtest/virtual-course.ts';
import type { Config } from '../../config/config.ts';
import { submitLimits } from '../../config/engine-settings.ts';
import { controlLimits } from '../../config/rules/control-limit-rules.ts';
import { readConfigLoosely } from '../files.ts';

/** Plain data: the processes of a sweep are sent it. */
export interface DeploymentLimits extends Pick<Config, 'limits' | 'controls'> {
  /** The configuration, as the command names it. */
  readonly path: string;
}

/** Without its secrets, which no run needs. @throws CommandFailure with every fault of the file. */
export function deploymentLimits(path: string): DeploymentLimits {
  const { limits, controls } = readConfigLoosely(path, () => undefined);
  return { path, limits, controls };
}

/** @param holeMs silence of the quotes that the run trusts: a recording may have fewer rows than a venue publishes. */
export function courseLimits(
  { limits, controls }: DeploymentLimits,
  { holeMs = 0 }: { readonly holeMs?: number } = {},
): CourseLimits {
  const inForce = controlLimits({ controls });
  const { collar } = inForce;
  const submit = submitLimits({ accounts: [], limits });
  return {
    // A run starts when it is submitted, also if it waits for a first quote.
    submit: { ...submit, startBehindMsMax: Math.max(submit.startBehindMsMax, MINUTE_MS) },
    orderUsdMax: money(limits.orderUsdMax),
    blockUsdMax: money(limits.blockUsdMax),
    controls: {
      ...inForce,
      collar: collar && {
        ...collar,
        referenceAgeMaxMs: Math.max(collar.referenceAgeMaxMs, holeMs),
      },
    },
  };
}

/** All of them that a run depends on: not the note on a change, nor where the file is. */
export function limitsKey({ limits, controls }: DeploymentLimits): readonly unknown[] {
  const { change: _, ...rules } = controls;
  return [limits, rules];
}

export const limitsNote = ({ path, controls }: DeploymentLimits): string =>
  `limits and controls are those of ${path}, controls version ${controlLimits({ controls }).version}`;
