// The limits and controls of a deployment, as its daemon finds them, for runs in virtual time: a file that the daemon would
// refuse is refused, and a slice that would wait there waits.
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { type Money, money } from '../../values/amounts.ts';
import { MINUTE_MS } from '../../values/instant.ts';
import type { CourseLimits } from '../../virtual/backtest/virtual-course.ts';
import type { Config } from '../config/config.ts';
import { submitLimits } from '../config/engine-settings.ts';
import { controlLimits } from '../config/rules/control-limit-rules.ts';
import { readConfigLoosely } from './files.ts';

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

export interface CourseMarket {
  /** Silence of the quotes that the run trusts: a recording may have fewer rows than a venue publishes. */
  readonly holeMs?: number | undefined;
  /** Options whose index the recording lacks. A daemon waits for it; here it never comes. */
  readonly unvalued?: readonly string[] | undefined;
}

const NO_USD_CONTROLS = {
  orderUsdMax: undefined,
  grossUsdMax: undefined,
  slippageUsdMax: undefined,
  strategy: undefined,
} satisfies Partial<ControlLimits>;

/** Limits in USD do not count where a leg can never be valued in USD: `unvaluedNotes` says so. */
export function courseLimits(
  { limits, controls }: DeploymentLimits,
  { holeMs = 0, unvalued = [] }: CourseMarket = {},
): CourseLimits {
  const inForce = controlLimits({ controls });
  const { collar } = inForce;
  const submit = submitLimits({ accounts: [], limits });
  const usd = (limit: string): Money | undefined =>
    unvalued.length > 0 ? undefined : money(limit);
  return {
    // A run starts when it is submitted, also if it waits for a first quote.
    submit: {
      ...submit,
      startBehindMsMax: Math.max(submit.startBehindMsMax, MINUTE_MS),
      legUsdMax: usd(limits.legUsdMax),
    },
    orderUsdMax: usd(limits.orderUsdMax),
    blockUsdMax: usd(limits.blockUsdMax),
    controls: {
      ...inForce,
      ...(unvalued.length > 0 && NO_USD_CONTROLS),
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

export const unvaluedNotes = (unvalued: readonly string[]): readonly string[] =>
  unvalued.length === 0
    ? []
    : [
        `limits in USD and controls.strategy are not applied: no index is recorded for ${unvalued.join(', ')}`,
      ];
