// Mutants of states that leave memory, and of the snapshots from which they are loaded again.
import { type Mutant, one } from './mutant.ts';

export const SNAPSHOTS: readonly Mutant[] = [
  one(
    'wrong-snapshot',
    'snapshots of states contain one fill more than the events',
    [
      'src/core/portfolio/snapshot/state-snapshot.ts',
      'text: toText(written) }',
      'text: toText({ ...written, fills: written.fills + 1 }) }',
    ],
    1_000,
  ),
  one(
    'snapshot-without-tail',
    'a state loaded from a snapshot lacks later events',
    [
      'src/core/portfolio/snapshot/state-snapshot.ts',
      'return events.reduce(evolve, state);',
      'return [...events].slice(1).reduce(evolve, state);',
    ],
    500,
  ),
  one(
    'lets-open-go',
    'the state of a portfolio with open orders leaves memory',
    [
      'src/core/portfolio/snapshot/state-at-rest.ts',
      'return children.size === 0 && timeOverAt',
      'return timeOverAt',
    ],
    1_000,
  ),
];
