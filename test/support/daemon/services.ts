// A test's share of the run's Redis and PostgreSQL: a key prefix or a database of its own, never a shared one.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { DAYS_TEMPLATE, SCHEMA_TEMPLATE } from './cluster-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL that ioredis connects to. */
    redisUrl: string;
    /** A superuser's connection string for the database `postgres`. */
    postgresUrl: string;
  }
}

export interface TestDatabase {
  readonly connectionString: string;
  /** Removes the database, closing its open connections. */
  drop(): Promise<void>;
}

/** The run's Redis, for `new Redis(redisUrl())`. Use it under {@link redisPrefix} only. */
export function redisUrl(): string {
  return inject('redisUrl');
}

/** A unique key prefix (or BullMQ prefix). */
export function redisPrefix(): string {
  return `test:${randomUUID()}`;
}

/**
 * Creates a database as a ledger of this version leaves it that was opened today, and once in 1970 for clocks that begin
 * at 0: it has the partitions of those days, and no rows but those of its migrations.
 */
export const createDatabase = (): Promise<TestDatabase> => create(copyOf(DAYS_TEMPLATE));

/** The same before a ledger was opened: for what is about partitions, or archives days. */
export const createDatabaseWithoutDays = (): Promise<TestDatabase> =>
  create(copyOf(SCHEMA_TEMPLATE));

/** Creates a database without a schema: for what migrates or restores one. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('');

/** Copying the files takes a third of the time of writing every page to the log, which no test reads back after a crash. */
const copyOf = (template: string): string => `TEMPLATE ${template} STRATEGY file_copy`;

async function create(from: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(`CREATE DATABASE ${name} ${from}`);
  const url = new URL(inject('postgresUrl').replace('@/', '@placeholder/'));
  url.pathname = `/${name}`;
  return {
    connectionString: url.href.replace('@placeholder/', '@/'),
    drop: () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The address of a database in a form that any client accepts, for a separate process. */
export function addressOf({ connectionString }: TestDatabase): string {
  const url = new URL(connectionString.replace('@/', '@placeholder/'));
  if (url.hostname !== 'placeholder') return connectionString;
  url.searchParams.set('user', url.username);
  return `postgresql://${url.pathname}?${url.searchParams}`;
}

async function runOnServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
