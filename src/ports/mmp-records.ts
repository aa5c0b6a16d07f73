// Market-maker protection as the ledger keeps it: per account and kind the state, the events that made
// it, and which trades have been counted. Whoever moves it says on which version that was decided.
import type { MmpKind } from '../core/mmp/mmp-config.ts';
import type { MmpEvent } from '../core/mmp/mmp-event.ts';
import type { MmpStateRecord } from '../core/mmp/mmp-record.ts';
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export interface MmpOf {
  readonly account: AccountId;
  readonly kind: MmpKind;
}

export interface StoredMmp extends MmpOf {
  readonly state: MmpStateRecord;
}

export interface LoadedMmp extends StoredMmp {
  /** Trades counted in `state`: those of the ones asked about, and the latest there are. */
  readonly counted: readonly string[];
}

export interface MmpTurn extends MmpOf {
  /** Version it was decided on: the number of events before it. 0 for the first. */
  readonly fromVersion: number;
  readonly events: readonly MmpEvent[];
  /** After the events. */
  readonly state: MmpStateRecord;
  /** Those the events count. */
  readonly trades: readonly { readonly tradeId: string; readonly at: Instant }[];
  readonly now: Instant;
}

export type MmpCommit =
  | { readonly kind: 'committed' }
  /** Another process moved it first: load and decide again. */
  | { readonly kind: 'conflict' }
  /** Nothing was written: these trades have been counted already. */
  | { readonly kind: 'counted'; readonly trades: readonly string[] };

/** Counted trades are remembered at least so long, which is more than the longest window. */
export const COUNTED_KEPT_MS = 172_800_000;

/** How many of the latest counted trades come with a state that is loaded. */
export const LATEST_COUNTED = 200;

/** All reject with a LedgerFailure while the store is away. */
export interface MmpRecords {
  /** All of the turn or nothing, durably. */
  commit(turn: MmpTurn): Promise<MmpCommit>;
  /** Together with which of `trades`, and of the latest, it counts. */
  load(of: MmpOf, trades?: readonly string[]): Promise<LoadedMmp | undefined>;
  /** Every protection there ever was. */
  all(): Promise<readonly StoredMmp[]>;
  /** The same, versions only. */
  versions(): Promise<readonly (MmpOf & { readonly version: number })[]>;
  /** The whole history, oldest first. */
  events(of: MmpOf): Promise<readonly MmpEvent[]>;
}
