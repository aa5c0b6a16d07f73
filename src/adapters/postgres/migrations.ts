// Every schema migration, in order, from the baseline on. A released one is never edited: add another.
import { createHash } from 'node:crypto';
import { sql as baseline } from './migrations/0030-baseline.ts';
import { sql as claimsByPeriod } from './migrations/0031-claims-by-period.ts';
import { sql as boundSessions } from './migrations/0032-bound-sessions.ts';
import { sql as exceededProtections } from './migrations/0033-exceeded-protections.ts';
import { sql as marketInstants } from './migrations/0034-market-instants.ts';

/** A migration that a ledger has had. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  /** SHA-256 of the text, so that an edited migration is detected. */
  readonly checksum: string;
}

export interface Migration extends AppliedMigration {
  readonly sql: string;
}

export function migration(number: number, name: string, sql: string): Migration {
  return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

export const MIGRATIONS: readonly Migration[] = [
  migration(30, 'baseline', baseline),
  migration(31, 'claims by period', claimsByPeriod),
  migration(32, 'bound sessions', boundSessions),
  migration(33, 'exceeded protections', exceededProtections),
  migration(34, 'market instants', marketInstants),
];
