// Migrates a database to the schema of this version, or refuses. Each migration is one transaction under a
// lock, so two processes may start at once and a killed one leaves nothing half done.
import { Client, type QueryResult } from 'pg';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { probeOf, ServerSilent, whileAnswering } from './silent-server.ts';

/** The database has a schema that this program must not touch. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
}

/** Arbitrary, as long as every version of the program uses the same number. */
const LOCK = 7_492_013_551;

/** A server that accepts a connection and does not answer it in this time counts as away, also during a long statement. */
const ANSWER_MS_MAX = 5_000;

/** Asks the server, and gives it up if it falls silent. */
type Answering = (text: string, values?: unknown[]) => Promise<QueryResult>;

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * Applies the missing migrations and returns their names.
 * @throws {@link SchemaRefused} if the database is newer than the program, or its history was altered.
 */
export async function migrate(
  connectionString: string,
  known: readonly Migration[] = MIGRATIONS,
  answerMsMax = ANSWER_MS_MAX,
): Promise<readonly string[]> {
  const client = new Client({
    connectionString,
    application_name: 'twapd schema',
    connectionTimeoutMillis: answerMsMax,
  });
  const ignored: unknown[] = [];
  // A connection lost here also fails the query in flight, which reports it.
  client.on('error', (error) => ignored.push(error));
  await client.connect();
  const probe = probeOf(connectionString);
  const answering: Answering = (text, values) =>
    whileAnswering(client.query(text, values), { probe, everyMs: answerMsMax });
  try {
    const done: string[] = [];
    for (;;) {
      const name = await applyNext(answering, known);
      if (name === undefined) return done;
      done.push(name);
    }
  } finally {
    await client.end();
  }
}

async function applyNext(
  query: Answering,
  known: readonly Migration[],
): Promise<string | undefined> {
  await query('BEGIN');
  try {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await query(`CREATE TABLE IF NOT EXISTS schema_migration (
      number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await query(
      'SELECT number, name, checksum FROM schema_migration ORDER BY number',
    );
    const next = nextOf(rows as Applied[], known);
    if (next !== undefined) {
      await query(next.sql);
      await query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
        next.number,
        next.name,
        next.checksum,
      ]);
    }
    await query('COMMIT');
    return next?.name;
  } catch (error) {
    // The end of its connection undoes what a silent server has begun.
    if (!(error instanceof ServerSilent)) await rollBack(query, error);
    throw error;
  }
}

async function rollBack(query: Answering, cause: unknown): Promise<void> {
  try {
    await query('ROLLBACK');
  } catch (error) {
    throw new AggregateError([cause, error], 'the schema change failed, and so did undoing it');
  }
}

/** Returns the first migration not applied yet; refuses a history that is not a prefix of ours. */
function nextOf(applied: readonly Applied[], known: readonly Migration[]): Migration | undefined {
  for (const [index, past] of applied.entries()) {
    const ours = known[index];
    if (ours === undefined) {
      throw new SchemaRefused(
        `the database has schema ${past.number} (${past.name}), this version knows up to ` +
          `${known.length}: start the newer version, or restore a backup from before it`,
      );
    }
    if (past.number !== ours.number || past.checksum !== ours.checksum) {
      throw new SchemaRefused(
        `schema ${past.number} (${past.name}) of the database is not the one this version knows ` +
          `(${ours.number} ${ours.name}, checksum ${ours.checksum.slice(0, 12)}, found ` +
          `${past.checksum.slice(0, 12)}): it was altered, or the database belongs to another program`,
      );
    }
  }
  return known[applied.length];
}
