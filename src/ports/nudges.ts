// A word between the processes of a deployment that something in the ledger changed. It may be lost or
// come twice: whoever needs to know looks by itself too, a little later.

export interface Nudges {
  /** For the other processes; this one knows. Never waits and never fails. */
  nudge(topic: string): void;
  /** Calls `listener` for each word about `topic` until the returned function is called. */
  onNudge(topic: string, listener: () => void): () => void;
}
