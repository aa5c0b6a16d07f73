// While the group of a portfolio is frozen its slices place nothing and what rests is taken back; what is
// missed is caught up by the ordinary rule when the freeze is over.
import type { Instant } from '../../values/instant.ts';
import type { Draft } from './draft.ts';
import { legInstrument } from './positions.ts';

/** Whether orders of this group on this index are forbidden at `now`. Pure for the length of one turn. */
export type FreezeLookup = (
  place: { readonly index: string; readonly group: string },
  now: Instant,
) => boolean;

export function isLegFrozen({ state, context, now }: Draft, leg: number): boolean {
  const group = state.spec.execution.mmpGroup;
  if (group === undefined || context.isFrozen === undefined) return false;
  return context.isFrozen({ index: legInstrument(state, leg).indexName, group }, now);
}
