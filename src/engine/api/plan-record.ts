// Serializes a plan: every slice with its time and size.

import type { LegPlan } from '../../core/schedule/slice-plan.ts';
import type { PortfolioSpec } from '../../core/terms/spec.ts';
import { minus, type Quantity, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { PlannedSlice, PlanView } from '../interface/operations.ts';
import { planInputsView } from './plan-inputs.ts';
import type { WrittenPlan } from './written-plan.ts';

/** The plan to serialize; instruments and plans are in the order of the legs. */
interface Planned {
  readonly spec: PortfolioSpec;
  readonly instruments: readonly Instrument[];
  readonly plans: readonly LegPlan[];
}

/** A plan with more slices than this is serialized leg by leg, and yields to other work after each leg. */
const AT_ONCE_MAX = 1_000;

/** Synchronous if the plan is short. */
export function serializedPlan(
  planned: Planned,
  pause: () => Promise<void>,
): WrittenPlan | Promise<WrittenPlan> {
  const { spec, instruments, plans } = planned;
  const { balance } = spec;
  if (balance !== undefined)
    return { ...planInputsView({ spec, balance, instruments }), dueAts: [] };
  const writing = new Writing(planned);
  const slices = plans.reduce((sum, plan) => sum + (plan?.slices ?? 0), 0);
  if (slices > AT_ONCE_MAX) return inPieces(writing, pause);
  for (let leg = 0; leg < spec.legs.length; leg += 1) writing.write(leg);
  return writing.written();
}

async function inPieces(writing: Writing, pause: () => Promise<void>): Promise<WrittenPlan> {
  for (let leg = 0; leg < writing.legs; leg += 1) {
    writing.write(leg);
    await pause();
  }
  return writing.written();
}

class Writing {
  readonly #planned: Planned;
  readonly #slices: PlannedSlice[] = [];
  readonly #sizes: Quantity[][] = [];
  readonly #legs: PlanView['legs'][number][] = [];

  constructor(planned: Planned) {
    this.#planned = planned;
  }

  get legs(): number {
    return this.#planned.spec.legs.length;
  }

  write(index: number): void {
    const { spec, plans } = this.#planned;
    const own: Quantity[] = [];
    this.#sizes.push(own);
    const leg = must(spec.legs[index], `there is a leg ${index}`);
    const { instrument, side, hedge } = leg;
    const known = { instrument, side, quantity: text(leg.quantity), hedge };
    if (hedge) {
      this.#legs.push({ ...known, slices: 0, note: 'follows the fills of the other legs' });
      return;
    }
    const plan = must(plans[index], `leg ${index} has a plan`);
    writeSlices(plan, index, { slices: this.#slices, sizes: own });
    this.#legs.push({ ...known, slices: plan.slices, note: undefined });
  }

  written(): WrittenPlan {
    const slices = this.#slices;
    if (this.#legs.length > 1) slices.sort((a, b) => a.dueAt - b.dueAt || a.leg - b.leg);
    const { startAt, durationMs } = this.#planned.spec;
    const view = { startAt, endAt: startAt + durationMs, legs: this.#legs, slices };
    return { view, sizes: this.#sizes, dueAts: slices.map(({ dueAt }) => dueAt) };
  }
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
