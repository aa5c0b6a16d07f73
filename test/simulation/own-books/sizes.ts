// Recalculates the sizes of slices and orders in whole lots. Nothing here is taken
// from the engine's own sums.

export interface Sizing {
  readonly total: number;
  readonly least: number;
  /** Filled, possibly going to be, or given up. */
  readonly committed: number;
  /** To be filled before the slice, and after it. */
  readonly before: number;
  readonly planned: number;
  /** Slices that are left, this one included. */
  readonly left: number;
  readonly maxCatchUp: number;
  readonly isFront: boolean;
}

/** The most of `lots` that can be ordered. */
export const orderable = (lots: number, least: number): number => (lots < least ? 0 : lots);

/** A slice by the clock: its plan, and its share of what is behind, within the cap. */
export function clockSlice(of: Sizing): number {
  const { total, least, committed, before, planned, left } = of;
  const open = total - committed;
  if (open <= 0) return 0;
  const behind = before - committed;
  const share = behind > 0 ? Math.ceil(behind / (of.isFront ? 1 : left) - 1e-9) : behind;
  const cap = Math.max(Math.floor(planned * of.maxCatchUp + 1e-9), least);
  const sized = orderable(Math.min(planned + share, cap, open), least);
  const rest = open - sized;
  // What could not be ordered on its own joins the last slice.
  return left === 1 && rest > 0 && rest < least ? orderable(open, least) : sized;
}

/** What a hedge of `whole` for the totals of the others is to have, where they have filled so much of theirs. */
export function hedgeLots(
  whole: number,
  others: readonly { readonly filled: number; readonly total: number }[],
): number {
  return Math.min(
    ...others.map(({ filled, total: of }) => Math.floor((whole * filled) / of + 1e-9)),
  );
}

export interface PartLeg {
  readonly total: number;
  readonly filled: number;
  readonly least: number;
  readonly hedge: boolean;
  readonly leads: boolean;
}

/** Where a BALANCE portfolio is. */
export interface PartView {
  readonly legs: readonly PartLeg[];
  readonly parts: number;
  /** Parts that are over. */
  readonly done: number;
  readonly stage: 'work' | 'chase' | 'sweep';
}

/** Of a leg once so many parts are done. */
export const partTarget = ({ total }: PartLeg, parts: number, done: number): number =>
  done >= parts ? total : Math.floor((total * done) / parts + 1e-9);

/** What can be ordered of `wanted` without leaving of `open` a rest that could not be. */
export function orderablePart(wanted: number, open: number, least: number): number {
  const most = Math.min(wanted, open);
  const sized = orderable(most, least);
  const rest = open - sized;
  if (most <= 0 || rest <= 0 || rest >= least) return Math.max(0, sized);
  return open > least ? orderable(Math.min(most, open - least), least) : 0;
}

/** As far in the part as another leg. */
function levelWith({ parts, done }: PartView, leg: PartLeg, other: PartLeg): number {
  const [from, to] = [partTarget(leg, parts, done), partTarget(leg, parts, done + 1)];
  const base = partTarget(other, parts, done);
  const whole = partTarget(other, parts, done + 1) - base;
  const part = Math.max(0, other.filled - base);
  if (part <= 0) return from;
  return part >= whole ? to : from + Math.floor(((to - from) * part) / whole + 1e-9);
}

const lacks = ({ parts, done }: PartView, leg: PartLeg, target: number): number => {
  const open = (leg.hedge ? leg.total : partTarget(leg, parts, done + 1)) - leg.filled;
  return orderablePart(target - leg.filled, open, leg.least);
};

/** What the part, the leading leg or the hedged ones allow a leg to have. */
function released(view: PartView, leg: PartLeg): number {
  const { legs, parts, done } = view;
  if (leg.hedge) {
    const others = legs.filter(({ hedge }) => !hedge);
    return Math.min(leg.total, hedgeLots(leg.total, others));
  }
  const target = partTarget(leg, parts, done + 1);
  const leader = legs.find(({ leads }) => leads);
  if (leader === undefined || leader === leg) return target;
  if (lacks(view, leader, partTarget(leader, parts, done + 1)) <= 0) return target;
  return Math.min(levelWith(view, leg, leader), target);
}

function level(view: PartView, leg: PartLeg): number {
  const others = view.legs.filter((other) => other !== leg && !other.hedge);
  const most = Math.max(leg.filled, ...others.map((other) => levelWith(view, leg, other)));
  return Math.min(most, released(view, leg));
}

/** What a leg may have committed: in a chase those that are behind come first. */
export function partLots(view: PartView, leg: PartLeg): number {
  if (view.stage === 'work' || leg.hedge) return released(view, leg);
  const isUneven = view.legs.some((one) => !one.hedge && lacks(view, one, level(view, one)) > 0);
  return isUneven ? level(view, leg) : released(view, leg);
}
