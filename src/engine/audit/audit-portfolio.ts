// Checks a committed state of a portfolio against the invariants.
import { assertInvariants } from '../../core/portfolio/aggregate/invariants.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { InvariantBroken } from '../../values/assert.ts';

/** A broken invariant: its number, and what breaks it. */
export interface Finding {
  readonly invariant: string;
  readonly detail: string;
  /** The effect on trading if it is less than a halt: report only, or reduce. */
  readonly only?: 'report' | 'reduce' | undefined;
}

/** Of an account at its venue. */
export interface Findings<T extends Finding = Finding> {
  readonly found: readonly T[];
  /** Whether all could be compared with what the venue answered: if not, that nothing is found says nothing. */
  readonly isAnswered: boolean;
}

export const UNANSWERED: Findings<never> = { found: [], isAnswered: false };

const numberOf = (message: string): string => /^I\d+/.exec(message)?.[0] ?? 'I15';

/** Checks a committed state as it is. */
export function checkState(state: PortfolioState): readonly Finding[] {
  try {
    assertInvariants(state);
    return [];
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return [{ invariant: numberOf(error.message), detail: error.message }];
  }
}
