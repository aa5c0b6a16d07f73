// The one place outside the database where signed heads of the ledger are kept, so that later changes by its administrator are found.
import { z } from 'zod';
import { secretCommand, secretCredential } from './secret-source.ts';

const variable = (what: string) =>
  z.string().min(1).optional().describe(`Environment variable that holds ${what}.`);

const file = (what: string) =>
  z.string().min(1).optional().describe(`File that holds ${what}, readable by its owner only.`);

const KEY = 'the Ed25519 private key that signs heads, in PEM, as of `twapd ledger key`';

export const witnessSection = z
  .strictObject({
    everyMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(10)
      .describe('Interval between two heads, in minutes; another one is made at an orderly end.'),
    keyEnv: variable(KEY),
    keyFile: file(KEY),
    keyCommand: secretCommand(KEY),
    keyCredential: secretCredential(KEY),
    file: z
      .string()
      .min(1)
      .optional()
      .describe('File to which heads are appended, best on another machine; or `webhook`.'),
    webhook: z
      .string()
      .min(1)
      .optional()
      .describe('Address to which heads are posted: https, or http on this machine; or `file`.'),
  })
  .describe('Where signed heads of the ledger are kept outside its database; optional.');
