// The schedule of a leg worked out a second time, in whole lots and milliseconds, straight from its
// definition: slice k is due at start + k·interval, and its size is the difference of two points of the
// rounded straight line. What the engine does is judged by this. Where a schedule is drawn or aims
// elsewhere there are bounds instead of a point.
import type { PortfolioState } from '../../core/portfolio/state.ts';
import { stepsIn } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';

export interface ExpectedSlice {
  /** The even instant: never earlier. */
  readonly dueAt: number;
  readonly dueAtLatest: number;
  readonly lotsLeast: number;
  readonly lotsMost: number;
}

export interface ExpectedPlan {
  readonly slices: number;
  readonly slice: (index: number) => ExpectedSlice;
}

/** The plan of one leg. */
export function expectedPlan(state: PortfolioState, leg: number): ExpectedPlan {
  const { spec } = state;
  const { quantity, instrument: name } = must(spec.legs[leg], () => `no leg ${leg}`);
  const { amountStep, minAmount } = must(
    state.instruments.get(name),
    () => `no instrument ${name}`,
  );
  const lots = stepsIn(quantity, amountStep);
  const least = Math.max(1, Math.ceil(stepsIn(minAmount, amountStep)));
  const { slices, intervalMs } = grid(spec.durationMs, spec.frequencyMs, { lots, least });
  const begins = (index: number): number => Math.min(index * intervalMs, spec.durationMs);
  const { phase, aim, randomise } = spec.execution;
  const line = (atMs: number): number =>
    Math.min(lots, Math.floor((lots * Math.round(Math.max(0, atMs))) / spec.durationMs + 0.5));
  const end = (index: number): number => begins(index + 1);
  /** How far the drawn end of a slice may be from the even one. */
  const drawnMs = ((randomise?.size ?? 0) * intervalMs) / 2;
  /** After the start; fewer and longer slices are due in the middle one of the slots they stand for. */
  const due = (index: number): number => {
    const lengthMs = end(index) - begins(index);
    const slotMs = Math.min(lengthMs, spec.frequencyMs);
    return begins(index) + (lengthMs - slotMs) / 2 + phase * slotMs;
  };
  /** Aimed at the middle of the time until the next slice, where all slices can be traded so. */
  const aimed = (index: number): number =>
    aim === 'middle' ? (due(index) + due(index + 1)) / 2 : end(index);
  const lowest = (index: number): number => Math.min(end(index), aimed(index)) - drawnMs;
  const highest = (index: number): number => Math.max(end(index), aimed(index)) + drawnMs;
  const target = (index: number, reach: (of: number) => number): number => {
    if (index < 0) return 0;
    return index >= slices - 1 ? lots : line(reach(index));
  };
  return {
    slices,
    slice: (index) => {
      const afterMs = due(index);
      const restMs = (randomise?.time ?? 0) * (end(index) - afterMs);
      return {
        dueAt: Math.floor(spec.startAt + afterMs),
        dueAtLatest: Math.floor(spec.startAt + afterMs + restMs),
        lotsLeast: target(index, lowest) - target(index - 1, highest),
        lotsMost: target(index, highest) - target(index - 1, lowest),
      };
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
