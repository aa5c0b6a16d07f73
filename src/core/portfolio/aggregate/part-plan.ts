// The parts of a leg in the shape of a plan: sizes are known beforehand, instants are not, because a part begins when
// the previous one is done.
import { minus } from '../../../values/amounts.ts';
import { INSTANT_MAX, type Instant, later } from '../../../values/instant.ts';
import type { LegPlan } from '../../schedule/slice-plan.ts';
import { type Cut, targetAfterParts } from './part-target.ts';

interface Span {
  readonly startAt: Instant;
  readonly durationMs: number;
}

/** No part is ever due by the clock: `lastDue` is always −1. */
export function partPlan(cut: Cut, { startAt, durationMs }: Span): LegPlan {
  const endsAt = durationMs === 0 ? INSTANT_MAX : later(startAt, durationMs);
  return {
    slices: cut.parts,
    total: cut.total,
    dueAt: () => startAt,
    endsAt: () => endsAt,
    targetAfter: (part) => targetAfterParts(cut, part + 1),
    planned: (part) => minus(targetAfterParts(cut, part + 1), targetAfterParts(cut, part)),
    lastDue: () => -1,
  };
}
