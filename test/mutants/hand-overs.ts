// Source-text mutants of what is counted for an account when another daemon begins to own it, and of what a daemon that joins
// may send.
import type { SourceMutant } from './source-mutant.ts';

const HANDED = ['test/engine/ownership/handed-over-controls.test.ts'];
const HAND_OVERS = 'src/engine/link/account-hand-overs.ts';

export const HAND_OVER_MUTANTS: readonly SourceMutant[] = [
  {
    name: 'a-full-budget-after-a-hand-over',
    what: 'An account that changes hands begins with a full message budget.',
    file: 'src/engine/risk/gate.ts',
    find: 'if (budget !== undefined) this.#budgets.fill(of, budget);',
    put: '',
    killedBy: HANDED,
  },
  {
    name: 'a-spent-budget-after-a-hand-over',
    what: 'The message budget of an account counts as spent although it was handed over.',
    file: HAND_OVERS,
    find: 'if (left !== undefined && isNews)',
    put: 'if (left !== undefined && isNews && epoch < 0)',
    killedBy: HANDED,
  },
  {
    name: 'a-budget-of-the-dead',
    what: 'After a kill the message budget of an account begins full.',
    file: HAND_OVERS,
    find: 'else if (!isSame && !isAlone && epoch > 1) {',
    put: 'else if (!isSame && !isAlone && epoch < 0) {',
    killedBy: HANDED,
  },
  {
    name: 'overrides-in-two-places',
    what: 'A daemon keeps the overrides that it has handed over.',
    file: HAND_OVERS,
    find: 'gate.recall({ venue, account }, { overrides: [] });\n    }',
    put: '}',
    killedBy: HANDED,
  },
  {
    name: 'a-full-share-for-each-that-joins',
    what: 'A daemon that joins begins with a full share of the message budgets.',
    file: 'src/engine/risk/watch-gate.ts',
    find: 'if (ownership.daemons() > 1 && hadNone) this.gate.joined();',
    put: '',
    killedBy: HANDED,
  },
  {
    name: 'drift-of-others-paused',
    what: 'A daemon pauses portfolios of accounts that another one owns.',
    file: 'src/engine/risk/watch-gate.ts',
    find: ' || !ownsAccount(watch.ownership, account)',
    put: ' || account === undefined',
    killedBy: HANDED,
  },
  {
    name: 'drift-forgotten-at-a-hand-over',
    what: 'A daemon that begins to own an account does not look at the fills of the day.',
    file: 'src/engine/risk/watch-gate.ts',
    find: 'watch.ownership.onGain((shards) => recall((shard) => shards.includes(shard)));',
    put: '',
    killedBy: HANDED,
  },
  {
    name: 'a-resumption-overruled',
    what: 'A portfolio that somebody has resumed is paused again for what they had seen.',
    file: 'src/core/portfolio/pause-portfolio.ts',
    find: 'state.resumedAt >= about) return;',
    put: 'state.resumedAt < about) return;',
    killedBy: HANDED,
  },
  {
    name: 'a-daemon-is-its-own-owner',
    what: 'Between giving a shard up and the next look a daemon takes itself for its owner.',
    file: 'src/engine/ownership/shard-ownership.ts',
    find: 'const addresses = new Map(others.map(',
    put: 'const addresses = new Map(present.map(',
    killedBy: ['test/engine/ownership/shard-ownership.test.ts'],
  },
];
