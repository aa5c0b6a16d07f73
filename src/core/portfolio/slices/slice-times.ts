// When a slice ends for its children, and which slices follow the plan.
import { type Instant, later } from '../../../values/instant.ts';
import type { Settings } from '../../terms/settings.ts';
import type { CurrentSlice, PortfolioState } from '../aggregate/portfolio-state.ts';

/** Resting children are cancelled shortly before the next slice is decided, so that it knows what is left. */
export function guardAt(settings: Settings, slice: CurrentSlice): Instant {
  const { armMs, guardShare, guardMaxMs } = settings;
  const guardMs = Math.min(guardMaxMs, guardShare * (slice.endsAt - slice.dueAt));
  return later(slice.endsAt, -Math.floor(guardMs) - armMs);
}

/** A slice of the end action: started after the time was up. */
export const isAfterEnd = (
  { timeOverAt }: Pick<PortfolioState, 'timeOverAt'>,
  slice: CurrentSlice,
): boolean => timeOverAt !== undefined && slice.dueAt >= timeOverAt;

/** A slice of the end action, or a hedge after a stop, that is priced through the opposite side, whatever reference its leg follows. */
export const isSweep = (
  state: Pick<PortfolioState, 'timeOverAt' | 'spec'>,
  slice: CurrentSlice,
): boolean =>
  slice.isCover === true ||
  (isAfterEnd(state, slice) && state.spec.execution.endAction !== 'extend');
