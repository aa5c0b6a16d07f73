// Where the files of archived days are kept. A day is written into a folder of this machine first, and then kept; what is kept
// is read through files of this machine again, whose content is what was written.
import type { ArchiveTable } from './archive-tables.ts';
import type { DayArchive } from './archived-reads.ts';
import type { DayName } from './submit-day.ts';

export interface FetchOptions {
  /** Read it where it is kept, even if there is a copy on this machine. Default false. */
  readonly isAfresh?: boolean;
}

export interface DayFiles {
  /** The folder of this machine into which the day is written, whole, before it is kept. */
  stage(day: DayName): string;
  /**
   * Keeps the files that were written there; they are durable when this resolves. Interrupted, it is done again.
   * @throws Error if the place cannot be reached, or refuses, or another day than `of` is there.
   */
  keep(of: DayArchive): Promise<void>;
  /** Called once nothing but what is kept is needed. */
  leaveStage(day: DayName): Promise<void>;
  /**
   * A folder of this machine with the manifest and every table of the day, as they are kept.
   * @throws Error that says why, if the day is not there, or is another one than was kept.
   */
  fetch(of: DayArchive, options?: FetchOptions): Promise<string>;
  /** The path of one table of the day; `undefined` if its archive was written without. The same otherwise. */
  fetchTable(of: DayArchive, table: ArchiveTable): Promise<string | undefined>;
  /** For people: where the day is. */
  placeOf(of: DayArchive): string;
}
