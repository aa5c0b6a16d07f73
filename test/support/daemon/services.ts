// What a test asks of the run's one Redis and one PostgreSQL: a name space or a database of its own, never a shared one.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** What ioredis connects to. */
    redisUrl: string;
    /** A superuser's connection string of the database `postgres`. */
    postgresUrl: string;
  }
}

export interface TestDatabase {
  readonly connectionString: string;
  /** Removes the database, closing connections that are still open on it. */
  drop(): Promise<void>;
}

/** The run's Redis, for `new Redis(redisUrl())`. Use it under {@link redisPrefix} only. */
export function redisUrl(): string {
  return inject('redisUrl');
}

/** A key prefix (or BullMQ prefix) nobody else has. */
export function redisPrefix(): string {
  return `test:${randomUUID()}`;
}

/** A new empty database. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(`CREATE DATABASE ${name}`);
  const url = new URL(inject('postgresUrl').replace('@/', '@placeholder/'));
  url.pathname = `/${name}`;
  return {
    connectionString: url.href.replace('@placeholder/', '@/'),
    drop: () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The address of a database in a form that any reader of addresses takes, for a process of its own. */
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
