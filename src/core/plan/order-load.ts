// The request load that a plan puts on a venue: children due together, and edits of resting children that follow a
// price.

import { repriceEveryMs } from '../pricing/child-price.ts';
import type { PortfolioSpec } from '../terms/spec.ts';

export interface OrderLoad {
  /** Number of children if each slice needs one. */
  readonly children: number;
  /** Largest number due within one second. */
  readonly mostAtOnce: number;
  /** Edits per second while every leg has a resting child. */
  readonly perSecond: number;
}

/** Escalated children check their reference once a second. */
const ESCALATED_PER_SECOND = 1;

/** `dueAts` in epoch milliseconds, earliest first. */
export function orderLoad(
  { legs, execution }: PortfolioSpec,
  dueAts: readonly number[],
): OrderLoad {
  let [mostAtOnce, inSecond, second] = [0, 0, Number.NaN];
  for (const dueAt of dueAts) {
    const own = Math.floor(dueAt / 1_000);
    inSecond = own === second ? inSecond + 1 : 1;
    second = own;
    mostAtOnce = Math.max(mostAtOnce, inSecond);
  }
  const perSecond = legs.reduce((sum, { pricing }) => {
    const everyMs = repriceEveryMs(pricing);
    const own = everyMs === undefined ? 0 : 1_000 / everyMs;
    return sum + (execution.escalation === undefined ? own : ESCALATED_PER_SECOND);
  }, 0);
  return { children: dueAts.length, mostAtOnce, perSecond };
}
