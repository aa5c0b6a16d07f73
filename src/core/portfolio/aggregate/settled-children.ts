// The settled children that a state still has. A late or repeated report is nearly always about one of the latest, so
// older ones leave the state, by a rule that depends on the events alone; a report about one of them brings it back
// from the history as `child_recalled` (docs/decisions/0001-pure-decisions-produce-events.md).
import { type ChildLabel, childLabelOf, parseChildLabel } from '../../../values/ids.ts';
import type { ChildOrder } from '../../order/child-order.ts';
import type { PortfolioState, SettledChildren } from './portfolio-state.ts';

type Children = SettledChildren['recent'];

const NONE: Children = new Map();

export const NO_SETTLED: SettledChildren = { recent: NONE, earlier: NONE, blocks: NONE };

/** At least the latest eight stay, of several legs the latest four rounds, and never many: they are most of a state. */
const RECENT_MIN = 8;
const RECENT_PER_LEG = 4;
const RECENT_MAX = 16;
/** A child that was filled in many trades is as large as several others. */
const TRADES_MAX = 128;

/** The number of children with which a generation is full. */
export const recentMax = (legs: number): number =>
  Math.min(Math.max(RECENT_MIN, RECENT_PER_LEG * legs), RECENT_MAX);

export function withSettled(
  settled: SettledChildren,
  child: ChildOrder,
  legs: number,
): SettledChildren {
  const { label } = child;
  if (child.block) return { ...settled, blocks: new Map(settled.blocks).set(label, child) };
  const { recent, earlier } = withoutSettled(settled, label);
  const grown = new Map(recent).set(label, child);
  return isFull(grown, legs)
    ? { ...settled, recent: NONE, earlier: grown }
    : { ...settled, recent: grown, earlier };
}

/** Without a child that is unsettled again. */
export function withoutSettled(settled: SettledChildren, label: ChildLabel): SettledChildren {
  if (settledChild(settled, label) === undefined) return settled;
  return {
    recent: without(settled.recent, label),
    earlier: without(settled.earlier, label),
    blocks: without(settled.blocks, label),
  };
}

export const settledChild = (
  { recent, earlier, blocks }: SettledChildren,
  label: ChildLabel,
): ChildOrder | undefined => recent.get(label) ?? earlier.get(label) ?? blocks.get(label);

/** The child, settled or not; `undefined` if it has left the state or was never intended. */
export function childIn(state: PortfolioState, label: string): ChildOrder | undefined {
  const known = childLabelOf(label);
  return state.children.get(known) ?? settledChild(state.ended, known);
}

/**
 * Whether the label may be that of a child that has left the state: of a slice and an attempt that have been, and not
 * in the state. True for every child that has left; also for numbers in between that were never used.
 */
export function mayHaveLeft(state: PortfolioState, label: string): boolean {
  if (childIn(state, label) !== undefined) return false;
  const address = parseChildLabel(label);
  const leg = address?.portfolio === state.id ? state.legs[address.leg] : undefined;
  if (address === undefined || leg === undefined || address.slice >= leg.nextSlice) return false;
  return leg.current?.slice !== address.slice || address.attempt <= leg.current.attempts;
}

/** Children that the change has taken out of the state. */
export function departed(before: PortfolioState, after: PortfolioState): readonly ChildOrder[] {
  const { earlier } = before.ended;
  if (earlier === after.ended.earlier) return [];
  return [...earlier.values()].filter(({ label }) => childIn(after, label) === undefined);
}

function isFull(recent: Children, legs: number): boolean {
  if (recent.size >= recentMax(legs)) return true;
  let trades = 0;
  for (const child of recent.values()) trades += child.trades.length;
  return trades >= TRADES_MAX;
}

function without(children: Children, label: ChildLabel): Children {
  if (!children.has(label)) return children;
  const rest = new Map(children);
  rest.delete(label);
  return rest;
}
