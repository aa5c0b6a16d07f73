// The manifest of an archived day: what its files hold, and by which digests and chain they are recognized. It is written
// last.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  ARCHIVE_TABLE_NAMES,
  type ArchiveTable,
  FIRST_TABLES_COUNT,
} from '../../ports/archive/archive-tables.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';

export const ARCHIVE_FORMAT = 'twapd-archive/1';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

const ArchivedTable = z.object({
  name: z.enum(ARCHIVE_TABLE_NAMES),
  rows: z.int().min(0),
  /** Of the file. */
  bytes: z.int().min(0),
  sha256: digest,
  /** Of the rows, whatever the file they are in. */
  rowsSha256: digest,
});

export const ArchiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  writtenAt: z.iso.datetime(),
  version: z.string(),
  deployment: z.string(),
  /** The newest migration of the ledger. */
  schema: z.int().min(1),
  portfolios: z.int().min(0),
  events: z.int().min(0),
  /** Hash over the last hash of the chain of each portfolio. */
  head: z.union([digest, z.literal('')]),
  /** In the order of their names. */
  tables: z.array(ArchivedTable).min(FIRST_TABLES_COUNT).max(ARCHIVE_TABLE_NAMES.length),
});

export type ArchiveManifest = z.infer<typeof ArchiveManifest>;
export type ArchivedTable = z.infer<typeof ArchivedTable>;

/** A folder does not hold the day, or not as it was written. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
}

export const MANIFEST_NAME = 'manifest.json';
export const tableName = (table: ArchiveTable): string => `${table}.parquet`;
export const archiveManifestPath = (path: string): string => join(path, MANIFEST_NAME);
export const archiveTablePath = (path: string, table: ArchiveTable): string =>
  join(path, tableName(table));

export interface ReadArchiveManifest {
  readonly manifest: ArchiveManifest;
  /** SHA-256 of its text. */
  readonly digest: string;
}

export const textDigest = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

/** `path` is the folder of the day. @throws {@link ArchiveDamaged} if there is none, or it cannot be read. */
export async function readArchiveManifest(path: string): Promise<ReadArchiveManifest> {
  const file = archiveManifestPath(path);
  let text: string;
  let value: unknown;
  try {
    text = await readFile(file, 'utf8');
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    throw new ArchiveDamaged(
      `${file} cannot be read (${(error as Error).message}); accepted: the folder to which \`archive\` wrote the day`,
    );
  }
  const read = ArchiveManifest.safeParse(value);
  if (read.success) return { manifest: read.data, digest: textDigest(text) };
  const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ArchiveDamaged(`${file}: ${faults.join('; ')}`);
}

/** @throws {@link ArchiveDamaged} if a file of the day is missing or is another one than was written. */
export async function checkArchiveFiles(path: string, { tables }: ArchiveManifest): Promise<void> {
  for (const { name, bytes, sha256 } of tables) {
    const file = archiveTablePath(path, name);
    const found = await fileDigest(file).catch((error: Error) => {
      throwProgrammingError(error);
      throw new ArchiveDamaged(`${file} cannot be read: ${error.message}`);
    });
    if (found.bytes === bytes && found.sha256 === sha256) continue;
    throw new ArchiveDamaged(`${file} was changed: its digest is not the one of its manifest`);
  }
}

export async function fileDigest(
  file: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
