// Which daemon owns which shard, as read from the store of leases.

/** A daemon that takes part in the distribution of shards. */
export interface Member {
  /** Drawn at the start of the process: no two lives of a daemon share one. */
  readonly name: string;
  /** It gives up its shards and takes no more. */
  readonly isLeaving: boolean;
  /** Where the others reach its engine; `undefined`: nowhere. */
  readonly address: string | undefined;
  /** Its membership has not run out, by the clock of the store. */
  readonly isCurrent: boolean;
  /** The store still has its connection; false as soon as its process is gone. */
  readonly isConnected: boolean;
}

export interface Lease {
  readonly shard: number;
  /** `undefined`: given up by its latest owner. */
  readonly owner: string | undefined;
  /** Grows with every change of the owner. */
  readonly epoch: number;
}

export interface LeaseView {
  /** In order of name. */
  readonly members: readonly Member[];
  /** One per shard, in order. */
  readonly leases: readonly Lease[];
}
