// The archive of a configuration that may name none: then nothing is loaded that reads its files.
import type { ArchiveReader } from '../adapters/archive-files/archive-reader.ts';
import type { Config } from './config/config.ts';

export async function openConfiguredArchive(
  config: Pick<Config, 'ledger' | 'service'>,
): Promise<ArchiveReader | undefined> {
  const { archive, archiveBucket } = config.ledger;
  if (archive === undefined && archiveBucket === undefined) return undefined;
  const { openArchive } = await import('./open-archive.ts');
  return openArchive(config);
}
