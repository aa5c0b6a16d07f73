// The manifest of a backup: what it holds, and by which digests that is recognized. It is written last.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';

export const FORMAT = 'twapd-backup/1';
export const MANIFEST = 'manifest.json';

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const TableEntry = z.object({
  name,
  columns: z.array(name).min(1),
  rows: z.int().min(0),
  /** Of the compressed file. */
  bytes: z.int().min(0),
  sha256: digest,
});

const FileEntry = z.object({
  /** The paper exchange, and the name of the file in its folder. */
  venue: z.string().min(1),
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  bytes: z.int().min(0),
  sha256: digest,
});

export const Manifest = z.object({
  format: z.literal(FORMAT),
  takenAt: z.iso.datetime(),
  version: z.string(),
  deployment: z.string(),
  schema: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(TableEntry).min(1),
  partitions: z.array(z.object({ of: name, name, bound: z.string().startsWith('FOR VALUES ') })),
  sequences: z.array(z.object({ table: name, column: name, last: z.string().regex(/^\d+$/) })),
  files: z.array(FileEntry),
});

export type Manifest = z.infer<typeof Manifest>;
export type TableEntry = z.infer<typeof TableEntry>;
export type FileEntry = z.infer<typeof FileEntry>;

/** A folder is not a complete backup, or not the one that was written. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

export const tablePath = (folder: string, table: string): string =>
  join(folder, 'tables', `${table}.copy.gz`);
export const filePath = (folder: string, { venue, file }: Pick<FileEntry, 'venue' | 'file'>) =>
  join(folder, 'venues', encodeURIComponent(venue), `${file}.gz`);

/** @throws {@link BackupDamaged} if there is none, or it cannot be read. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    throw new BackupDamaged(
      `${path} cannot be read (${(error as Error).message}); accepted: a folder that \`backup\` has completed`,
    );
  }
  const read = Manifest.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new BackupDamaged(`${path}: ${faults.join('; ')}`);
}
