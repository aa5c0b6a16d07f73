// Where a journal's lines are kept: a base, and segments that go on behind it, by number. Without a store
// (virtual time) the paper venue keeps nothing.

/** One text of a journal. */
export interface JournalPart {
  /** Undefined for the base. */
  readonly segment: number | undefined;
  readonly text: string;
}

export interface JournalStore {
  /** The base first, then the segments that are kept, by ascending number. */
  read(): readonly JournalPart[];
  /** Goes to the last part. Returns once the text is handed to the operating system; throws when that fails. */
  append(text: string): void;
  /** A base in place of everything: after a crash there is the old base with its segments, or the new one. */
  replace(text: string): void;
  /** What is appended from now on goes to this segment, of a higher number than any before it. */
  continueIn(segment: number): void;
  /**
   * Puts a base in place of the old one and of the segments below `segment`; others have their turn between
   * pieces. After a crash there is the old base with all its segments, or the new one. Resolves once it is on
   * stable storage, or when the store is closed, which leaves the old one. Rejects when it cannot be
   * written: then the old one stays too.
   */
  replaceBefore(segment: number, pieces: Iterable<string>): Promise<void>;
  /** Resolves once all that was appended before the call is on stable storage. */
  sync(): Promise<void>;
  close(): void;
}
