// A plan written out: every slice with its time and size.
import { scheduleOf } from '../core/portfolio/positions.ts';
import type { PortfolioSpec } from '../core/portfolio/spec.ts';
import { legPlan } from '../core/schedule/slice-plan.ts';
import { text } from '../values/amounts.ts';
import { must } from '../values/assert.ts';
import type { Instrument } from '../values/instrument.ts';
import type { PlannedSlice, PlanView } from './operations.ts';
import { partsView } from './plan-parts.ts';

/** `instruments` are the legs' own, in order. */
export function planView(spec: PortfolioSpec, instruments: readonly Instrument[]): PlanView {
  const { balance } = spec;
  if (balance !== undefined) return partsView({ spec, balance, instruments });
  const schedule = scheduleOf(spec);
  const plans = spec.legs.map((leg, index) => {
    const instrument = must(instruments[index], `leg ${index} has an instrument`);
    return legPlan(schedule, leg.quantity, instrument);
  });
  const slices = plans.flatMap((plan, leg) => {
    if (spec.legs[leg]?.hedge) return [];
    return Array.from(
      { length: plan.slices },
      (_, slice): PlannedSlice => ({
        leg,
        slice,
        dueAt: plan.dueAt(slice),
        quantity: text(plan.planned(slice)),
        cumulative: text(plan.targetAfter(slice)),
      }),
    );
  });
  return {
    startAt: spec.startAt,
    endAt: spec.startAt + spec.durationMs,
    legs: spec.legs.map((leg, index) => ({
      instrument: leg.instrument,
      side: leg.side,
      quantity: text(leg.quantity),
      slices: leg.hedge ? 0 : (plans[index]?.slices ?? 0),
      hedge: leg.hedge,
      note: leg.hedge ? 'follows the fills of the other legs' : undefined,
    })),
    slices: slices.sort((a, b) => a.dueAt - b.dueAt || a.leg - b.leg),
  };
}
