// An Observer that keeps what tests check and drops the rest.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { type Observer, observing, type Recorders } from '../../../src/ports/observer.ts';

export interface Witness extends Observer {
  readonly events: PortfolioEvent[];
  readonly failures: { readonly where: string; readonly error: unknown }[];
  /** How late each slice was sent to the venue, in milliseconds. */
  readonly lateMs: number[];
  readonly rescues: number[];
  readonly foreign: string[];
}

/** @param own replace its recorders */
export function witness(own: Partial<Recorders> = {}): Witness {
  const events: PortfolioEvent[] = [];
  const failures: { where: string; error: unknown }[] = [];
  const lateMs: number[] = [];
  const rescues: number[] = [];
  const foreign: string[] = [];
  const { observe } = observing({
    turn_committed: (turn) => events.push(...turn.events),
    slice_sent: (sent) => lateMs.push(sent.lateMs),
    sweeper_rescued: ({ portfolios }) => rescues.push(portfolios.length),
    foreign_order: ({ label }) => foreign.push(label),
    failed: ({ where, error }) => failures.push({ where, error }),
    ...own,
  });
  return {
    events,
    failures,
    lateMs,
    rescues,
    foreign,
    observe,
  };
}
