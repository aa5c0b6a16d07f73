// The faults to inject between a deployment and a venue. Plain values: the same plan and seed on the same sequence
// of requests produce the same faults.
import type { Instant } from '../../../src/values/instant.ts';

/** Chances are shares from 0 to 1; an absent fault never happens. */
export interface FaultPlan {
  readonly seed: string;
  readonly requests?: RequestFaults | undefined;
  readonly notices?: NoticeFaults | undefined;
  /** Nothing passes during a disconnection; listeners are notified when it ends. */
  readonly disconnects?: readonly Disconnect[] | undefined;
}

export interface RequestFaults {
  /** The request never arrives, and there is no reply. */
  readonly loseRequest?: number | undefined;
  /** The request takes effect, and there is no reply. */
  readonly loseAnswer?: number | undefined;
  /** The request is delayed, so that it may expire on the way, and so is its reply. */
  readonly delay?: Spell | undefined;
  /** The venue refuses with this code and does nothing; queries are not affected. */
  readonly refuse?: { readonly chance: number; readonly code: number } | undefined;
  /** How long a sender waits for a lost request or reply before it gives up. */
  readonly timeoutMs?: number | undefined;
}

export interface NoticeFaults {
  readonly lose?: number | undefined;
  /** Arrives a second time, up to `maxMs` later. */
  readonly duplicate?: Spell | undefined;
  /** Arrives up to `maxMs` later, after more recent notices. */
  readonly reorder?: Spell | undefined;
}

export interface Spell {
  readonly chance: number;
  /** Uniformly distributed between 0 and this. */
  readonly maxMs: number;
}

export interface Disconnect {
  readonly from: Instant;
  readonly forMs: number;
}
