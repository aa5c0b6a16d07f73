// A plan written out: every slice with its time and size.
import type { PortfolioSpec } from '../core/portfolio/spec.ts';
import type { LegPlan } from '../core/schedule/slice-plan.ts';
import { minus, type Quantity, text, ZERO_QUANTITY } from '../values/amounts.ts';
import { must } from '../values/assert.ts';
import type { Instrument } from '../values/instrument.ts';
import type { PlannedSlice } from './operations.ts';
import { partsView } from './plan-parts.ts';
import type { WrittenPlan } from './written-plan.ts';

/** What is written out; instruments and plans are the legs' own, in order. */
interface Planned {
  readonly spec: PortfolioSpec;
  readonly instruments: readonly Instrument[];
  readonly plans: readonly LegPlan[];
}

export function writtenPlan({ spec, instruments, plans }: Planned): WrittenPlan {
  const { balance } = spec;
  if (balance !== undefined) return { ...partsView({ spec, balance, instruments }), dueAts: [] };
  const slices: PlannedSlice[] = [];
  const sizes: Quantity[][] = [];
  const legs = spec.legs.map((leg, index) => {
    const own: Quantity[] = [];
    sizes.push(own);
    const { instrument, side, hedge } = leg;
    const known = { instrument, side, quantity: text(leg.quantity), hedge };
    if (hedge) return { ...known, slices: 0, note: 'follows the fills of the other legs' };
    const plan = must(plans[index], `leg ${index} has a plan`);
    writeSlices(plan, index, { slices, sizes: own });
    return { ...known, slices: plan.slices, note: undefined };
  });
  if (legs.length > 1) slices.sort((a, b) => a.dueAt - b.dueAt || a.leg - b.leg);
  const { startAt, durationMs } = spec;
  const view = { startAt, endAt: startAt + durationMs, legs, slices };
  return { view, sizes, dueAts: slices.map(({ dueAt }) => dueAt) };
}

function writeSlices(
  plan: LegPlan,
  leg: number,
  to: { readonly slices: PlannedSlice[]; readonly sizes: Quantity[] },
): void {
  let before = ZERO_QUANTITY;
  for (let slice = 0; slice < plan.slices; slice += 1) {
    const after = plan.targetAfter(slice);
    const size = minus(after, before);
    const [quantity, cumulative] = [text(size), text(after)];
    to.sizes.push(size);
    to.slices.push({ leg, slice, dueAt: plan.dueAt(slice), quantity, cumulative });
    before = after;
  }
}
