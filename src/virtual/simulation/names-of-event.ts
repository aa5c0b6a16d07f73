// By which names an event is counted, so that a run can be held against what it is worth having for.
import { isSameLimits } from '../../core/portfolio/amend-limits.ts';
import type { PortfolioEvent } from '../../core/portfolio/event.ts';

export const namesOf = (event: PortfolioEvent): readonly string[] =>
  amendsLimits(event) ? [`event ${event.kind}`, 'limits amended'] : [`event ${event.kind}`];

function amendsLimits(event: PortfolioEvent): boolean {
  if (event.kind !== 'amended') return false;
  const { before, after } = event;
  return before.limits && after.limits ? !isSameLimits(before.limits, after.limits) : false;
}
