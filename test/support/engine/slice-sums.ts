// Compares the published slice counts with an independent count of the events.
import { expect } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import {
  isTerminal,
  type PortfolioState,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { summarize } from '../../../src/core/portfolio/summary/summarize.ts';

/** Holds for any portfolio at any time; for an ended one the sum is exact. */
export function expectSliceSums(state: PortfolioState, events: readonly PortfolioEvent[]): void {
  summarize(state).legs.forEach(({ slices, hedge }, leg) => {
    const { planned, placed, missed } = slices;
    const own = placedBy(events, { leg, isBalance: state.spec.balance !== undefined });
    const isUnplanned = hedge && state.spec.balance === undefined;
    expect(placed, `slices placed of leg ${leg}`).toBe(
      isUnplanned ? own.length : own.filter((slice) => slice < planned).length,
    );
    if (isUnplanned) expect(planned).toBe(begunBy(events, leg));
    expect(missed, `slices missed of leg ${leg}`).toBeGreaterThanOrEqual(0);
    const sum = placed + missed;
    if (isTerminal(state.status)) expect(sum, `slices of leg ${leg} at the end`).toBe(planned);
    else expect(sum, `slices of leg ${leg}`).toBeLessThanOrEqual(planned);
  });
}

/** The slices, or BALANCE parts, in which the leg sent an order. */
function placedBy(
  events: readonly PortfolioEvent[],
  { leg, isBalance }: { readonly leg: number; readonly isBalance: boolean },
): readonly number[] {
  const placed = new Set<number>();
  let part = -1;
  for (const event of events) {
    if (event.kind === 'part_started') part = event.part;
    if (event.kind !== 'child_intended' || event.leg !== leg || event.block) continue;
    placed.add(isBalance ? part : event.slice);
  }
  return [...placed];
}

const begunBy = (events: readonly PortfolioEvent[], leg: number): number =>
  events.filter((event) => event.kind === 'slice_started' && event.leg === leg).length;
