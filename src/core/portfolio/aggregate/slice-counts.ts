// How many slices of a leg were planned, sent an order, or did not. Once a portfolio has ended, the last two add up
// to the first: a slice counts as missed if it was cancelled, waited until its end, had nothing to do because the leg
// was ahead, or was never reached because the portfolio ended.
import type { ChildTerms } from './portfolio-event.ts';
import { isTerminal, type PortfolioState } from './portfolio-state.ts';
import { legSpec, legState, planOf } from './positions.ts';

export interface SliceCounts {
  /** Of the plan; for a hedge leg, which has none, the slices started so far; for a mirror none. */
  readonly planned: number;
  readonly placed: number;
  readonly missed: number;
}

/** The counts in this state. Slices of the end action are not planned and are not counted. */
export function sliceCounts(state: PortfolioState, leg: number): SliceCounts {
  if (state.spec.mirrorOf !== undefined) return { planned: 0, placed: 0, missed: 0 };
  const { slicesBegun, slicesPlaced: placed } = legState(state, leg);
  const isUnplanned = isUnplannedHedge(state, leg);
  const planned = isUnplanned ? slicesBegun : planOf(state, leg).slices;
  if (isTerminal(state.status)) return { planned, placed, missed: planned - placed };
  const over = isUnplanned ? slicesBegun - openSlices(state, leg) : plannedOver(state, leg);
  return { planned, placed, missed: over - placed + placedOpen(state, leg) };
}

/** The slice (BALANCE: part) for which an order counts; `undefined` if it is not part of the plan. */
export function countedSlice(
  state: PortfolioState,
  { leg, slice, block }: Pick<ChildTerms, 'leg' | 'slice' | 'block'>,
): number | undefined {
  if (block) return undefined;
  if (state.spec.balance !== undefined) return state.part?.part;
  return isUnplannedHedge(state, leg) || slice < planOf(state, leg).slices ? slice : undefined;
}

/** A hedge starts a slice whenever the other legs' fills require one. */
const isUnplannedHedge = (state: PortfolioState, leg: number): boolean =>
  state.spec.balance === undefined && legSpec(state, leg).hedge;

/** Planned slices, or parts, that have ended. */
function plannedOver(state: PortfolioState, leg: number): number {
  if (state.spec.balance !== undefined) return state.partsDone;
  const { slices } = planOf(state, leg);
  const { nextSlice, current } = legState(state, leg);
  const isOpen = current !== undefined && current.slice < slices;
  return Math.min(nextSlice, slices) - (isOpen ? 1 : 0);
}

const openSlices = (state: PortfolioState, leg: number): number =>
  legState(state, leg).current === undefined ? 0 : 1;

/** 1 if the current slice or part has already sent an order. */
function placedOpen(state: PortfolioState, leg: number): number {
  const { current, lastPlaced } = legState(state, leg);
  const open = state.spec.balance === undefined ? current?.slice : state.part?.part;
  return open !== undefined && open === lastPlaced ? 1 : 0;
}
