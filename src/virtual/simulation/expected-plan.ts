// The schedule of a leg worked out a second time, in whole lots and milliseconds, straight from its
// definition: slice k is due at start + k·interval, and its size is the difference of two points of the
// rounded straight line. What the engine does is judged by this.
import type { PortfolioState } from '../../core/portfolio/state.ts';
import { stepsIn } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';

export interface ExpectedSlice {
  readonly dueAt: number;
  readonly lots: number;
}

export interface ExpectedPlan {
  readonly slices: number;
  readonly slice: (index: number) => ExpectedSlice;
}

/** The plan of one leg. */
export function expectedPlan(state: PortfolioState, leg: number): ExpectedPlan {
  const { spec } = state;
  const { quantity, instrument: name } = must(spec.legs[leg], `no leg ${leg}`);
  const { amountStep, minAmount } = must(state.instruments.get(name), `no instrument ${name}`);
  const lots = stepsIn(quantity, amountStep);
  const least = Math.max(1, Math.ceil(stepsIn(minAmount, amountStep)));
  const { slices, intervalMs } = grid(spec.durationMs, spec.frequencyMs, { lots, least });
  const begins = (index: number): number => Math.min(index * intervalMs, spec.durationMs);
  const target = (index: number): number => {
    if (index < 0) return 0;
    if (index >= slices - 1) return lots;
    const share = (lots * Math.round(begins(index + 1))) / spec.durationMs;
    return Math.min(lots, Math.floor(share + 0.5));
  };
  const { phase } = spec.execution;
  return {
    slices,
    slice: (index) => {
      const lengthMs = begins(index + 1) - begins(index);
      // Fewer and longer slices are due in the middle one of the slots they stand for.
      const slotMs = Math.min(lengthMs, spec.frequencyMs);
      const afterMs = begins(index) + (lengthMs - slotMs) / 2 + phase * slotMs;
      const lots = target(index) - target(index - 1);
      return { dueAt: Math.floor(spec.startAt + afterMs), lots };
    },
  };
}

/** As many slices as intervals, or fewer and even ones where lots and minimum do not allow so many. */
function grid(
  durationMs: number,
  frequencyMs: number,
  { lots, least }: { readonly lots: number; readonly least: number },
): { readonly slices: number; readonly intervalMs: number } {
  const wanted = Math.ceil(durationMs / frequencyMs);
  const shortest = Math.min(durationMs - (wanted - 1) * frequencyMs, frequencyMs);
  if (Math.floor((lots * shortest) / durationMs) >= least) {
    return { slices: wanted, intervalMs: frequencyMs };
  }
  const whole = Math.max(1, Math.floor(durationMs / frequencyMs));
  const slices = Math.min(whole, Math.floor(lots / least));
  return { slices, intervalMs: durationMs / slices };
}
