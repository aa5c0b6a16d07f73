// A committed state of a portfolio held against the invariants.
import { assertInvariants } from '../../core/portfolio/aggregate/invariants.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { InvariantBroken } from '../../values/assert.ts';

/** An invariant by its number, and what breaks it. */
export interface Finding {
  readonly invariant: string;
  readonly detail: string;
  /** What it does to trading where that is less than a halt. */
  readonly only?: 'tell' | 'reduce' | undefined;
}

const numberOf = (message: string): string => /^I\d+/.exec(message)?.[0] ?? 'I15';

/** A state that is committed, as it stands. */
export function checkState(state: PortfolioState): readonly Finding[] {
  try {
    assertInvariants(state);
    return [];
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return [{ invariant: numberOf(error.message), detail: error.message }];
  }
}
