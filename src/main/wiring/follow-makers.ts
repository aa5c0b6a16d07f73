// An account is a Block RFQ maker as long as a key in force names an alias for it, either a configured or a
// stored key. When the last such key ends, so do the maker and its quotes.
import type { PaperVenue } from '../../adapters/paper/paper-venue.ts';
import type { ApiKey } from '../../gateway/auth/key-store.ts';
import type { KeysInForce } from '../../gateway/auth/keys-in-force.ts';
import type { AccountId } from '../../values/ids.ts';

export type MakerKeys = Pick<KeysInForce, 'all' | 'watch'>;

export interface FollowedMakers {
  readonly venue: Pick<PaperVenue, 'seatMakers'>;
  /** Accounts that trade there. */
  readonly accounts: readonly AccountId[];
  readonly keys: MakerKeys;
  /** Called once for each key whose alias cannot be used. */
  readonly report: (error: unknown) => void;
}

/** Follows the keys until the returned function is called. */
export function followMakers({ venue, accounts, keys, report }: FollowedMakers): () => void {
  const told = new Set<string>();
  const seat = (): void => {
    const { aliases, conflicts } = makersOf(keys.all(), accounts);
    venue.seatMakers(accounts, aliases);
    for (const conflict of conflicts) {
      if (!told.has(conflict)) report(new Error(conflict));
      told.add(conflict);
    }
  };
  seat();
  return keys.watch(seat);
}

interface Makers {
  readonly aliases: ReadonlyMap<AccountId, string>;
  readonly conflicts: readonly string[];
}

/** An alias belongs to one account and an account has one alias; of conflicting keys the first wins. */
export function makersOf(
  keys: readonly Pick<ApiKey, 'id' | 'makerAlias' | 'accounts'>[],
  accounts: readonly AccountId[],
): Makers {
  const aliases = new Map<AccountId, string>();
  const owners = new Map<string, AccountId>();
  const conflicts: string[] = [];
  for (const { id, makerAlias: alias, accounts: own } of keys) {
    if (alias === undefined) continue;
    for (const account of own.filter((one) => accounts.includes(one))) {
      const owner: string = owners.get(alias) ?? account;
      const known: string = aliases.get(account) ?? alias;
      if (owner === account && known === alias) {
        owners.set(alias, account);
        aliases.set(account, alias);
      } else {
        const taken = owner === account ? `account ${account} is ${known}` : `${alias} is ${owner}`;
        conflicts.push(
          `the key ${id} does not make account ${account} the maker ${alias}: ${taken}`,
        );
      }
    }
  }
  return { aliases, conflicts };
}
