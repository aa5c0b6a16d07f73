// How long the ledger keeps what has ended, and where it goes then.
import { z } from 'zod';
import { witnessSection } from './witness-section.ts';

export const ledgerSection = z
  .strictObject({
    retention: z
      .int()
      .min(2)
      .max(36_500)
      .optional()
      .describe(
        'Number of whole days after the day of its submit for which the database keeps a portfolio at least; `archive` moves older days. Absent: everything is kept.',
      ),
    archive: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder of archived days, from the working directory: `archive` writes to it, `audit`, `report` and `export` read it. Best on another disk.',
      ),
    witness: witnessSection.optional(),
  })
  .describe('The life of what the ledger stores.');
