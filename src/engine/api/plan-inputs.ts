// Serializes the plan of a BALANCE portfolio: the parts of each leg. The start of a part depends on the fills of
// the part before; the earliest is the portfolio's start.
import { partPlan } from '../../core/portfolio/aggregate/part-plan.ts';
import { endAt } from '../../core/portfolio/aggregate/positions.ts';
import type { BalanceSpec, LegSpec, PortfolioSpec } from '../../core/terms/spec.ts';
import { type Quantity, text } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { PlannedSlice } from '../interface/operations.ts';
import type { WrittenPlan } from './written-plan.ts';

interface Cut {
  readonly spec: PortfolioSpec;
  readonly balance: BalanceSpec;
  /** The instruments of the legs, in order. */
  readonly instruments: readonly Instrument[];
}

export function planInputsView({ spec, balance, instruments }: Cut): Omit<WrittenPlan, 'dueAts'> {
  const sizes: Quantity[][] = spec.legs.map(() => []);
  const slices = spec.legs.flatMap((leg, index): PlannedSlice[] => {
    if (leg.hedge) return [];
    const grid = must(instruments[index], `leg ${index} has an instrument`);
    const plan = partPlan({ total: leg.quantity, parts: balance.parts, grid }, spec);
    return Array.from({ length: balance.parts }, (_, part) => {
      const size = plan.planned(part);
      sizes[index]?.push(size);
      const [quantity, cumulative] = [text(size), text(plan.targetAfter(part))];
      return { leg: index, slice: part, dueAt: spec.startAt, quantity, cumulative };
    });
  });
  const hasLeader = spec.legs.some(({ priority }) => priority === true);
  const view = {
    startAt: spec.startAt,
    endAt: endAt(spec),
    legs: spec.legs.map((leg) => ({
      instrument: leg.instrument,
      side: leg.side,
      quantity: text(leg.quantity),
      slices: leg.hedge ? 0 : balance.parts,
      hedge: leg.hedge,
      note: noteOf(leg, hasLeader),
    })),
    slices: slices.sort((a, b) => a.slice - b.slice || a.leg - b.leg),
  };
  return { view, sizes };
}

function noteOf({ hedge, priority }: LegSpec, hasLeader: boolean): string {
  if (hedge) return 'follows the fills of the other legs';
  if (priority) return 'leads; a part begins when every leg is done with the one before';
  if (hasLeader) return 'follows the fills of the leading leg';
  return 'a part begins when every leg is done with the one before';
}
