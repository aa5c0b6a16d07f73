// Archived days in a folder, on a disk or a mounted share, which has one folder for each day: they are read where they are
// written.
import { join } from 'node:path';
import type { ArchiveTable } from '../../ports/archive/archive-tables.ts';
import type { DayArchive } from '../../ports/archive/archived-reads.ts';
import type { DayFiles } from '../../ports/archive/day-files.ts';
import type { DayName } from '../../ports/archive/submit-day.ts';
import { archiveTablePath } from './archive-manifest.ts';

export class FolderFiles implements DayFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  stage(day: DayName): string {
    return join(this.#folder, day);
  }

  keep(): Promise<void> {
    return Promise.resolve();
  }

  leaveStage(): Promise<void> {
    return Promise.resolve();
  }

  fetch({ day }: DayArchive): Promise<string> {
    return Promise.resolve(this.stage(day));
  }

  fetchTable({ day }: DayArchive, table: ArchiveTable): Promise<string> {
    return Promise.resolve(archiveTablePath(this.stage(day), table));
  }

  placeOf({ day }: DayArchive): string {
    return this.stage(day);
  }
}
