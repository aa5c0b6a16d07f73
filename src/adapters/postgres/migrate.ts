// Migrates a database to the schema of this version, or refuses. Each migration is one transaction under a
// lock, so two processes may start at once and a killed one leaves nothing half done.
import { createHash } from 'node:crypto';
import { Client, type QueryResult } from 'pg';
import { probeOf, ServerSilent, whileAnswering } from './hung-server.ts';
import { type AppliedMigration, MIGRATIONS, type Migration } from './migrations.ts';

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

/**
 * SHA-256 of the checksums, one a line, of the steps 1 to 30 by which versions before 1.0.0 reached the schema of the baseline.
 * Their rows stay in `schema_migration`.
 */
const STEPS_TO_BASELINE = '24293bc7b966801cebfca5339dc928c12b3ec136ac26e6fc4d8ab35563765cc1';

/** A history compared with the migrations of this version. */
export type ComparedHistory =
  /** So many of the migrations were applied. */
  | { readonly kind: 'known'; readonly count: number }
  /** It ends before the baseline. */
  | { readonly kind: 'older'; readonly newest: AppliedMigration; readonly accepted: number }
  /** It has a migration after the last of this version. */
  | { readonly kind: 'newer'; readonly past: AppliedMigration }
  /** It has another migration in the place of one of this version. */
  | { readonly kind: 'altered'; readonly past: AppliedMigration; readonly ours: Migration };

export function compareHistory(
  applied: readonly AppliedMigration[],
  known: readonly Migration[] = MIGRATIONS,
): ComparedHistory {
  const accepted = known[0]?.number ?? 0;
  const newest = applied.at(-1);
  if (newest !== undefined && newest.number < accepted) return { kind: 'older', newest, accepted };
  const steps = applied.filter(({ number }) => number <= accepted);
  const first = checksumOf(steps) === STEPS_TO_BASELINE ? known.slice(0, 1) : steps;
  const history = [...first, ...applied.slice(steps.length)];
  for (const [index, past] of history.entries()) {
    const ours = known[index];
    if (ours === undefined) return { kind: 'newer', past };
    if (past.number !== ours.number || past.checksum !== ours.checksum) {
      return { kind: 'altered', past, ours };
    }
  }
  return { kind: 'known', count: history.length };
}

const checksumOf = (steps: readonly AppliedMigration[]): string =>
  createHash('sha256')
    .update(steps.map(({ checksum }) => checksum).join('\n'))
    .digest('hex');

/**
 * Applies the missing migrations and returns their names.
 * @throws {@link SchemaRefused} if the database is newer than the program or older than the baseline, or its history was altered.
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
    const next = nextOf(rows as AppliedMigration[], known);
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
function nextOf(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Migration | undefined {
  const history = compareHistory(applied, known);
  switch (history.kind) {
    case 'known':
      return known[history.count];
    case 'older': {
      const { newest, accepted } = history;
      throw new SchemaRefused(
        `the database has schema ${newest.number} (${newest.name}); accepted: schema ${accepted} and newer. ` +
          'The last version before 1.0.0 brings it forward: start that version on it once, then this one',
      );
    }
    case 'newer':
      throw new SchemaRefused(
        `the database has schema ${history.past.number} (${history.past.name}), this version knows up to ` +
          `${known.at(-1)?.number}: start the newer version, or restore a backup from before it`,
      );
    case 'altered': {
      const { past, ours } = history;
      throw new SchemaRefused(
        `schema ${past.number} (${past.name}) of the database is not the one this version knows ` +
          `(${ours.number} ${ours.name}, checksum ${ours.checksum.slice(0, 12)}, found ` +
          `${past.checksum.slice(0, 12)}): it was altered, or the database belongs to another program`,
      );
    }
  }
}
