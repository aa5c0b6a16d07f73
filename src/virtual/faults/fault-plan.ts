// What shall go wrong between a deployment and a venue. Values only: the same plan and seed over the
// same course of requests makes the same faults.
import type { Instant } from '../../values/instant.ts';

/** Chances are shares of 0 to 1; what is absent never happens. */
export interface FaultPlan {
  readonly seed: string;
  readonly requests?: RequestFaults | undefined;
  readonly notices?: NoticeFaults | undefined;
  /** Nothing passes while one lasts; whoever listens is told when it is over. */
  readonly disconnects?: readonly Disconnect[] | undefined;
}

export interface RequestFaults {
  /** The request never gets there, and nothing is answered. */
  readonly loseRequest?: number | undefined;
  /** The request has its effect, and nothing is answered. */
  readonly loseAnswer?: number | undefined;
  /** The request waits on its way, so that its time may be over, and so does its answer. */
  readonly delay?: Spell | undefined;
  /** The venue refuses with this number and does nothing; questions are not concerned. */
  readonly refuse?: { readonly chance: number; readonly code: number } | undefined;
  /** What a lost request or answer waits until it is given up. */
  readonly timeoutMs?: number | undefined;
}

export interface NoticeFaults {
  readonly lose?: number | undefined;
  /** Comes again, up to `maxMs` later. */
  readonly duplicate?: Spell | undefined;
  /** Comes up to `maxMs` later, behind what happened since. */
  readonly reorder?: Spell | undefined;
}

export interface Spell {
  readonly chance: number;
  /** Uniform between nothing and this. */
  readonly maxMs: number;
}

export interface Disconnect {
  readonly from: Instant;
  readonly forMs: number;
}
