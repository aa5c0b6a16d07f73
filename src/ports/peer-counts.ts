// Shares between the processes of a deployment how much each used of their common limits: requests of a key, failures
// of an address. Published periodically, at most once; a silent process counts as idle.

/** Occurrences since the last publication, by name. */
export type Counts = Readonly<Record<string, number>>;

export interface PeerCounts {
  /** Publishes to the other processes; never fails and never waits. */
  publish(counts: Counts): void;
  /** Receives the counts of other processes, never this process's own. Unsubscribe with the result. */
  listen(listener: (counts: Counts) => void): () => void;
  close(): Promise<void>;
}
