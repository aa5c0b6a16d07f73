// Ties connections to ownership: those of accounts that this daemon owns or may own in a moment are kept.
import { isInShards } from '../../core/ownership/shards.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { Connections } from './account-connections.ts';
import { type Ownership, ownsAccount } from './ownership.ts';

export interface OwnedConnectionsOptions {
  readonly connections: Pick<Connections, 'own' | 'disown' | 'expect' | 'stop'>;
  readonly ownership: Pick<Ownership, 'daemons' | 'owns' | 'onGain' | 'onLoss' | 'onExpect'>;
  readonly venues: Pick<VenueDirectory, 'accounts'>;
}

/** Its start resolves when the accounts owned by then are connected and caught up, or cannot be for now. */
export function ownedConnections(options: OwnedConnectionsOptions): EngineComponent {
  const { connections, ownership, venues } = options;
  const accounts = (isMeant: (account: AccountId) => boolean): readonly AccountId[] =>
    (venues.accounts?.() ?? []).filter(isMeant);
  const inShards = (shards: readonly number[]): readonly AccountId[] =>
    accounts(isInShards(shards));
  return {
    start: async () => {
      ownership.onGain((shards) => void connections.own(inShards(shards)));
      ownership.onLoss((shards) => connections.disown(inShards(shards)));
      ownership.onExpect((shards) => void connections.expect(inShards(shards)));
      await connections.own(accounts((account) => ownsAccount(ownership, account)));
    },
    // Another daemon works these accounts from now on, with their resting orders.
    stop: () => connections.stop({ logsOut: ownership.daemons() > 1 }),
  };
}
