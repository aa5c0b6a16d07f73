// Folds an amendment: a new specification, restarted plans, and prices that are no longer valid.
import { quantity } from '../../../values/amounts.ts';
import { instant } from '../../../values/instant.ts';
import { withTerms } from '../../terms/amend-terms.ts';
import type { PortfolioEvent } from './portfolio-event.ts';
import type { LegState, PortfolioState } from './portfolio-state.ts';

type Amended = Extract<PortfolioEvent, { kind: 'amended' }>;

/** The state changes made by the event. */
export const amended = (state: PortfolioState, event: Amended): Partial<PortfolioState> => ({
  spec: withTerms(state.spec, event.after),
  amendments: event.number,
  lastEditedBy: event.by,
  legs: state.legs.map((leg, index) => replanned(leg, index, event)),
});

function replanned(leg: LegState, index: number, { replans, repriced }: Amended): LegState {
  const record = replans[index];
  const rebase =
    record == null
      ? undefined
      : { from: instant(record.from), slice: record.slice, done: quantity(record.done) };
  const { current } = leg;
  const isStale = current !== undefined && repriced.includes(index);
  return {
    ...leg,
    rebase,
    current: isStale ? { ...current, staleAttempts: current.attempts } : current,
  };
}
