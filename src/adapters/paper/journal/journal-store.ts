// Storage for a journal's lines: a base and the numbered segments that follow it. Without a store (in virtual
// time) the paper venue persists nothing.

/** The text of a base or a segment. */
export interface JournalPart {
  /** Undefined for the base. */
  readonly segment: number | undefined;
  readonly text: string;
}

export interface JournalStore {
  /** Returns the base, then the existing segments by ascending number. */
  read(): readonly JournalPart[];
  /**
   * Appends whole lines to the last part, in memory at first: what is appended in one turn of the event loop may be written
   * together. The checksums are filled in by `sealed` when the bytes are made. A write that fails leaves nothing. Throws if nothing more can be written.
   */
  append(text: string): void;
  /**
   * Resolves once the operating system has everything appended before the call; `undefined` if it has it already.
   * Rejects if it could not be written.
   */
  written(): Promise<void> | undefined;
  /**
   * Replaces everything by a new base: after a crash either the old base with its segments or the new base
   * exists.
   */
  replace(text: string): void;
  /** Directs further appends to this segment, which must have a higher number than any before it. */
  continueIn(segment: number): void;
  /**
   * Replaces the old base and the segments below `segment` by a new base, yielding to other work between
   * pieces. After a crash either the old base with all its segments or the new base exists. Resolves once the
   * new base is on stable storage, or if the store is closed, which keeps the old base. Rejects if it cannot
   * be written; the old base is kept then too.
   */
  replaceBefore(segment: number, pieces: Iterable<string>): Promise<void>;
  /** Resolves once everything appended before the call is on stable storage. */
  sync(): Promise<void>;
  close(): void;
}
