// What the engine needs to know of ownership: which shards are its own. Portfolios, accounts, notices and wakes of
// others are left to the daemons that own them.

import { shardOf } from '../../core/ownership/shards.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { HeldLease } from '../../ports/ledger.ts';
import type { AccountId } from '../../values/ids.ts';

/** Awaited where that matters to the caller. */
export type ShardListener = (shards: readonly number[]) => Promise<void> | void;

export type HandOverListener = (leases: readonly HeldLease[]) => Promise<void>;

export interface Ownership {
  owns(shard: number): boolean;
  /** The epoch of the lease under which the shard is owned; `undefined`: it is not, or there are no leases. */
  epochOf(shard: number): number | undefined;
  /** Called when the ledger has refused a turn because the lease is of another epoch by now. */
  superseded(lease: HeldLease): void;
  /** Where the engine of the shard's owner is reached; `undefined`: it is this one, or nobody knows. */
  addressOf(shard: number): string | undefined;
  /** Where the engines of all other daemons are reached. */
  peers(): readonly string[];
  /** Calls `listener` when the others, or where they are reached, have changed. */
  onPeers(listener: () => void): void;
  /** The number of daemons that work accounts, this one included; at least 1. */
  daemons(): number;
  /** True while no other daemon has been there since this one began, which may have sent what this one does not know of. */
  hasAlwaysBeenAlone(): boolean;
  /** The shards that are owned; `undefined`: all of them, for there is no other daemon. */
  shards(): readonly number[] | undefined;
  /** Calls `listener` with shards that are owned from now on, after those owned at the start. */
  onGain(listener: ShardListener): void;
  /** Calls `listener` with shards that are owned no more. */
  onLoss(listener: ShardListener): void;
  /** Calls `listener` with shards that may be owned in a moment: their owner seems to be gone. */
  onExpect(listener: ShardListener): void;
  /** Calls `listener` with shards that are going to be given up and are still worked; awaited. */
  onAnnounce(listener: ShardListener): void;
  /** Calls `listener` with the leases that are going to be given up, once nothing of their shards is under way; awaited. */
  onHandOver(listener: HandOverListener): void;
}

/** What an engine owns, started and stopped with it. */
export interface EngineOwnership extends Ownership, Lifetime {
  /** Gives up what is owned, once nothing of it is under way. */
  leave(): Promise<void>;
}

/** For an engine without others alongside it: it owns every account. */
export const SOLE_OWNER: EngineOwnership = {
  owns: () => true,
  epochOf: () => undefined,
  superseded: () => undefined,
  addressOf: () => undefined,
  peers: () => [],
  onPeers: () => undefined,
  daemons: () => 1,
  hasAlwaysBeenAlone: () => true,
  shards: () => undefined,
  onGain: () => undefined,
  onLoss: () => undefined,
  onExpect: () => undefined,
  onAnnounce: () => undefined,
  onHandOver: () => undefined,
  start: () => Promise.resolve(),
  drain: () => Promise.resolve(),
  leave: () => Promise.resolve(),
  stop: () => undefined,
};

export const ownsAccount = (ownership: Pick<Ownership, 'owns'>, account: AccountId): boolean =>
  ownership.owns(shardOf(account));
