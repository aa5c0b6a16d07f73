// Mutants of ownership: what a daemon may not send for accounts that another one works, or that it has just begun to own.
import { type Mutant, one } from './mutant.ts';

export const OWNERS: readonly Mutant[] = [
  {
    name: 'another-places',
    what: 'a daemon that does not own an account decides and sends orders for it',
    changes: [
      {
        file: 'src/engine/gather-inputs.ts',
        find: 'isOwned(state) ? barrier.blocksOf(state) : OF_ANOTHER',
        put: 'isOwned(state) || OF_ANOTHER ? barrier.blocksOf(state) : OF_ANOTHER',
      },
      {
        file: 'src/engine/assemble-engine.ts',
        find: 'objectionTo: (account) =>\n      ownsAccount(ownership, account)\n',
        put: 'objectionTo: (account) =>\n      ownsAccount(ownership, account) || account !== undefined\n',
      },
    ],
    within: 500,
  },
  one(
    'takes-up-unblocked',
    'an account that a daemon takes up is not blocked while its portfolios are resumed',
    ['src/engine/recovery/recover.ts', 'barrier.takingUp(shards);', ''],
    200,
  ),
  one(
    'connections-stay-open',
    'the connection of an account that is given up is never closed',
    ['src/engine/ownership/account-connections.ts', 'this.#close(connection),', 'undefined,'],
    500,
  ),
];
