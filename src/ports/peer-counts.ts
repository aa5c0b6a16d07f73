// Shares between the processes of a deployment how much each used of their common limits: requests of a key, failures
// of an address. Published periodically, at most once; a silent process counts as idle.

/** Occurrences since the last publication, by name. */
export type Counts = Readonly<Record<string, number>>;

/** What of the counts reaches the others: whole numbers above zero. */
export const positiveCounts = (counts: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count) && count > 0),
  );

export interface PeerCounts {
  /** Publishes to the other processes; never fails and never waits. Has no effect after closing. */
  publish(counts: Counts): void;
  /** Receives the counts of other processes, never this process's own. Unsubscribe with the result. */
  listen(listener: (counts: Counts) => void): () => void;
  /** No listener is called afterwards. */
  close(): Promise<void>;
}
