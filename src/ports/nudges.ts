// Notifies the other processes of a deployment that something in the ledger changed. Notices may be lost or
// duplicated: every listener also polls, a little later.

export interface Nudges {
  /** Notifies the other processes, not this one. Never waits and never fails. */
  nudge(topic: string): void;
  /** Calls `listener` for each notice about `topic` until the returned function is called. */
  onNudge(topic: string, listener: () => void): () => void;
}
