// What each process of a deployment counted of things that are limited for all of them together: requests
// of a key, failures of an address. Told now and then, at most once; who is not heard counts as idle.

/** How often something happened since it was told last, by name. */
export type Counts = Readonly<Record<string, number>>;

export interface PeerCounts {
  /** To the other processes; never fails and never waits. */
  tell(counts: Counts): void;
  /** What others counted; never what this process told. Undo with the result. */
  listen(listener: (counts: Counts) => void): () => void;
  close(): Promise<void>;
}
