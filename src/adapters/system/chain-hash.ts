// The hash that chains what must not be changed afterwards: SHA-256 over the hash before and the text.
import { createHash } from 'node:crypto';
import type { ChainHash } from '../../ports/audit-seals.ts';

export const chainHash: ChainHash = (previous, text) =>
  createHash('sha256').update(previous, 'utf8').update('\n').update(text, 'utf8').digest('hex');
