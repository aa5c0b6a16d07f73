// How many slices of a leg were planned, sent an order, and did not. Once a portfolio has ended the last two
// add up to the first: a slice that was cancelled, waited to its end, had nothing to do because the leg was
// ahead, or was never reached because the portfolio ended before, counts as missed.
import type { ChildTerms } from './portfolio-event.ts';
import { isTerminal, type PortfolioState } from './portfolio-state.ts';
import { legSpec, legState, planOf } from './positions.ts';

export interface SliceCounts {
  /** Of the plan; of a hedge leg, which has none, the slices begun so far; of a mirror none. */
  readonly planned: number;
  readonly placed: number;
  readonly missed: number;
}

/** Counts as of the state. Slices of the end action are not planned and are counted in none of the three. */
export function sliceCounts(state: PortfolioState, leg: number): SliceCounts {
  if (state.spec.mirrorOf !== undefined) return { planned: 0, placed: 0, missed: 0 };
  const { slicesBegun, slicesPlaced: placed } = legState(state, leg);
  const isUnplanned = isUnplannedHedge(state, leg);
  const planned = isUnplanned ? slicesBegun : planOf(state, leg).slices;
  if (isTerminal(state.status)) return { planned, placed, missed: planned - placed };
  const over = isUnplanned ? slicesBegun - openSlices(state, leg) : plannedOver(state, leg);
  return { planned, placed, missed: over - placed + placedOpen(state, leg) };
}

/** The slice, of BALANCE the part, that an order counts for; `undefined` where it is none of the plan. */
export function countedSlice(
  state: PortfolioState,
  { leg, slice, block }: Pick<ChildTerms, 'leg' | 'slice' | 'block'>,
): number | undefined {
  if (block) return undefined;
  if (state.spec.balance !== undefined) return state.part?.part;
  return isUnplannedHedge(state, leg) || slice < planOf(state, leg).slices ? slice : undefined;
}

/** A hedge begins a slice whenever the other legs' fills call for one. */
const isUnplannedHedge = (state: PortfolioState, leg: number): boolean =>
  state.spec.balance === undefined && legSpec(state, leg).hedge;

/** Slices of the plan, or parts, that are over. */
function plannedOver(state: PortfolioState, leg: number): number {
  if (state.spec.balance !== undefined) return state.partsDone;
  const { slices } = planOf(state, leg);
  const { nextSlice, current } = legState(state, leg);
  const isOpen = current !== undefined && current.slice < slices;
  return Math.min(nextSlice, slices) - (isOpen ? 1 : 0);
}

const openSlices = (state: PortfolioState, leg: number): number =>
  legState(state, leg).current === undefined ? 0 : 1;

/** 1 where the slice under way, or the part, has sent an order already. */
function placedOpen(state: PortfolioState, leg: number): number {
  const { current, lastPlaced } = legState(state, leg);
  const open = state.spec.balance === undefined ? current?.slice : state.part?.part;
  return open !== undefined && open === lastPlaced ? 1 : 0;
}
