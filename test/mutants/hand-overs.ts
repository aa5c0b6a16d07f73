// Source-text mutants of what is counted for an account when another daemon begins to own it, and of what a daemon that joins
// may send.
import type { SourceMutant } from './source-mutant.ts';

const HANDED = ['test/engine/ownership/handed-over-controls.test.ts'];
const HAND_OVERS = 'src/engine/link/account-hand-overs.ts';
const FOLLOWED = ['test/engine/link/followed-notices.test.ts'];
const FOLLOWED_NOTICES = 'src/engine/link/followed-notices.ts';
const SERVED_NOTICES = 'src/engine/link/serve-notices.ts';

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
    name: 'a-former-owner-forgotten',
    what: 'A daemon that is alone by now begins with full message budgets, whoever was there before.',
    file: 'src/engine/ownership/shard-ownership.ts',
    find: 'this.#hasSeenAnother ||= others.some(({ isConnected }) => isConnected);',
    put: 'this.#hasSeenAnother = others.length > 0;',
    killedBy: HANDED,
  },
  {
    name: 'a-dead-daemon-taken-for-another-owner',
    what: 'A daemon that starts alone after a kill begins with spent message budgets.',
    file: 'src/engine/ownership/shard-ownership.ts',
    find: 'this.#hasSeenAnother ||= others.some(({ isConnected }) => isConnected);',
    put: 'this.#hasSeenAnother ||= others.length > 0;',
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
    find: 'if (hadNone && !ownership.hasAlwaysBeenAlone()) this.gate.joined();',
    put: '',
    killedBy: HANDED,
  },
  {
    name: 'a-full-share-for-one-that-is-left',
    what: 'A daemon that owned nothing while the others lived begins with full shared budgets once they are gone.',
    file: 'src/engine/risk/watch-gate.ts',
    find: 'if (hadNone && !ownership.hasAlwaysBeenAlone()) this.gate.joined();',
    put: 'if (hadNone && ownership.daemons() > 1) this.gate.joined();',
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
    name: 'no-gap-at-a-new-owner',
    what: 'A daemon that begins to own an account does not announce that notices of it may be missing.',
    file: SERVED_NOTICES,
    find: 'if (accounts.length > 0) follower.gained(accounts);',
    put: '',
    killedBy: FOLLOWED,
  },
  {
    name: 'notices-of-accounts-of-others',
    what: 'A daemon sends the others notices of accounts that it does not own.',
    file: SERVED_NOTICES,
    find: 'if (isOwned(accountOfNotice(notice))) publish(notice);',
    put: 'publish(notice);',
    killedBy: FOLLOWED,
  },
  {
    name: 'notices-from-two-connections',
    what: 'Notices of an account of another daemon come from this connection too.',
    file: FOLLOWED_NOTICES,
    find: 'if (isMeant) this.#listeners.send([notice]);',
    put: 'this.#listeners.send([notice]);',
    killedBy: FOLLOWED,
  },
  {
    name: 'no-gap-at-a-lost-link',
    what: 'The loss of a link to an owner is not announced as a gap.',
    file: FOLLOWED_NOTICES,
    find: 'if (wasNotified) this.gap(this.#ofOthers());',
    put: '',
    killedBy: FOLLOWED,
  },
  {
    name: 'an-owner-is-followed-once',
    what: 'A daemon that could not be followed is not tried again.',
    file: FOLLOWED_NOTICES,
    find: 'followed.stopTimer = clock.at(later(clock.now(), AGAIN_MS), begin);',
    put: '',
    killedBy: FOLLOWED,
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
