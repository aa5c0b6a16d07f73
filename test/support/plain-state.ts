// A portfolio's state as text, including maps: two states are equal exactly if their texts are.
import type { PortfolioState } from '../../src/core/portfolio/aggregate/portfolio-state.ts';

export const plainState = (state: PortfolioState): string =>
  JSON.stringify(state, (_name, value: unknown) =>
    hasEntries(value) ? [...value.entries()] : value,
  );

function hasEntries(value: unknown): value is { entries(): Iterable<unknown> } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'entries' in value && typeof value.entries === 'function';
}
