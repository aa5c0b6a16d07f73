// The hash that chains records which must not change afterwards: SHA-256 over the previous hash and the text.
import { createHash } from 'node:crypto';
import type { ChainHash } from '../../ports/audit-seals.ts';

export const chainHash: ChainHash = (previous, text) =>
  createHash('sha256').update(previous, 'utf8').update('\n').update(text, 'utf8').digest('hex');
