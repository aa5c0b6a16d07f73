// A plan that restarts in the middle: slices before the cut are history, those after it follow a new even course from
// there. Slice numbers continue, so that labels stay unique.
import { plus, type Quantity, ZERO_QUANTITY } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { LegPlan } from './slice-plan.ts';

export interface Rebase {
  /** Where the new course starts. */
  readonly from: Instant;
  /** Number of its first slice. */
  readonly slice: number;
  /** What counts as filled by then. */
  readonly done: Quantity;
}

/** `rest` is the new course of the remaining quantity; absent if nothing remains. */
export function rebasedPlan(rebase: Rebase, total: Quantity, rest: LegPlan | undefined): LegPlan {
  const { from, slice: first, done } = rebase;
  return {
    slices: first + (rest?.slices ?? 0),
    total,
    dueAt: (slice) => (slice < first ? from : (rest?.dueAt(slice - first) ?? from)),
    endsAt: (slice) => (slice < first ? from : (rest?.endsAt(slice - first) ?? from)),
    targetAfter: (slice) =>
      slice < first || rest === undefined ? done : plus(done, rest.targetAfter(slice - first)),
    planned: (slice) =>
      slice < first || rest === undefined ? ZERO_QUANTITY : rest.planned(slice - first),
    lastDue: (now) => first + (rest?.lastDue(now) ?? -1),
  };
}
