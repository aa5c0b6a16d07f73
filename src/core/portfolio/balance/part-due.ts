// When a BALANCE portfolio must be checked next, apart from its children and its end.
import type { Instant } from '../../../values/instant.ts';
import type { Settings } from '../../terms/settings.ts';
import { balanceOf } from '../aggregate/part-allowance.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { workingOf } from '../aggregate/positions.ts';
import { chaseAt, hedgedBy, nextCheckAt, renewAt, sweptBy } from './part-clock.ts';

/** The next instant of the part itself, for which the queue schedules a wake-up. */
export function partDueAt(state: PortfolioState): Instant | undefined {
  const { part, partsDone, spec } = state;
  const balance = balanceOf(state);
  if (part === undefined) return partsDone < balance.parts ? spec.startAt : undefined;
  return part.stage === 'sweep' || state.timeOverAt !== undefined
    ? undefined
    : (chaseAt(part, balance) ?? nextCheckAt(part, balance));
}

/** Every instant at which the parts need a check. */
export function* partInstants(state: PortfolioState, settings: Settings): Iterable<Instant> {
  const { part, legs } = state;
  const due = partDueAt(state);
  if (due !== undefined) yield due;
  if (part === undefined) return;
  const balance = balanceOf(state);
  if (due !== undefined) yield nextCheckAt(part, balance);
  if (part.stage === 'sweep') yield sweptBy(part, settings);
  const hedged = hedgedBy(state, settings);
  if (hedged !== undefined) yield hedged;
  for (const [leg, { current }] of legs.entries()) {
    if (current === undefined) continue;
    // Earlier than the end only where the total limit was amended.
    if (due !== undefined) yield current.endsAt;
    if (workingOf(state, leg).length > 0) continue;
    const again = renewAt(current, balance, settings);
    if (again !== undefined) yield again;
  }
}
