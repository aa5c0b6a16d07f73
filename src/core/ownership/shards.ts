// Shards: the units in which the accounts of a deployment are distributed over its daemons. An account is in one
// shard for ever, and a shadow is in the shard of the portfolio that it mirrors.
import type { AccountId } from '../../values/ids.ts';
import { hash32 } from '../../values/rng.ts';

/** The number of shards. Stored with every portfolio, so it never changes. */
export const SHARDS = 256;

/** From 0 to {@link SHARDS} - 1. */
export const shardOf = (account: AccountId): number => hash32(account) % SHARDS;

/** Whether an account is in one of these shards. */
export function isInShards(shards: Iterable<number>): (account: AccountId) => boolean {
  const among = new Set(shards);
  return (account) => among.has(shardOf(account));
}

/** All shards, in order. */
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);
