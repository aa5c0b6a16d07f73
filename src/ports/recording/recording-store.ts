// Where a recording of a market is kept: named files that only grow, and a note about them. A commit is whole or absent,
// whatever ends the process, so that files and note never disagree.

/** What one commit adds. */
export interface RecordingCommit {
  /** Text to append, by file name. A name that ends in `.gz` is compressed. */
  readonly texts: ReadonlyMap<string, string>;
  /** Plain JSON that replaces the note of the commit before. */
  readonly note: object;
  /** Files that receive nothing more. */
  readonly done?: readonly string[] | undefined;
}

/** Nothing can be written any more, with the reason for people. What was committed stays readable. */
export class RecordingUnwritable extends Error {
  override readonly name = 'RecordingUnwritable';
}

export interface RecordingStore {
  /** The note of the last commit; `undefined` before the first. */
  readonly note: unknown;
  /** Bytes that it has written since it was opened, as they are stored. */
  readonly bytes: number;
  /** Names of the files it has written that are not done. */
  readonly files: ReadonlySet<string>;
  /** The last lines of a file, oldest first; none of a file it does not have. */
  lastLines(file: string, count: number): Promise<readonly string[]>;
  /**
   * Resolves once everything is durable. Rejects with RecordingUnwritable, and then with every later call; the files are
   * as after the commit before. One commit at a time.
   */
  commit(commit: RecordingCommit): Promise<void>;
}
