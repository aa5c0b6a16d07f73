// Archived days in a folder, on a disk or a mounted share, which has one folder for each day: they are read where they are
// written.
import { join } from 'node:path';
import type { ArchiveTable } from '../../ports/archive/archive-tables.ts';
import type { DayArchive } from '../../ports/archive/archived-reads.ts';
import type { DayFiles } from '../../ports/archive/day-files.ts';
import type { DayName } from '../../ports/archive/submit-day.ts';
import {
  ArchiveDamaged,
  type ArchiveManifest,
  archiveTablePath,
  readArchiveManifest,
} from './archive-manifest.ts';

export class FolderFiles implements DayFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  stage(day: DayName): string {
    return join(this.#folder, day);
  }

  async keep(of: DayArchive): Promise<void> {
    await this.fetch(of);
  }

  leaveStage(): Promise<void> {
    return Promise.resolve();
  }

  async fetch(of: DayArchive): Promise<string> {
    await this.#manifest(of);
    return this.stage(of.day);
  }

  async fetchTable(of: DayArchive, table: ArchiveTable): Promise<string | undefined> {
    const { tables } = await this.#manifest(of);
    const isThere = tables.some(({ name }) => name === table);
    return isThere ? archiveTablePath(this.stage(of.day), table) : undefined;
  }

  async #manifest(of: DayArchive): Promise<ArchiveManifest> {
    const path = this.stage(of.day);
    const { digest, manifest } = await readArchiveManifest(path);
    if (digest === of.digest) return manifest;
    throw new ArchiveDamaged(`the manifest in ${path} is not the one that was archived`);
  }

  placeOf({ day }: DayArchive): string {
    return this.stage(day);
  }
}
