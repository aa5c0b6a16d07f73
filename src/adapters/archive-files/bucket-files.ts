// Archived days in an object store, each under its day and the digest of its manifest, so that nothing is ever overwritten: a
// day that is moved again has another digest. A whole day never is in memory; the manifest is stored last. What is read goes
// through a folder of copies on this machine.
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveTable } from '../../ports/archive/archive-tables.ts';
import type { DayArchive } from '../../ports/archive/archived-reads.ts';
import type { DayFiles, FetchOptions } from '../../ports/archive/day-files.ts';
import type { DayName } from '../../ports/archive/submit-day.ts';
import type { ObjectStore } from '../../ports/objects/object-store.ts';
import {
  ArchiveDamaged,
  type ArchivedTable,
  type ArchiveManifest,
  archiveManifestPath,
  archiveTablePath,
  MANIFEST_NAME,
  readArchiveManifest,
  tableName,
} from './archive-manifest.ts';
import { type ExpectedFile, FileCopies } from './file-copies.ts';

export interface BucketFilesOptions {
  readonly store: ObjectStore;
  /** How messages call the store. */
  readonly name: string;
  /** A folder of this machine: days that are written, and copies of what was read. */
  readonly folder: string;
  /** Copies beyond this many bytes give way. */
  readonly copiesBytesMax: number;
}

const keyOf = ({ day, digest }: DayArchive, name: string): string => `${day}/${digest}/${name}`;

export class BucketFiles implements DayFiles {
  readonly #options: BucketFilesOptions;
  readonly #copies: FileCopies;

  constructor(options: BucketFilesOptions) {
    this.#options = options;
    const folder = join(options.folder, 'days');
    this.#copies = new FileCopies({ folder, bytesMax: options.copiesBytesMax });
  }

  stage(day: DayName): string {
    return join(this.#options.folder, 'staged', day);
  }

  async keep(of: DayArchive): Promise<void> {
    const { store } = this.#options;
    const path = this.stage(of.day);
    const { digest, manifest } = await readArchiveManifest(path);
    if (digest !== of.digest) {
      throw new ArchiveDamaged(`${path} was written again while it was stored`);
    }
    // Those that an interrupted run has stored: a key stands for its content.
    const stored = new Set<string>();
    for await (const key of store.list(keyOf(of, ''))) stored.add(key);
    for (const { name } of manifest.tables) {
      const key = keyOf(of, tableName(name));
      if (stored.has(key)) continue;
      await store.putNewFrom(key, createReadStream(archiveTablePath(path, name)));
    }
    await store.putNew(keyOf(of, MANIFEST_NAME), await readFile(archiveManifestPath(path)));
  }

  async leaveStage(day: DayName): Promise<void> {
    await rm(this.stage(day), { recursive: true, force: true });
  }

  async fetch(of: DayArchive, { isAfresh = false }: FetchOptions = {}): Promise<string> {
    const manifest = await this.#manifest(of, isAfresh);
    for (const stated of manifest.tables) await this.#table(of, { stated, isAfresh });
    return this.#copies.pathOf(keyOf(of, ''));
  }

  async fetchTable(of: DayArchive, table: ArchiveTable): Promise<string | undefined> {
    const { tables } = await this.#manifest(of, false);
    const stated = tables.find(({ name }) => name === table);
    return stated && (await this.#table(of, { stated, isAfresh: false }));
  }

  placeOf(of: DayArchive): string {
    return `${this.#options.name} ${keyOf(of, '')}`;
  }

  async #manifest(of: DayArchive, isAfresh: boolean): Promise<ArchiveManifest> {
    await this.#file(of, MANIFEST_NAME, { sha256: of.digest, isAfresh });
    return (await readArchiveManifest(this.#copies.pathOf(keyOf(of, '')))).manifest;
  }

  #table(
    of: DayArchive,
    { stated, isAfresh }: { readonly stated: ArchivedTable; readonly isAfresh: boolean },
  ): Promise<string> {
    return this.#file(of, tableName(stated.name), { ...stated, isAfresh });
  }

  #file(of: DayArchive, name: string, expected: ExpectedFile): Promise<string> {
    const { store, name: storeName } = this.#options;
    const key = keyOf(of, name);
    return this.#copies.copy(key, expected, async () => {
      const pieces = await store.read(key);
      if (pieces !== undefined) return pieces;
      throw new ArchiveDamaged(`${storeName} has no ${key}`);
    });
  }
}
