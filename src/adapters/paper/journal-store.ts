// Where a journal's lines are kept. Without one (virtual time) the paper venue keeps nothing.

export interface JournalStore {
  /** The whole text that is kept; empty before the first start. */
  read(): string;
  /** Returns once the text is handed to the operating system. Throws when that fails. */
  append(text: string): void;
  /** Replaces everything at once: after a crash there is the old text or the new one. */
  replace(text: string): void;
  /** Resolves once all that was appended before the call is on stable storage. */
  sync(): Promise<void>;
  close(): void;
}
