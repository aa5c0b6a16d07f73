// While the MMP group of a portfolio is frozen, its slices place nothing and their resting orders are cancelled; the
// ordinary rule catches up after the freeze.
import { forbids } from '../../mmp/mmp-state.ts';
import type { Draft } from '../aggregate/draft.ts';
import { legInstrument } from '../aggregate/positions.ts';

export function isLegFrozen({ state, inputs, now }: Draft, leg: number): boolean {
  const group = state.spec.execution.mmpGroup;
  if (group === undefined || inputs.freezes === undefined) return false;
  return forbids(inputs.freezes, { index: legInstrument(state, leg).indexName, group }, now);
}
