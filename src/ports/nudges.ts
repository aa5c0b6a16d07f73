// Notifies the other processes of a deployment that something in the ledger changed. Notices may be lost or
// duplicated: every listener also polls, a little later.

export interface Nudges {
  /**
   * Notifies the other processes, not this one. Never waits and never fails. `text`: what it is about, at most 128
   * characters.
   */
  nudge(topic: string, text?: string): void;
  /** Calls `listener` for each notice about `topic` with its text, or '', until the returned function is called. */
  onNudge(topic: string, listener: (text: string) => void): () => void;
}
