// The names by which an event is counted, so that a test can require a run to cover them.

import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { isSameLimits } from '../../../src/core/terms/amend-limits.ts';

const names = new Map<PortfolioEvent['kind'], readonly string[]>();

export function namesOf(event: PortfolioEvent): readonly string[] {
  const { kind } = event;
  if (amendsLimits(event)) return [`event ${kind}`, 'limits amended'];
  const known = names.get(kind);
  if (known !== undefined) return known;
  const made = [`event ${kind}`];
  names.set(kind, made);
  return made;
}

function amendsLimits(event: PortfolioEvent): boolean {
  if (event.kind !== 'amended') return false;
  const { before, after } = event;
  return before.limits && after.limits ? !isSameLimits(before.limits, after.limits) : false;
}
