// While the MMP group of a portfolio is frozen, its slices place nothing and their resting orders are cancelled; the
// ordinary rule catches up after the freeze.
import type { Draft } from '../aggregate/draft.ts';
import { legInstrument } from '../aggregate/positions.ts';

export function isLegFrozen({ state, context, now }: Draft, leg: number): boolean {
  const group = state.spec.execution.mmpGroup;
  if (group === undefined || context.isFrozen === undefined) return false;
  return context.isFrozen({ index: legInstrument(state, leg).indexName, group }, now);
}
