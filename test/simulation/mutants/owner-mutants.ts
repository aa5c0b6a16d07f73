// Mutants of ownership: what a daemon may not send for accounts that another one works, or that it has just begun to own.
import { type Mutant, one } from './mutant.ts';

export const OWNERS: readonly Mutant[] = [
  {
    name: 'another-places',
    what: 'a daemon places orders for accounts it does not own',
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
    'a taken-up account is not blocked while its portfolios resume',
    ['src/engine/recovery/recover.ts', 'barrier.takingUp(shards);', ''],
    200,
  ),
  one(
    'connections-stay-open',
    'the connection of a given-up account is never closed',
    ['src/engine/ownership/account-connections.ts', 'this.#close(connection),', 'undefined,'],
    500,
  ),
];
