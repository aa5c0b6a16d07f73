// The one place outside the database where signed heads of the ledger are kept, so that later changes by its administrator are found.
import { z } from 'zod';
import { secretSource } from './secret-source.ts';

export const witnessSection = z
  .strictObject({
    everyMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(10)
      .describe(
        'Interval between two heads, in minutes, which is what a forger could still change; another one is made at an orderly end.',
      ),
    key: secretSource().describe(
      'Ed25519 private key that signs heads, in PEM, as of `twapd ledger key`.',
    ),
    place: z
      .string()
      .min(1)
      .describe(
        'File to which heads are appended, best on another machine, or address to which they are posted: https, or http on this machine.',
      ),
  })
  .describe('Where signed heads of the ledger are kept outside its database; optional.');
