// The quantity that the plan in force called for at each instant, drawn through its slices: one straight stretch from the
// start to the end of the schedule, and another from each amendment that planned the rest of the leg again.
import { quantity, toNumber } from '../../values/amounts.ts';
import type { PortfolioEvent } from '../portfolio/aggregate/portfolio-event.ts';

export interface LinePoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reached: number;
}

/** Level before `from` and after `to`. */
export interface Stretch {
  /** It is in force from here until the next one is. */
  readonly since: number;
  readonly from: LinePoint;
  readonly to: LinePoint;
}

/**
 * The stretches of one leg in order of time, in its quantity; empty if the events have no submission. The portfolio has
 * a duration, and the leg a schedule of its own: it is no hedge.
 */
export function plannedLine(events: Iterable<PortfolioEvent>, leg: number): readonly Stretch[] {
  let startAt = 0;
  const line: Stretch[] = [];
  for (const event of events) {
    if (event.kind === 'submitted') {
      const { spec } = event;
      startAt = spec.startAt;
      const to = { at: startAt + spec.durationMs, reached: reachedBy(spec.legs[leg]?.quantity) };
      line.push({ since: startAt, from: { at: startAt, reached: 0 }, to });
    } else if (event.kind === 'amended') {
      const { after, replans } = event;
      const record = replans[leg] ?? undefined;
      const from =
        record === undefined
          ? { at: startAt, reached: 0 }
          : { at: record.from, reached: reachedBy(record.done) };
      const to = { at: startAt + after.durationMs, reached: reachedBy(after.legs[leg]?.quantity) };
      // The current slice continues under the old plan until the new one starts.
      const since = record === undefined ? startAt : Math.max(event.at, record.from);
      while ((line.at(-1)?.since ?? -Infinity) >= since) line.pop();
      line.push({ since, from, to });
    }
  }
  return line;
}

const reachedBy = (amount: string | undefined): number => toNumber(quantity(amount ?? '0'));

/** The line as shares of `total`. */
export const inShares = (line: readonly Stretch[], total: number): readonly Stretch[] =>
  line.map(({ since, from, to }) => ({
    since,
    from: { at: from.at, reached: from.reached / total },
    to: { at: to.at, reached: to.reached / total },
  }));
