// While the group of a portfolio is frozen its slices place nothing and what rests is taken back; what is
// missed is caught up by the ordinary rule when the freeze is over.
import type { Draft } from '../aggregate/draft.ts';
import { legInstrument } from '../aggregate/positions.ts';

export function isLegFrozen({ state, context, now }: Draft, leg: number): boolean {
  const group = state.spec.execution.mmpGroup;
  if (group === undefined || context.isFrozen === undefined) return false;
  return context.isFrozen({ index: legInstrument(state, leg).indexName, group }, now);
}
