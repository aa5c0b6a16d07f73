// How long the ledger keeps what has ended, and where it goes then.
import { z } from 'zod';
import { bucketSection } from './bucket-section.ts';
import { witnessSection } from './witness-section.ts';

const archiveBucketSection = bucketSection
  .extend({
    cacheFolder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder for days on their way to the bucket and for copies read from it, where the data folder has no room; default: archive-cache there.',
      ),
    cacheMb: z
      .int()
      .min(1)
      .max(100_000_000)
      .default(10_000)
      .describe(
        'Megabytes of copies kept there; beyond it the least recently read go. Less on a small disk.',
      ),
  })
  .describe('An S3-compatible object store of archived days, in place of `archive`.');

export type ArchiveBucketSection = z.output<typeof archiveBucketSection>;

export const ledgerSection = z
  .strictObject({
    retention: z
      .int()
      .min(2)
      .max(36_500)
      .optional()
      .describe(
        'Whole days after the day of its submit for which the database keeps a portfolio, so that it stays small; `archive` moves older days. Absent: everything is kept.',
      ),
    archive: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder of archived days, from the working directory: `archive` writes to it, `audit`, `report` and `export` read it. Best on another disk.',
      ),
    archiveBucket: archiveBucketSection.optional(),
    witness: witnessSection.optional(),
  })
  .describe('The life of what the ledger stores.');
