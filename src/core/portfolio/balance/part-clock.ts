// When a part's time is up. Only a part with a fill counts: without fills there is no exposure, so its time limit
// restarts whenever it passes.
import { type Instant, later } from '../../../values/instant.ts';
import type { Settings } from '../../terms/settings.ts';
import type { BalanceSpec } from '../../terms/spec.ts';
import {
  type CurrentSlice,
  type PartState,
  type PortfolioState,
  triesOf,
} from '../aggregate/portfolio-state.ts';

/** A waiting part is checked again, and the wait reported, no more often than this. */
const LOOK_MS_MIN = 300_000;
/** A leg that has used up its attempts pauses at least this long. */
const REST_MS_MIN = 60_000;

/** When the part is to be completed at market; `undefined` while nothing requires that. */
export function chaseAt(part: PartState, balance: BalanceSpec): Instant | undefined {
  const { startedAt, begunAt, stage } = part;
  if (stage !== 'work' || begunAt === undefined || balance.partTimeout === 'keep') return undefined;
  const { eachLimitMs } = balance;
  const passed = Math.max(0, begunAt - startedAt);
  return later(startedAt, (Math.floor(passed / eachLimitMs) + 1) * eachLimitMs);
}

/** When the wait for the part is reported next. */
export const nextCheckAt = ({ lookedAt }: PartState, { eachLimitMs }: BalanceSpec): Instant =>
  later(lookedAt, Math.max(eachLimitMs, LOOK_MS_MIN));

/** When a leg that was refused or left unfilled too often starts over. */
export function renewAt(
  slice: CurrentSlice,
  { eachLimitMs }: BalanceSpec,
  settings: Settings,
): Instant | undefined {
  const { triedAt } = slice;
  if (triesOf(slice) < settings.attemptsMax || triedAt === undefined) return undefined;
  return later(triedAt, Math.max(eachLimitMs, REST_MS_MIN));
}

/** The deadline of a part in the final sweep. */
export const sweptBy = ({ stageAt }: PartState, { endGraceMs }: Settings): Instant =>
  later(stageAt, endGraceMs);

type Over = Pick<PortfolioState, 'timeOverAt' | 'paused' | 'spec'>;

/** True if the end was noticed in time to trade after it, and the portfolio is not paused. */
export function mayTradeAfterEnd({ timeOverAt, paused, spec }: Over, settings: Settings): boolean {
  if (timeOverAt === undefined || paused !== undefined) return false;
  return timeOverAt - later(spec.startAt, spec.durationMs) <= settings.endLateMaxMs;
}

/** Until when a hedge may still be aligned with what the others have filled. */
export const hedgedBy = (state: Over, settings: Settings): Instant | undefined =>
  state.timeOverAt !== undefined && mayTradeAfterEnd(state, settings)
    ? later(state.timeOverAt, settings.endGraceMs)
    : undefined;
