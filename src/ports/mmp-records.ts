// Market-maker protection as stored in the ledger: per account and kind the state, its events, and the trades already
// counted. Writers state the version on which they decided.
import type { MmpKind } from '../core/mmp/mmp-config.ts';
import type { MmpEvent } from '../core/mmp/mmp-event.ts';
import type { MmpStateRecord } from '../core/mmp/mmp-record.ts';
import { InvariantBroken } from '../values/assert.ts';
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
  /** Trades counted in `state`: those queried that are counted, and the latest ones. */
  readonly counted: readonly string[];
}

export interface MmpTurn extends MmpOf {
  /** Version on which it was decided: the number of events before it. 0 for the first. */
  readonly fromVersion: number;
  readonly events: readonly MmpEvent[];
  /** The state after the events. */
  readonly state: MmpStateRecord;
  /** The trades that the events count. */
  readonly trades: readonly { readonly tradeId: string; readonly at: Instant }[];
  readonly now: Instant;
}

export type MmpCommit =
  | { readonly kind: 'committed' }
  /** Another process changed it first: load and decide again. */
  | { readonly kind: 'conflict' }
  /** Nothing was written: these trades have already been counted. */
  | { readonly kind: 'counted'; readonly trades: readonly string[] };

/** Counted trades are remembered at least this long, which is more than the longest window. */
export const COUNTED_KEPT_MS = 172_800_000;

/** How many of the latest counted trades are loaded with a state. */
export const LATEST_COUNTED = 200;

/** Why a turn cannot be committed: it would be a bug of ours. */
export function mmpTurnFault({ account, trades }: MmpTurn): InvariantBroken | undefined {
  const ids = new Set(trades.map(({ tradeId }) => tradeId));
  if (ids.size === trades.length) return undefined;
  return new InvariantBroken(`a commit for account ${account} counts a trade twice`);
}

/** A trade of a tripped group, as the ledger has it. */
export type ExceededTrade = Extract<MmpEvent, { kind: 'exceeded' }>;

export interface TradedSpan {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
}

/** All methods reject with a LedgerFailure while the store is unreachable. */
export interface MmpRecords {
  /**
   * Writes the whole turn or nothing, durably.
   * @throws InvariantBroken if the turn counts a trade twice.
   */
  commit(turn: MmpTurn): Promise<MmpCommit>;
  /** The state, with those of `trades` that it counts and the latest counted trades. */
  load(of: MmpOf, trades?: readonly string[]): Promise<LoadedMmp | undefined>;
  /** Every protection that ever existed. */
  all(): Promise<readonly StoredMmp[]>;
  /** The same, versions only. */
  versions(): Promise<readonly (MmpOf & { readonly version: number })[]>;
  /** The whole history, oldest first. */
  events(of: MmpOf): Promise<readonly MmpEvent[]>;
  /** The trades of tripped groups that were made within the span, oldest first. */
  exceeded(of: MmpOf, span: TradedSpan): Promise<readonly ExceededTrade[]>;
}
