// PT-6: a strategy that has automatically submitted too many portfolios is stopped until a named person switches it
// on again. Neither a restart nor a new day resets the count.
import type { Instant } from '../../../values/instant.ts';
import { instant } from '../../../values/instant.ts';
import type { SwitchSetting } from '../trading-switch.ts';
import type { RepeatLimits } from './control-limits.ts';
import type { GateFault } from './gate-order.ts';

/** The actor recorded when a control sets a switch. */
export const CONTROL_ACTOR = { uid: 'control', nickname: 'control' } as const;

/** From when the executions of a strategy count: when a person last switched it on. */
export function countedFrom(settings: readonly SwitchSetting[], strategy: string): Instant {
  const on = settings.find(
    ({ scope, of, state, by }) =>
      scope === 'strategy' && of === strategy && state === 'active' && by.uid !== CONTROL_ACTOR.uid,
  );
  return on?.at ?? instant(0);
}

/** Why the strategy may not run once more after `count` times. */
export function repeatFault(count: number, max: number): GateFault | undefined {
  if (count < max) return undefined;
  const why = `has run ${count} times since somebody last switched it on, the most it may by itself`;
  return { why, limit: String(max), input: String(count) };
}

/** Whether a portfolio has to be paused after so many refusals by the venue in a row; never if nothing is limited. */
export const isRefusedTooOften = (inRow: number, limits: RepeatLimits | undefined): boolean =>
  limits !== undefined && inRow >= limits.rejectsMax;
